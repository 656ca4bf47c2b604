package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// Size of an excerpt in characters, about: what is before the first match and
// the whole.
const (
	excerptLead = 60
	excerptSize = 240
)

// span is a piece of a text that matched.
type span struct {
	start, end int
	term       string
	worth      float64
}

// excerpter cuts excerpts, and uses its memory again.
type excerpter struct {
	scanner analysis.Scanner
	terms   map[string]float64 // what matches, and what it is worth showing
	filter  prefixFilter       // most words pass none
	marks   [256]bool          // see mark
	spans   []span
	at      int                  // where the piece of text at hand starts
	note    func(analysis.Token) // see take; made once
}

// seek sets what matches.
func (e *excerpter) seek(terms map[string]float64) {
	e.terms, e.marks = terms, [256]bool{}
	for term := range terms {
		e.marks[mark([]byte(term))] = true
	}
	e.filter.set(terms)
}

// mark is a number by which most words that are no term are told from them.
func mark(word []byte) uint8 {
	if len(word) == 0 {
		return 0
	}
	return word[0]*3 + word[len(word)-1]*5 + uint8(len(word))
}

// excerpt returns the part of a passage that shows the most of what matched,
// as HTML: the text is escaped, matches stand in <mark>, white space is one
// space, and an ellipsis stands where text was left out.
func (e *excerpter) excerpt(text string) string {
	e.match(text)
	from, to := window(text, e.spans)
	return markUp(text, e.spans, from, to)
}

// match finds what matches in a text.
func (e *excerpter) match(text string) {
	if e.note == nil {
		e.note = e.take
	}
	e.spans = e.spans[:0]
	for at, end := e.filter.next(text, 0); at < len(text); at, end = e.filter.next(text, end) {
		e.at = at
		e.scanner.Scan(text[at:end], 0, e.note)
	}
}

// take notes a token of the piece at hand if it matches.
func (e *excerpter) take(t analysis.Token) {
	if !e.marks[mark(t.Text)] {
		return
	}
	if worth, found := e.terms[string(t.Text)]; found {
		e.spans = append(e.spans, span{e.at + t.Start, e.at + t.End, string(t.Text), worth})
	}
}

// window chooses the part of a text to show: where the matches are worth the
// most, of which each term counts fully once.
func window(text string, spans []span) (from, to int) {
	runes := utf8.RuneCountInString(text)
	if runes <= excerptSize {
		return 0, len(text)
	}
	size := (excerptSize - excerptLead) * len(text) / runes // in bytes, about
	inside := make(map[string]int)
	best, worth, first, end := -1.0, 0.0, -1, 0
	for i := range spans {
		for ; end < len(spans) && spans[end].end <= spans[i].start+size; end++ {
			worth += share(inside[spans[end].term]) * spans[end].worth
			inside[spans[end].term]++
		}
		if worth > best {
			best, first = worth, i
		}
		if end > i {
			inside[spans[i].term]--
			worth -= share(inside[spans[i].term]) * spans[i].worth
		} else {
			end = i + 1
		}
	}
	if first >= 0 {
		from = back(text, spans[first].start, excerptLead)
	}
	return from, forth(text, from, excerptSize)
}

// share is what a term counts that has been seen n times.
func share(n int) float64 {
	if n == 0 {
		return 1
	}
	return .1
}

// back returns a place about n characters before another, at the start of a
// word.
func back(text string, at, n int) int {
	i, word := at, at
	for ; n > 0 && i > 0; n-- {
		r, width := utf8.DecodeLastRuneInString(text[:i])
		if unicode.IsSpace(r) || unicode.IsPunct(r) && r >= utf8.RuneSelf {
			word = i
		}
		i -= width
	}
	if i == 0 {
		return 0
	}
	return word
}

// forth returns a place about n characters after another, at the end of a word.
func forth(text string, at, n int) int {
	i, word := at, at
	for ; n > 0 && i < len(text); n-- {
		r, width := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) {
			word = i
		}
		i += width
	}
	if i < len(text) && word >= at+(i-at)/2 {
		return word
	}
	for i < len(text) { // what is written onto the last letter belongs to it
		r, width := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsMark(r) {
			break
		}
		i += width
	}
	return i
}

// markUp writes a part of a text.
func markUp(text string, spans []span, from, to int) string {
	slices.SortStableFunc(spans, func(a, b span) int { return a.start - b.start })
	var b strings.Builder
	b.Grow(to - from + 64)
	if from > 0 {
		b.WriteString("… ")
	}
	cut := to < len(text)
	from = to - len(strings.TrimLeftFunc(text[from:to], blank))
	to = from + len(strings.TrimRightFunc(text[from:to], blank))
	at := from
	for i := 0; i < len(spans); {
		start, end := spans[i].start, spans[i].end
		for i++; i < len(spans) && spans[i].start <= end; i++ { // overlapping ones become one
			start, end = min(start, spans[i].start), max(end, spans[i].end)
		}
		start, end = max(start, at), min(end, to)
		if start >= end {
			continue
		}
		writeText(&b, text[at:start])
		b.WriteString("<mark>")
		writeText(&b, text[start:end])
		b.WriteString("</mark>")
		at = end
	}
	writeText(&b, text[at:max(at, to)])
	if cut {
		b.WriteString(" …")
	}
	return b.String()
}

// blank reports whether a character is shown as a space.
func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// writeText writes text with white space as one space, and escapes what HTML
// would take for something else.
func writeText(b *strings.Builder, text string) {
	from := 0 // of what is written as it is
	space := false
	for i, r := range text {
		escaped := ""
		switch {
		case r > '>' && r <= '~': // most are
			space = false
			continue
		case r == '<':
			escaped = "&lt;"
		case r == '>':
			escaped = "&gt;"
		case r == '&':
			escaped = "&amp;"
		case r == '"':
			escaped = "&#34;"
		case r == '\'':
			escaped = "&#39;"
		case blank(r):
			if r != ' ' || space {
				b.WriteString(text[from:i])
				from = i + utf8.RuneLen(r)
				if !space {
					b.WriteByte(' ')
				}
			}
			space = true
			continue
		}
		space = false
		if escaped != "" {
			b.WriteString(text[from:i])
			b.WriteString(escaped)
			from = i + 1
		}
	}
	b.WriteString(text[from:])
}
