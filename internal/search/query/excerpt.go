package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// Approximate size of an excerpt in characters: before the first match, and in all.
const (
	excerptLead = 60
	excerptSize = 240
)

// span is a matching piece of a text.
type span struct {
	start, end int
	term       string
	worth      float64
}

// excerpter makes excerpts and reuses its memory.
type excerpter struct {
	scanner analysis.Scanner
	terms   map[string]float64 // matching terms and their weights
	filter  prefixFilter       // skips most words
	marks   [256]bool          // see mark
	spans   []span
	at      int                  // start of the current piece of text
	note    func(analysis.Token) // see take; created once
}

// seek sets the matching terms.
func (e *excerpter) seek(terms map[string]float64) {
	e.terms, e.marks = terms, [256]bool{}
	for term := range terms {
		e.marks[mark([]byte(term))] = true
	}
	e.filter.set(terms)
}

// mark is a number that rules out most words that are not terms.
func mark(word []byte) uint8 {
	if len(word) == 0 {
		return 0
	}
	return word[0]*3 + word[len(word)-1]*5 + uint8(len(word))
}

// excerpt returns the part of a passage with the best matches as HTML: the
// text is escaped, matches are in <mark>, white space is one space, and an
// ellipsis replaces omitted text.
func (e *excerpter) excerpt(text string) string {
	e.match(text)
	from, to := window(text, e.spans)
	return markUp(text, e.spans, from, to)
}

// match finds the matches in a text.
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

// take records a token of the current piece if it matches.
func (e *excerpter) take(t analysis.Token) {
	if !e.marks[mark(t.Text)] {
		return
	}
	if worth, found := e.terms[string(t.Text)]; found {
		e.spans = append(e.spans, span{e.at + t.Start, e.at + t.End, string(t.Text), worth})
	}
}

// window chooses the part of a text to show: where the matches have the
// highest weight, and each term counts fully only once.
func window(text string, spans []span) (from, to int) {
	runes := utf8.RuneCountInString(text)
	if runes <= excerptSize {
		return 0, len(text)
	}
	size := (excerptSize - excerptLead) * len(text) / runes // in bytes, approximately
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

// share is the weight of a term's further occurrence after n.
func share(n int) float64 {
	if n == 0 {
		return 1
	}
	return .1
}

// back returns a position about n characters before another, at the start of a word.
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

// forth returns a position about n characters after another, at the end of a word.
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
	for i < len(text) { // marks on the last letter belong to it
		r, width := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsMark(r) {
			break
		}
		i += width
	}
	return i
}

// markUp writes a part of a text with its matches.
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
		for i++; i < len(spans) && spans[i].start <= end; i++ { // overlapping ones are merged
			start, end = min(start, spans[i].start), max(end, spans[i].end)
		}
		start, end = max(start, at), min(end, to)
		if start >= end {
			continue
		}
		writeText(&b, text, at, start)
		b.WriteString("<mark>")
		writeText(&b, text, start, end)
		b.WriteString("</mark>")
		at = end
	}
	writeText(&b, text, at, max(at, to))
	if cut {
		b.WriteString(" …")
	}
	return b.String()
}

// blank reports whether a character is shown as a space.
func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// writeText writes a part of a text as HTML, with white space as one space. A dot
// separates lines that do not end like a sentence, such as items of lists.
func writeText(b *strings.Builder, text string, from, to int) {
	space := false
	at := from // of the text not yet written
	for i, r := range text[from:to] {
		i += from
		escaped := ""
		switch {
		case r > '>' && r <= '~': // typical characters
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
			divides := r == '\n' && !space && i > 0 && len(strings.TrimRight(text[:i], ".!?:;,…。！？：；、，؟؛।")) == i
			if r != ' ' || space {
				b.WriteString(text[at:i])
				at = i + utf8.RuneLen(r)
				if divides {
					b.WriteString(" ·")
				}
				if divides || !space {
					b.WriteByte(' ')
				}
			}
			space = true
			continue
		}
		space = false
		if escaped != "" {
			b.WriteString(text[at:i])
			b.WriteString(escaped)
			at = i + 1
		}
	}
	b.WriteString(text[at:to])
}
