package layout

import "github.com/octavo-docs/octavo/internal/pdf/lexicon"

// breaks splits text at line break opportunities (UAX 14), with the spaces before them, and
// reports mandatory breaks. It decides itself between plain words, the common case; other
// parts go to the segmenter, which takes ten times as long, and to package lexicon.
func (t *Typesetter) breaks(text []rune, part func(from, to int, must bool)) {
	for from := 0; from < len(text); {
		to := from
		for to < len(text) && !certain(text, to) {
			to++
		}
		to = min(to+1, len(text))
		if plain(text[from:to]) {
			part(from, to, false)
		} else {
			t.segments.Init(text[from:to])
			for next := t.segments.LineIterator(); next.Next(); {
				segment := next.Line()
				start, end := from+segment.Offset, from+segment.Offset+len(segment.Text)
				for _, at := range joined(segment.Text) {
					part(start, from+segment.Offset+at, false)
					start = from + segment.Offset + at
				}
				part(start, end, segment.IsMandatoryBreak && end < to)
			}
		}
		from = to
	}
}

// joined returns the word boundaries in text of scripts without spaces.
func joined(text []rune) []int {
	for _, r := range text {
		if lexicon.Joined(r) {
			return lexicon.Breaks(text)
		}
	}
	return nil
}

// certain reports whether a space is a break opportunity in any text: it is between letters, the
// first of which may be followed by a comma or similar.
func certain(text []rune, at int) bool {
	if text[at] != ' ' || at == 0 || at+1 == len(text) || !isLetter(text[at+1]) {
		return false
	}
	before := text[at-1]
	return isLetter(before) || isStop(before) && at > 1 && isLetter(text[at-2])
}

// plain reports whether text is only letters, with optional punctuation at the end.
func plain(text []rune) bool {
	end := len(text)
	if end > 0 && text[end-1] == ' ' {
		end--
	}
	if end > 1 && isStop(text[end-1]) {
		end--
	}
	for _, r := range text[:end] {
		if !isLetter(r) {
			return false
		}
	}
	return end > 0
}

// isLetter reports whether a character is an ASCII letter, of line breaking class AL.
func isLetter(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }

// isStop reports whether a character is of line breaking class IS.
func isStop(r rune) bool { return r == ',' || r == '.' || r == ';' || r == ':' }
