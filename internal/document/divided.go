package document

// block is a block of the source before its text is parsed.
type block struct {
	kind              blockKind
	fenced            bool   // fenced rather than indented code
	afterBlank        bool   // the previous line is blank
	marker            byte   // of a list (-, +, *, period, parenthesis) or fence
	level             int    // of a heading, 1 to 6
	indent            int    // columns to the content of a container, or of a fence itself
	length            int    // of a fence; the start condition of HTML; the first number of a list
	pos               int    // in the source
	from, to          int    // its text in parser.segments
	info              string // info string of a fence
	own               any    // *admonition, *footnoteSource, *Code, *dialect.Mark or the []Alignment of a table
	first, last, next *block // children and sibling
}

// segment is a line of a block's text, or a part of it: padding spaces and a source range.
type segment struct{ start, end, padding int }

type blockKind uint8

// Blocks up to markBlock contain blocks; the others contain text.
const (
	rootBlock blockKind = iota
	quoteBlock
	listBlock
	itemBlock
	footnoteBlock
	admonitionBlock
	definitionsBlock // contains descriptions; its text is the terms
	descriptionBlock
	markBlock // content of a dialect's mark

	paragraphBlock
	headingBlock
	ruleBlock
	codeBlock
	htmlBlock
	tableBlock      // header row, then the rows
	tagBlock        // MDX tags on separate lines, or a mark of a dialect
	expressionBlock // MDX expression on separate lines
	readyBlock      // a block that is already parsed
	attributesBlock // kramdown attributes of the block above or below
	contentsBlock   // placeholder for the table of contents
	emptyBlock      // only link definitions
)

// container reports whether a kind of block contains others and stays open.
func (k blockKind) container() bool { return k <= markBlock }

// holds reports whether kind may be a child of b.
func (b *block) holds(kind blockKind) bool {
	switch b.kind {
	case listBlock:
		return kind == itemBlock
	case definitionsBlock:
		return kind == descriptionBlock
	}
	return b.kind.container() && kind != descriptionBlock
}

// literal reports whether the text of a block is not parsed.
func (b *block) literal() bool { return b.kind == codeBlock || b.kind == htmlBlock }

func (b *block) add(child *block) {
	if b.last == nil {
		b.first = child
	} else {
		b.last.next = child
	}
	b.last = child
}

// tight reports whether there are no blank lines between or directly within list items.
func (b *block) tight() bool {
	for item := b.first; item != nil; item = item.next {
		if item.afterBlank && item != b.first {
			return false
		}
		for child := item.first; child != nil; child = child.next {
			if child.afterBlank && child != item.first {
				return false
			}
		}
	}
	return true
}
