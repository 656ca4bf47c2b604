// Package line is a place in a line of text that is divided into blocks, with tabs and
// columns. It does not know what blocks there are: package document does.
package line

// Cursor is a place in a line. Tabs reach to the next multiple of four columns
// and may be consumed in part (CommonMark section 2.2).
type Cursor struct {
	Text   string // without its end
	Start  int    // in the source
	Offset int    // in bytes
	Column int
	InTab  bool // the tab at Offset is consumed in part

	next       int // offset of the first byte that is not white space
	nextColumn int
}

// At returns the start of a line, which starts at a place of the source.
func At(text string, start int) Cursor {
	c := Cursor{Text: text, Start: start, next: -1}
	c.Find()
	return c
}

// Find looks for the next byte that is not white space.
func (c *Cursor) Find() {
	if c.next >= c.Offset {
		return // it is still ahead
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

// Blank reports whether nothing but white space is ahead.
func (c *Cursor) Blank() bool { return c.next >= len(c.Text) }

// Indent is the width of the white space ahead.
func (c *Cursor) Indent() int { return c.nextColumn - c.Column }

// Place is where the first byte that is not white space stands in the source.
func (c *Cursor) TextPos() int { return c.Start + c.next }

// Peek returns the first byte that is not white space, or 0.
func (c *Cursor) Peek() byte {
	if c.Blank() {
		return 0
	}
	return c.Text[c.next]
}

// Ahead returns the line from the first byte that is not white space on.
func (c *Cursor) Ahead() string { return c.Text[c.next:] }

// SkipBlank moves over white space.
func (c *Cursor) SkipBlank() {
	c.Offset, c.Column, c.InTab = c.next, c.nextColumn, false
}

// SkipMark moves over white space and the n bytes behind it, which are neither
// tabs nor line ends.
func (c *Cursor) SkipMark(n int) {
	c.SkipBlank()
	c.Offset += n
	c.Column += n
	c.Find()
}

// SkipColumns moves over at most n columns of white space.
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
