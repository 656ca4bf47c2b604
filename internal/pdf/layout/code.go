package layout

import (
	"strings"
	"unicode/utf8"
)

// longest limits the characters of code shaped at once.
const longest = 256

// hang is the indentation in spaces of a continuation line of code.
const hang = 2

// Code breaks code at line feeds and at the available width. counts has the number of lines for each
// line of code.
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

// coder breaks code into lines.
type coder struct {
	t      *Typesetter
	room   float64
	lines  []Line
	counts []int

	filled  []piece
	filler  float64 // width of filled
	count   int     // lines for the current line of code
	indent  float64 // of the current line
	leading float64 // width of the leading spaces
	begun   bool    // past the leading spaces
}

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

// arranged returns the pieces of the line, split by direction.
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

// filledEnough is the minimal share of a line before a break at a space.
const filledEnough = 0.7

// codeBreak returns the number of characters to keep on a line, of those that fit: up to the last
// space, if the line is then full enough.
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
