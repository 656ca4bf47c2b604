package layout

import "strings"

// A word is hyphenated only if the line would otherwise leave more space than this: a share of its
// width, and at least some points. Text is ragged.
const (
	raggedShare  = 0.1
	raggedPoints = 24
)

// maxDivided limits consecutive hyphenated lines.
const maxDivided = 2

// Characters allowed around a hyphenated word. Others, such as a slash or digit, indicate a name.
const (
	opening = "([\"'“‘„«¿¡"
	closing = ")].,;:!?\"'”’“»…"
)

// hyphenate ends the line with the beginning of a word and a hyphen. The beginning has the whole word
// as replacement text and the rest none, for searching and copying. It returns the rest,
// which is the whole word if it is better not divided. narrow relaxes the rules for words
// wider than a line. from and to are the word's position in the text.
func (b *breaker) hyphenate(word []piece, from, to int, narrow bool) (rest []piece, done bool) {
	if len(word) != 1 || word[0].picture != nil || word[0].style.Hyphens == nil || word[0].level != 0 {
		return word, false
	}
	p := word[0]
	hyphen := b.t.piece("-", p.style, p.level, false)
	room := b.width - b.filler - width(b.spaces)
	if !narrow {
		last := to == len(b.text)                                             // otherwise the last line would be only a part of a word
		parted := from > 0 && b.text[from-1] != ' ' && b.text[from-1] != '\n' // a part of an address or similar
		if last || parted || b.divided >= maxDivided || room < max(raggedShare*b.width, raggedPoints) {
			return word, false
		}
	}
	text := []rune(p.word.Text)
	first, end := 0, len(text)
	for first < end && strings.ContainsRune(opening, text[first]) {
		first++
	}
	for end > first && strings.ContainsRune(closing, text[end-1]) {
		end--
	}
	breaks := p.style.Hyphens.Breaks(text[first:end])
	for i := len(breaks) - 1; i >= 0; i-- {
		at := first + breaks[i]
		head := b.t.piece(string(text[:at]), p.style, p.level, false)
		if head.width+hyphen.width > room+0.01 {
			continue
		}
		tail := b.t.piece(string(text[at:]), p.style, p.level, false)
		whole, nothing := string(text), ""
		if head.says = p.says; head.says == nil { // nil if a previous part has the replacement text
			head.says = &whole
		}
		hyphen.says, tail.says = &nothing, &nothing
		b.append(b.spaces...)
		b.append(head, hyphen)
		divided := b.divided
		b.end()
		b.divided = divided + 1
		return []piece{tail}, true
	}
	return word, false
}

// softly is the replacement text of a hyphen at a soft hyphen.
const softly = string(softHyphen)

// hyphen returns the hyphen for a soft hyphen.
func (t *Typesetter) hyphen(s *Style, level uint8) piece {
	p, says := t.piece("-", s, level, false), softly
	p.says = &says
	return p
}
