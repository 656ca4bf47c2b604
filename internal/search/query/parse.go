package query

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// parsed is a parsed query text.
type parsed struct {
	slots     []slot
	compounds []compound
	phrases   []phrase
}

// slot is a word of the query, or a pair of characters.
type slot struct {
	text   string
	pos    int // 0 for the first word
	kind   analysis.Kind
	phrase bool // it is quoted
	last   bool // it may be unfinished
	half   bool // of don't, we'll and the like
}

// compound is a word with several parts.
type compound struct {
	text     string
	flag     string // as an option, or empty
	from, to int    // its slots
	last     bool
	phrase   bool
	name     bool // a name in a program: get_item, getItem, cache.get
}

// phrase is a quoted text: words, and their distances from the first.
type phrase struct {
	terms   []string
	offsets []int
}

// quoteGap separates quoted words from others.
const quoteGap = 8

// parse parses the text of a query. Every text has a meaning: unclosed
// quotes are ignored, and so are marks between words.
func parse(text string) parsed {
	text = analysis.Clean(cutText(text))
	r := queryReader{}
	pos := 0
	for text != "" {
		from, to, next := quoted(text)
		if next == 0 {
			r.read(text, &pos, false, true)
			break
		}
		r.read(text[:from], &pos, false, false)
		pos += quoteGap
		r.phrase = phrase{}
		r.read(text[from:to], &pos, true, false)
		r.addPhrase()
		pos += quoteGap
		text = text[next:]
	}
	return r.parsed
}

// cutText cuts a text that is too long, at a space if one is near.
func cutText(text string) string {
	if len(text) <= MaxText {
		return text
	}
	text = text[:MaxText]
	if n := strings.LastIndexByte(text, ' '); n > MaxText/2 {
		return text[:n+1]
	}
	for len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text[:max(len(text)-1, 0)]
}

// quoted returns the start and end of the first quoted text, and the start
// of the text after it, which is 0 if there is none.
func quoted(text string) (from, to, next int) {
	mark := strings.IndexAny(text, "\"“”„«")
	if mark < 0 {
		return 0, 0, 0
	}
	_, width := utf8.DecodeRuneInString(text[mark:])
	from = mark + width
	length := strings.IndexAny(text[from:], "\"“”»")
	if length < 0 {
		return 0, 0, 0
	}
	to = from + length
	_, width = utf8.DecodeRuneInString(text[to:])
	return from, to, to + width
}

// queryReader collects the tokens of a query.
type queryReader struct {
	scanner analysis.Scanner
	parsed  parsed
	phrase  phrase
}

// addPhrase adds the current phrase, unless it is empty or a repetition.
func (r *queryReader) addPhrase() {
	same := func(p phrase) bool {
		return slices.Equal(p.terms, r.phrase.terms) && slices.Equal(p.offsets, r.phrase.offsets)
	}
	if len(r.phrase.terms) > 0 && len(r.parsed.phrases) < MaxPhrases && !slices.ContainsFunc(r.parsed.phrases, same) {
		r.parsed.phrases = append(r.parsed.phrases, r.phrase)
	}
}

// read reads a piece of the query. end says that it is the last one.
func (r *queryReader) read(text string, pos *int, inQuotes, end bool) {
	first := len(r.parsed.slots)
	start := *pos
	*pos = r.scanner.Scan(text, start, func(t analysis.Token) {
		last := end && t.End == len(text)
		switch t.Kind {
		case analysis.Word, analysis.Gram, analysis.Single:
			if inQuotes {
				if len(r.phrase.terms) < MaxText/8 {
					r.phrase.terms = append(r.phrase.terms, string(t.Text))
					r.phrase.offsets = append(r.phrase.offsets, t.Pos-start)
				}
			}
			if len(r.parsed.slots) < MaxWords {
				r.parsed.slots = append(r.parsed.slots, slot{text: string(t.Text), pos: t.Pos, kind: t.Kind, phrase: inQuotes, last: last})
			}
		case analysis.Joined, analysis.Flag:
			r.join(t, first, inQuotes, last, programmed(text[t.Start:t.End]))
		}
	})
}

// join adds a joined form of slots that have all been read.
func (r *queryReader) join(t analysis.Token, first int, inQuotes, last, name bool) {
	slots := r.parsed.slots
	from := len(slots)
	for from > first && slots[from-1].pos >= t.Pos {
		from--
	}
	to := from
	for to < len(slots) && slots[to].pos < t.Pos+t.Span {
		to++
	}
	if to == from || len(slots) == MaxWords {
		return // some of its parts may be missing
	}
	if t.Kind == analysis.Joined && to-from == 2 && !inQuotes && analysis.Contraction(slots[from].text, slots[from+1].text) {
		slots[from].half, slots[from+1].half, slots[from+1].last = true, true, false
		if slots[from+1].text != "t" {
			return // we'll is not well
		}
	}
	compounds := r.parsed.compounds
	if n := len(compounds); t.Kind == analysis.Flag && n > 0 && compounds[n-1].from == from && compounds[n-1].to == to {
		compounds[n-1].flag = string(t.Text)
		return
	}
	c := compound{from: from, to: to, last: last, phrase: inQuotes, name: name}
	if t.Kind == analysis.Flag {
		c.flag = string(t.Text)
	} else {
		c.text = string(t.Text)
	}
	r.parsed.compounds = append(compounds, c)
}

// programmed reports whether a compound is a name in a program, and not
// words that a writer has joined by hyphens.
func programmed(text string) bool {
	if strings.ContainsAny(text, "_.:&") {
		return true
	}
	for i := 1; i < len(text); i++ {
		if 'A' <= text[i] && text[i] <= 'Z' && 'a' <= text[i-1] && text[i-1] <= 'z' {
			return true
		}
	}
	return false
}
