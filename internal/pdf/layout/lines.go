package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// softHyphen marks a possible division of a word; it is only visible there.
const softHyphen = '\u00ad'

// Lines breaks text into lines of a maximal width. It divides wider words anywhere. mirrored is the
// direction of text without letters.
func (t *Typesetter) Lines(spans []Span, width float64, mirrored bool) []Line {
	t.text, t.ends = join(t.text[:0], t.ends[:0], spans)
	text := t.text
	if len(text) == 0 {
		return nil
	}
	levels, base := t.levels(text, spans, t.ends, mirrored)
	b := breaker{t: t, width: width, base: base, text: text, spans: spans, ends: t.ends, levels: levels, filled: t.filled[:0], word: t.word[:0]}
	t.breaks(text, func(from, to int, must bool) {
		b.unit(from, to)
		if must {
			b.end()
		}
	})
	b.end()
	t.filled, t.word = b.filled, b.word // reused by the next text
	return b.lines
}

// join concatenates spans with single spaces, and returns their ends.
func join(text []rune, ends []int, spans []Span) ([]rune, []int) {
	space := true
	for _, s := range spans {
		for _, r := range s.Text {
			switch r {
			case '\t', '\r', ' ':
				if space {
					continue
				}
				r = ' '
			}
			space = r == ' ' || r == '\n'
			text = append(text, r)
		}
		ends = append(ends, len(text))
	}
	return text, ends
}

type breaker struct {
	t      *Typesetter
	width  float64
	base   uint8
	text   []rune
	spans  []Span
	ends   []int // of the spans in text
	span   int   // index of the current span
	levels []uint8

	lines  []Line
	filled []piece
	filler float64 // width of filled
	spaces []piece // written only if the line continues
	word   []piece // next word, with spare capacity
	hyphen bool    // the line ends with a hyphen if it ends here

	divided int // consecutive lines that ended within a word
}

// end completes the line.
func (b *breaker) end() {
	b.lines = append(b.lines, line(b.filled, b.base))
	b.filled, b.filler, b.spaces, b.hyphen = b.filled[:0], 0, b.spaces[:0], false
	b.divided = 0
}

// unit adds an indivisible text with the following spaces.
func (b *breaker) unit(from, to int) {
	end := to
	for end > from && (b.text[end-1] == ' ' || b.text[end-1] == '\n') {
		end--
	}
	b.word = b.pieces(b.word[:0], from, end, false)
	pieces := b.word
	wide := width(pieces)
	if len(b.filled) > 0 && b.filler+width(b.spaces)+wide > b.width+0.01 {
		rest, done := b.hyphenate(pieces, from, to, false)
		if pieces, wide = rest, width(rest); !done {
			b.divide()
		}
	}
	for narrow := wide > b.width; narrow && wide > b.width; wide = width(pieces) {
		pieces, narrow = b.hyphenate(pieces, from, to, true)
	}
	b.append(b.spaces...)
	if wide > b.width {
		for _, p := range pieces {
			if p.picture != nil {
				b.append(p)
				continue
			}
			b.force(p)
		}
	} else {
		b.append(pieces...)
	}
	b.spaces = b.pieces(b.spaces[:0], end, to, true)
	b.hyphen = end > from && b.text[end-1] == softHyphen
}

// divide ends the line because the text continues.
func (b *breaker) divide() {
	if last := len(b.filled) - 1; b.hyphen && last >= 0 {
		b.filled = append(b.filled, b.t.hyphen(b.filled[last].style, b.filled[last].level))
	}
	b.end()
}

func (b *breaker) append(pieces ...piece) {
	b.filled = append(b.filled, pieces...)
	b.filler += width(pieces)
}

// force adds a piece that may be wider than a line.
func (b *breaker) force(p piece) {
	rest := []rune(p.word.Text)
	for len(rest) > 0 {
		n := b.t.fit(rest, p.style, b.width-b.filler)
		if n == 0 {
			if len(b.filled) > 0 {
				b.divide()
				continue
			}
			n = 1
		}
		more := n < len(rest)
		if more {
			n = joint(rest, n)
		}
		b.append(b.t.piece(string(rest[:n]), p.style, p.level, false))
		rest = rest[n:]
		if more {
			b.end()
		}
	}
}

// joint returns the number of the first n characters after which to divide a word that is too wide:
// after the last joining sign, or before the last capital that begins a part, as in names
// of variables, if the line is then at least a quarter full.
func joint(word []rune, n int) int {
	for at := n; at > n/4; at-- {
		switch word[at-1] {
		case '_', '.', ',', ';', ':', '=', '&', '?', '/', '-', ')':
			return at
		}
		if unicode.IsUpper(word[at]) && unicode.IsLower(word[at-1]) {
			return at
		}
	}
	return n
}

// fit returns the number of characters that fit into a width.
func (t *Typesetter) fit(text []rune, s *Style, room float64) int {
	for n, r := range text {
		if room -= t.piece(string(r), s, 0, false).width; room < -0.01 {
			return n
		}
	}
	return len(text)
}

// pieces splits text by style and direction, and appends the parts.
func (b *breaker) pieces(all []piece, from, to int, space bool) []piece {
	for from < to {
		for b.ends[b.span] <= from {
			b.span++
		}
		end := min(to, b.ends[b.span])
		level := uint8(0)
		if b.levels != nil {
			level = b.levels[from]
			for at := from; at < end; at++ {
				if b.levels[at] != level {
					end = at
				}
			}
		}
		if picture := b.spans[b.span].Picture; picture != nil {
			all = append(all, piece{style: b.spans[b.span].Style, level: level, width: picture.Width, picture: picture})
			from = end
			continue
		}
		style := b.spans[b.span].Style
		single := space && end == from+1 && b.text[from] == ' '
		if last := &b.t.space; single && last.style == style && last.level == level {
			all, from = append(all, *last), end
			continue
		}
		text := b.t.utf8[:0]
		for _, r := range b.text[from:end] {
			if r != '\n' && r != softHyphen {
				text = utf8.AppendRune(text, r)
			}
		}
		if b.t.utf8 = text; len(text) > 0 {
			all = append(all, pieceOf(b.t.shaper.WordOf(text, style.Font, level%2 == 1), style, level, space))
		}
		if single {
			b.t.space = all[len(all)-1]
		}
		from = end
	}
	return all
}

func width(pieces []piece) float64 {
	w := 0.0
	for _, p := range pieces {
		w += p.width
	}
	return w
}

// Measure returns the widths of the widest word and of the text on one line. Words wider than whole
// are measured by their parts between hyphens or word boundaries.
func (t *Typesetter) Measure(text string, s *Style, whole float64) (word, all float64) {
	space := t.piece(" ", s, 0, true).width
	for i, w := range strings.Split(text, " ") {
		if i > 0 {
			all += space
		}
		if w == "" {
			continue
		}
		width := t.piece(w, s, 0, false).width
		all += width
		if width <= whole {
			word = max(word, width)
			continue
		}
		for w != "" {
			part := w[:hyphened(w)]
			w = w[len(part):]
			runes, from := []rune(part), 0
			for _, to := range append(joined(runes), len(runes)) {
				word, from = max(word, t.piece(string(runes[from:to]), s, 0, false).width), to
			}
		}
	}
	return word, all
}

// hyphened returns the length of a word's part up to the first hyphen between letters.
func hyphened(word string) int {
	for i := 1; i+1 < len(word); i++ {
		if word[i] == '-' && word[i-1] != '-' && 'A' <= word[i+1] && word[i+1] != '-' {
			return i + 1
		}
	}
	return len(word)
}
