package document

// cursor is a place in a line. Tabs reach to the next multiple of four columns
// and may be consumed in part (CommonMark section 2.2).
type cursor struct {
	line      string // without its end
	lineStart int    // in the source
	offset    int    // in bytes
	column    int
	inTab     bool // the tab at offset is consumed in part

	next       int // offset of the first byte that is not white space
	nextColumn int
}

func newCursor(line string, start int) cursor {
	c := cursor{line: line, lineStart: start, next: -1}
	c.find()
	return c
}

// find looks for the next byte that is not white space.
func (c *cursor) find() {
	if c.next >= c.offset {
		return // it is still ahead
	}
	c.next, c.nextColumn = c.offset, c.column
	for c.next < len(c.line) {
		switch c.line[c.next] {
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

func (c *cursor) blank() bool { return c.next >= len(c.line) }

// indent is the width of the white space ahead.
func (c *cursor) indent() int { return c.nextColumn - c.column }

// place is where the first byte that is not white space stands in the source.
func (c *cursor) place() int { return c.lineStart + c.next }

// peek returns the first byte that is not white space, or 0.
func (c *cursor) peek() byte {
	if c.blank() {
		return 0
	}
	return c.line[c.next]
}

// ahead returns the line from the first byte that is not white space on.
func (c *cursor) ahead() string { return c.line[c.next:] }

// skipBlank moves over white space.
func (c *cursor) skipBlank() {
	c.offset, c.column, c.inTab = c.next, c.nextColumn, false
}

// skipMark moves over white space and the n bytes behind it, which are neither
// tabs nor line ends.
func (c *cursor) skipMark(n int) {
	c.skipBlank()
	c.offset += n
	c.column += n
	c.find()
}

// skipColumns moves over at most n columns of white space.
func (c *cursor) skipColumns(n int) {
	for n > 0 && c.offset < len(c.line) {
		switch c.line[c.offset] {
		case ' ':
			c.offset++
			c.column++
			n--
		case '\t':
			width := 4 - c.column%4
			if width > n {
				c.column += n
				c.inTab = true
				return
			}
			c.column += width
			c.offset++
			c.inTab = false
			n -= width
		default:
			return
		}
	}
}
