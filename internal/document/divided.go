package document

// block is a part of a source that is divided into blocks, whose text is not
// read yet.
type block struct {
	kind              blockKind
	fenced            bool   // tells fenced code from indented code
	afterBlank        bool   // the line before it is blank
	marker            byte   // of a list (-, +, *, period, parenthesis) or fence
	level             int    // of a heading, 1 to 6
	indent            int    // columns to the content of a container; of a fence, its own
	length            int    // of a fence; the start condition of HTML; the first number of a list
	pos               int    // in the source
	from, to          int    // its text, in parser.segments
	info              string // behind a fence
	own               any    // *admonition, *footnoteSource, *Code, *dialect.Mark or the []Alignment of a table
	first, last, next *block // children and sibling
}

// segment is a line of the text of a block, or a part of one: padding spaces
// and a piece of the source.
type segment struct{ start, end, padding int }

// blockKind tells what a block is.
type blockKind uint8

// Blocks up to markBlock hold others; the rest hold text.
const (
	rootBlock blockKind = iota
	quoteBlock
	listBlock
	itemBlock
	footnoteBlock
	admonitionBlock
	definitionsBlock // holds descriptions; its text are the terms
	descriptionBlock
	markBlock // what a mark of a dialect holds

	paragraphBlock
	headingBlock
	ruleBlock
	codeBlock
	htmlBlock
	tableBlock      // the head, then the rows
	tagBlock        // tags of MDX on lines of their own, or a mark of a dialect
	expressionBlock // an expression of MDX on lines of its own
	readyBlock      // what it shows is known
	attributesBlock // those that kramdown gives the block above or below
	contentsBlock   // stands for the table of contents
	emptyBlock      // nothing but definitions of links
)

// container reports whether blocks of a kind hold others and stay open.
func (k blockKind) container() bool { return k <= markBlock }

// holds reports whether a block of this kind may be a child of b.
func (b *block) holds(kind blockKind) bool {
	switch b.kind {
	case listBlock:
		return kind == itemBlock
	case definitionsBlock:
		return kind == descriptionBlock
	}
	return b.kind.container() && kind != descriptionBlock
}

// literal reports whether the lines of a block are taken as they are.
func (b *block) literal() bool { return b.kind == codeBlock || b.kind == htmlBlock }

func (b *block) add(child *block) {
	if b.last == nil {
		b.first = child
	} else {
		b.last.next = child
	}
	b.last = child
}

// tight reports whether no blank line stands between the items of a list, nor
// between what stands in one.
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
