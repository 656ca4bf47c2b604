package layout

import (
	"strings"
	"unicode/utf8"
)

// longest is how many characters of code are shaped at once.
const longest = 256

// hang is by how many spaces a line of code that goes on is moved in from where
// it started.
const hang = 2

// Code breaks lines of code at their line feeds, and where they are wider than
// that width. Of each line of code it tells of how many lines it is made.
func (t *Typesetter) Code(spans []Span, room float64) (lines []Line, counts []int) {
	c := coder{t: t, room: room}
	for _, s := range spans {
		for text, more := s.Text, true; more; {
			var part string
			part, text, more = strings.Cut(text, "\n")
			c.add([]rune(strings.ReplaceAll(part, "\t", "    ")), s.Style)
			if more {
				c.endSource()
			}
		}
	}
	if len(c.filled) > 0 {
		c.endSource()
	}
	return c.lines, c.counts
}

// coder fills lines of code.
type coder struct {
	t      *Typesetter
	room   float64
	lines  []Line
	counts []int

	filled  []piece
	filler  float64 // width of filled
	count   int     // lines of the source's line so far
	indent  float64 // of the line under way
	leading float64 // width of the spaces that the source's line starts with
	begun   bool    // whether anything else has come
}

// add adds code without line feeds.
func (c *coder) add(rest []rune, s *Style) {
	if space := c.t.piece(" ", s, 0, false).width; !c.begun {
		for _, r := range rest {
			if c.begun = r != ' '; c.begun {
				c.leading += hang * space
				break
			}
			c.leading += space
		}
	}
	for len(rest) > 0 {
		n := min(len(rest), longest)
		p := c.t.piece(string(rest[:n]), s, 0, false)
		if room := c.room - c.indent; c.filler+p.width > room+0.01 {
			n = codeBreak(rest, c.t.fit(rest[:n], s, room-c.filler), c.filler > filledEnough*room)
			if n == 0 && len(c.filled) > 0 {
				c.end()
				continue
			}
			n = max(n, 1)
			p = c.t.piece(string(rest[:n]), s, 0, false)
		}
		c.filled, c.filler, rest = append(c.filled, p), c.filler+p.width, rest[n:]
	}
}

func (c *coder) end() {
	l := line(c.arranged(), 0)
	l.Indent = c.indent
	c.lines, c.count = append(c.lines, l), c.count+1
	c.filled, c.filler, c.indent = c.filled[:0], 0, min(c.leading, c.room/2)
}

// arranged returns what fills the line, divided where it runs from right to left.
func (c *coder) arranged() []piece {
	var text []rune
	for _, p := range c.filled {
		text = append(text, []rune(p.word.Text)...)
	}
	if !twoWays(text) {
		return c.filled
	}
	levels := c.t.embed(text, 0)
	var all []piece
	from := 0
	for _, p := range c.filled {
		for end := from + utf8.RuneCountInString(p.word.Text); from < end; {
			to := from + 1
			for to < end && levels[to] == levels[from] {
				to++
			}
			all = append(all, c.t.piece(string(text[from:to]), p.style, levels[from], false))
			from = to
		}
	}
	return all
}

func (c *coder) endSource() {
	c.end()
	c.counts = append(c.counts, c.count)
	c.count, c.indent, c.leading, c.begun = 0, 0, 0, false
}

// filledEnough is the share of a line of code from which on it may end early.
const filledEnough = 0.7

// codeBreak returns how many of the characters that fit stay on a line of code:
// those up to the last space, if the line is not too short then.
func codeBreak(text []rune, fit int, enough bool) int {
	least := int(filledEnough * float64(fit))
	if enough {
		least = 0
	}
	for n := fit; n > least; n-- {
		if text[n-1] == ' ' {
			return n
		}
	}
	if enough && fit < len(text) {
		return 0
	}
	return fit
}
