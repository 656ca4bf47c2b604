// Package line is a cursor in a line of text, with tabs and columns. Package document divides
// lines into blocks.
package line

// Cursor is a position in a line. Tabs stop at multiples of four columns and may be partly
// consumed (CommonMark section 2.2).
type Cursor struct {
	Text   string // without its end
	Start  int    // in the source
	Offset int    // in bytes
	Column int
	InTab  bool // the tab at Offset is partly consumed

	next       int // offset of the next byte that is not white space
	nextColumn int
}

// At returns a cursor at the beginning of a line whose offset in the source is start.
func At(text string, start int) Cursor {
	c := Cursor{Text: text, Start: start, next: -1}
	c.Find()
	return c
}

// Find finds the next byte that is not white space.
func (c *Cursor) Find() {
	if c.next >= c.Offset {
		return // still valid
	}
	c.next, c.nextColumn = c.Offset, c.Column
	for c.next < len(c.Text) {
		switch c.Text[c.next] {
		case ' ':
			c.nextColumn++
		case '\t':
			c.nextColumn += 4 - c.nextColumn%4
		default:
			return
		}
		c.next++
	}
}

// Blank reports whether the rest is white space.
func (c *Cursor) Blank() bool { return c.next >= len(c.Text) }

// Indent returns the width of the white space ahead.
func (c *Cursor) Indent() int { return c.nextColumn - c.Column }

// TextPos returns the offset in the source of the next byte that is not white space.
func (c *Cursor) TextPos() int { return c.Start + c.next }

// Peek returns the next byte that is not white space, or 0.
func (c *Cursor) Peek() byte {
	if c.Blank() {
		return 0
	}
	return c.Text[c.next]
}

// Ahead returns the line from that byte.
func (c *Cursor) Ahead() string { return c.Text[c.next:] }

// SkipBlank skips white space.
func (c *Cursor) SkipBlank() {
	c.Offset, c.Column, c.InTab = c.next, c.nextColumn, false
}

// SkipMark skips white space and n more bytes, which are neither tabs nor line ends.
func (c *Cursor) SkipMark(n int) {
	c.SkipBlank()
	c.Offset += n
	c.Column += n
	c.Find()
}

// SkipColumns skips at most n columns of white space.
func (c *Cursor) SkipColumns(n int) {
	for n > 0 && c.Offset < len(c.Text) {
		switch c.Text[c.Offset] {
		case ' ':
			c.Offset++
			c.Column++
			n--
		case '\t':
			width := 4 - c.Column%4
			if width > n {
				c.Column += n
				c.InTab = true
				return
			}
			c.Column += width
			c.Offset++
			c.InTab = false
			n -= width
		default:
			return
		}
	}
}
