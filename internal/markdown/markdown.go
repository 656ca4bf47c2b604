// Package markdown reads the content of a page, Markdown (CommonMark with the
// tables, footnotes, strikethrough and bare links of GitHub) or MDX, and tells
// what the page says: its links and its headings. It finds out to which pages
// a link may lead, but knows no store and looks nothing up.
//
// A document is parsed in two steps. The first divides the content into a tree
// of blocks (block); the second turns the text of a block into a flat run of
// tokens (package inline), in which the opening and closing ones pair up.
//
// The parser is our own because content comes from strangers and is parsed
// while they wait: every step takes linear time and bounded depth, on any
// input. Nothing in MDX is ever executed.
package markdown

import "github.com/octavo-docs/octavo/internal/markdown/inline"

// Format is the language in which content is written.
type Format uint8

// The formats.
const (
	Markdown Format = iota
	MDX
)

// String returns the format's name.
func (f Format) String() string { return [...]string{"markdown", "mdx"}[f] }

// document is the result of the first step.
type document struct {
	root       *block
	references *inline.References[[]byte]
	footnotes  map[string]bool // folded labels of those defined
	mdx        bool
	size       int // of the content, in bytes
}

// tokenizer returns what makes tokens of the text of the blocks.
func (d *document) tokenizer() inline.Tokenizer[[]byte] {
	scan := inline.NewBudget(d.size)
	return inline.Tokenizer[[]byte]{
		MDX: d.mdx, Scan: &scan, References: d.references,
		Footnote: func(label string) bool { return d.footnotes[label] },
	}
}

// blockKind tells what a block is.
type blockKind uint8

const (
	rootBlock blockKind = iota
	quoteBlock
	listBlock
	itemBlock
	footnoteBlock
	tableBlock
	rowBlock
	paragraphBlock
	headingBlock
	cellBlock
	ruleBlock
	codeBlock
	htmlBlock
	tagBlock // MDX tags on lines of their own
)

// block is a node of the tree. Blocks from rootBlock to rowBlock hold others;
// the rest hold text, of which that of paragraphs, headings and cells consists
// of inlines.
type block struct {
	kind                    blockKind
	first, last, prev, next *block // children and siblings

	text  []byte // without the marks of the blocks around it; lines end in \n
	start int    // of text in the parser's arena, while the block is open

	level  int    // of a heading, 1 to 6
	marker byte   // of a list (-, +, *, period, parenthesis) or fence; columns of a table
	indent int    // columns to the content of an item; of a fence, its own
	length int    // of a fence; the start condition of HTML; the columns of a table
	fenced bool   // tells fenced code from indented code
	info   []byte // after a fence
}

func (b *block) add(child *block) {
	child.prev = b.last
	if b.last == nil {
		b.first = child
	} else {
		b.last.next = child
	}
	b.last = child
}

// dropLast takes the last child out of the tree.
func (b *block) dropLast() {
	b.last = b.last.prev
	if b.last == nil {
		b.first = nil
	} else {
		b.last.next = nil
	}
}

// hasInlines reports whether the text of a block is to be parsed further.
func (b *block) hasInlines() bool {
	return b.kind == paragraphBlock || b.kind == headingBlock || b.kind == cellBlock
}

// literal reports whether the lines of a block are taken as they are.
func (b *block) literal() bool { return b.kind == codeBlock || b.kind == htmlBlock }

// container reports whether blocks of a kind hold others and stay open.
func (k blockKind) container() bool { return k <= footnoteBlock }

// holds reports whether a block of this kind may be a child of b.
func (b *block) holds(kind blockKind) bool {
	switch b.kind {
	case listBlock:
		return kind == itemBlock
	case rootBlock, quoteBlock, itemBlock, footnoteBlock:
		return true
	}
	return false
}
