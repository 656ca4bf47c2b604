package layout

import "strings"

// A word is divided only where the line would else be left shorter than this:
// a share of its width, and points at least. Lines need not be equally long.
const (
	raggedShare  = 0.1
	raggedPoints = 24
)

// maxDivided is how many lines in a row may end within a word.
const maxDivided = 2

// What may stand around a word that is divided. Anything else, such as a slash
// or a digit, makes it a name.
const (
	opening = "([\"'“‘„«¿¡"
	closing = ")].,;:!?\"'”’“»…"
)

// hyphenate fills the rest of the line with the beginning of a word and a
// hyphen, and ends it. The beginning says the whole word and the rest nothing, so
// that who searches or copies gets it whole. It returns what is left of the word: all of it when it is
// better not divided. Narrow is for a word that is wider than a whole line, of
// which less is asked. From and to is where the word lies in the text.
func (b *breaker) hyphenate(word []piece, from, to int, narrow bool) (rest []piece, done bool) {
	if len(word) != 1 || word[0].picture != nil || word[0].style.Hyphens == nil || word[0].level != 0 {
		return word, false
	}
	p := word[0]
	hyphen := b.t.piece("-", p.style, p.level, false)
	room := b.width - b.filler - width(b.spaces)
	if !narrow {
		last := to == len(b.text)                                             // of its paragraph, which would end with a part of it
		parted := from > 0 && b.text[from-1] != ' ' && b.text[from-1] != '\n' // one of several, such as an address
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
	places := p.style.Hyphens.Places(text[first:end])
	for i := len(places) - 1; i >= 0; i-- {
		at := first + places[i]
		head := b.t.piece(string(text[:at]), p.style, p.level, false)
		if head.width+hyphen.width > room+0.01 {
			continue
		}
		tail := b.t.piece(string(text[at:]), p.style, p.level, false)
		whole, nothing := string(text), ""
		if head.says = p.says; head.says == nil { // else it is within a word that was said already
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

// softly is what the hyphen stands for with which a word ends at a soft hyphen.
const softly = string(softHyphen)

// hyphen returns the hyphen of a word that is divided where its author has put a
// soft one, for which it stands.
func (t *Typesetter) hyphen(s *Style, level uint8) piece {
	p, says := t.piece("-", s, level, false), softly
	p.says = &says
	return p
}
