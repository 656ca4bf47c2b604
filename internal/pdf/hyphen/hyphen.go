// Package hyphen finds hyphenation points by the patterns of Frank Liang ("Word Hy-phen-a-tion by
// Com-put-er", 1983) as used in TeX. The patterns are built in: data/SOURCES.md lists their
// sources, scripts/vendor-hyphens updates them.
//
// Callers decide which words to divide.
package hyphen

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The minimal letters before and after a hyphen. TeX allows two, which looks bad in ragged text.
const (
	leastBefore = 3
	leastAfter  = 3
)

// LeastLetters is the minimal length of a divisible word.
const LeastLetters = leastBefore + leastAfter

// Patterns are the patterns of one language.
type Patterns struct {
	levels     map[string]string // levels by letters: a digit before each letter and after the last
	exceptions map[string][]int  // division points by word
	longest    int               // letters in the longest pattern
	nouns      bool              // common nouns are capitalised, not only names
}

// parse reads \patterns and \hyphenation of a TeX file.
func parse(file string) *Patterns {
	p := &Patterns{levels: map[string]string{}, exceptions: map[string][]int{}}
	var plain strings.Builder
	for line := range strings.Lines(file) {
		line, _, _ = strings.Cut(line, "%")
		plain.WriteString(line + " ")
	}
	for _, pattern := range group(plain.String(), `\patterns{`) {
		p.add(pattern)
	}
	for _, word := range group(plain.String(), `\hyphenation{`) {
		var places []int
		letters := 0
		for _, r := range word {
			if r == '-' {
				places = append(places, letters)
			} else {
				letters++
			}
		}
		p.exceptions[strings.ReplaceAll(word, "-", "")] = places
	}
	return p
}

// group returns the words in braces after a command.
func group(text, command string) []string {
	_, text, _ = strings.Cut(text, command)
	text, _, _ = strings.Cut(text, "}")
	return strings.Fields(text)
}

// add adds a pattern: letters with digits for levels.
func (p *Patterns) add(pattern string) {
	var letters, levels []byte
	count, level := 0, byte('0')
	for _, r := range pattern {
		if '0' <= r && r <= '9' {
			level = byte(r)
			continue
		}
		letters, levels = utf8.AppendRune(letters, r), append(levels, level)
		count, level = count+1, '0'
	}
	p.levels[string(letters)] = string(append(levels, level))
	p.longest = max(p.longest, count)
}

// Breaks returns the offsets in letters at which a word may be divided, in order. There are none
// for names and for words with other characters or inner capitals.
func (p *Patterns) Breaks(word []rune) []int {
	if len(word) < LeastLetters {
		return nil
	}
	lower := make([]rune, 0, len(word)+2)
	lower = append(lower, '.')
	for i, r := range word {
		if !unicode.IsLetter(r) || unicode.IsUpper(r) && (i > 0 || !p.nouns) {
			return nil
		}
		lower = append(lower, unicode.ToLower(r))
	}
	lower = append(lower, '.')
	places, known := p.exceptions[string(lower[1:len(lower)-1])]
	if !known {
		places = p.find(lower)
	}
	within := make([]int, 0, len(places))
	for _, at := range places {
		if at >= leastBefore && len(word)-at >= leastAfter {
			within = append(within, at)
		}
	}
	return within
}

// find returns the offsets with odd maximal levels in a word between dots.
func (p *Patterns) find(dotted []rune) (places []int) {
	text := string(dotted)
	starts := make([]int, 0, len(dotted)+1)
	for at := range text {
		starts = append(starts, at)
	}
	starts = append(starts, len(text))
	highest := make([]byte, len(starts))
	for from := range dotted {
		for to := from + 1; to <= min(from+p.longest, len(dotted)); to++ {
			for i, level := range []byte(p.levels[text[starts[from]:starts[to]]]) {
				highest[from+i] = max(highest[from+i], level)
			}
		}
	}
	for at := 2; at < len(dotted)-1; at++ { // the first letter follows the dot
		if highest[at]%2 == 1 {
			places = append(places, at-1)
		}
	}
	return places
}
