// Package hyphen finds where words may be divided at the end of a line, by the
// patterns of Frank Liang ("Word Hy-phen-a-tion by Com-put-er", 1983) as TeX has
// them for each language. The patterns come with the program: data/SOURCES.md
// tells where each file is from, scripts/vendor-hyphens takes them.
//
// The package knows words alone: which text is divided, and when a line is
// better left short, is decided by those who break lines.
package hyphen

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// How many letters stay together at the start and at the end of a word. TeX
// takes two at some places, which looks hasty beside text that is not justified.
const (
	leastBefore = 3
	leastAfter  = 3
)

// LeastLetters is how many letters a word has that is divided.
const LeastLetters = leastBefore + leastAfter

// Patterns tell for one language where words may be divided.
type Patterns struct {
	levels     map[string]string // by letters: a digit for the place before each letter and behind the last
	exceptions map[string][]int  // by word: its places
	longest    int               // letters of a pattern
	nouns      bool              // whether nouns are written with a capital, and not names alone
}

// parse reads a file of TeX: its \patterns and its \hyphenation.
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

// group returns the words between the braces behind a command.
func group(text, command string) []string {
	_, text, _ = strings.Cut(text, command)
	text, _, _ = strings.Cut(text, "}")
	return strings.Fields(text)
}

// add adds a pattern: letters, with a digit at each place that has a level.
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

// Places returns behind how many of its letters a word may be divided, in order.
// A word that has anything but letters, or capitals within, has no places, nor
// has a name.
func (p *Patterns) Places(word []rune) []int {
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

// find returns the places of a word between dots: those whose highest level is
// odd.
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
	for at := 2; at < len(dotted)-1; at++ { // the first letter stands behind the dot
		if highest[at]%2 == 1 {
			places = append(places, at-1)
		}
	}
	return places
}
