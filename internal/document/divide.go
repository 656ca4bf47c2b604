package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/line"
)

// maxOpen limits the nesting of blocks; deeper markers are text.
const maxOpen = 64

// divider divides a source into blocks line by line, as in the appendix of CommonMark: a
// line first continues open blocks (continues), then opens new ones (start); the rest is
// text (addText). A new construct needs a kind, cases in these three functions, and one
// in parser.events to make its node.
type divider struct {
	*parser
	line.Cursor
	pos  int      // of the next line in the source
	open []*block // from root to innermost

	// blankDepth is the index in open of the innermost quotation that contains the previous
	// line if that is blank, else -1.
	blankDepth int
	unused     []block      // preallocated, see push
	ahead      line.Ahead   // see follows
	pane       dialect.Mark // the last that opened or closed tabs
}

func (p *parser) divide() *block {
	d := &divider{parser: p, blankDepth: -1}
	p.segments = make([]segment, 0, len(p.doc.lines))
	root := &block{kind: rootBlock}
	d.open = append(make([]*block, 0, 16), root)
	for d.pos < len(d.source) {
		if d.mdx && d.startModule() {
			continue
		}
		d.nextLine()
		d.blankDepth = d.incorporate()
	}
	d.Start = d.pos
	d.closeTo(0)
	return root
}

// nextLine moves the cursor to the next line of the source.
func (d *divider) nextLine() {
	text, _, _ := strings.Cut(d.source[d.pos:], "\n")
	d.Cursor = line.At(text, d.pos)
	d.pos = min(d.pos+len(text)+1, len(d.source))
}

func (d *divider) tip() *block { return d.open[len(d.open)-1] }

// incorporate adds the current line to the tree and returns the next blankDepth.
func (d *divider) incorporate() int {
	matched := 1 // number of continued blocks; the root always continues
	quote := 0
	for matched < len(d.open) {
		d.Find()
		b := d.open[matched]
		result := d.continues(b, matched)
		if result == lineDone {
			return -1
		}
		if result == no {
			break
		}
		if b.kind == quoteBlock {
			quote = matched
		}
		matched++
	}
	lazy := matched < len(d.open) && d.tip().kind == paragraphBlock && d.open[matched].kind != markBlock
	opened := false
	for d.Find(); !d.open[matched-1].literal(); d.Find() {
		result := d.start(matched)
		if result == lineDone {
			return -1
		}
		if result == no {
			break
		}
		lazy, opened = false, true
		matched = len(d.open)
	}
	if lazy && !d.Blank() {
		d.addText(d.tip())
		return -1
	}
	d.closeTo(matched - 1)
	blank := d.Blank() && !opened && !d.tip().fenced
	d.addText(d.tip())
	if !blank {
		return -1
	}
	return quote
}

// addText adds the rest of the line to its block.
func (d *divider) addText(b *block) {
	switch b.kind {
	case codeBlock, tableBlock:
		d.addLine(b)
	case htmlBlock:
		line := d.Text[d.Offset:]
		d.addLine(b)
		if inline.HTMLEnds(b.length, line) || d.elementEnds(b, line) {
			d.closeTo(len(d.open) - 2)
		}
	case paragraphBlock:
		d.SkipBlank()
		d.addLine(b)
	default:
		if !d.Blank() {
			d.nest(len(d.open), paragraphBlock)
			d.SkipBlank()
			d.addLine(d.push(block{kind: paragraphBlock, pos: d.TextPos()}))
		}
	}
}

func (d *divider) addLine(leaf *block) {
	s := segment{start: d.Start + d.Offset, end: d.pos}
	if d.InTab {
		s.padding = 4 - d.Column%4
		s.start++
	}
	d.addSegment(leaf, s)
}

// addSegment adds a piece of the source to the open leaf.
func (d *divider) addSegment(leaf *block, s segment) {
	d.segments = append(d.segments, s)
	leaf.to = len(d.segments)
}

// push opens a block in the innermost one. It allocates in batches bounded by the
// remaining source.
func (d *divider) push(content block) *block {
	if len(d.unused) == 0 {
		d.unused = make([]block, min(32, 1+(len(d.source)-d.pos)/16))
	}
	b := &d.unused[0]
	d.unused = d.unused[1:]
	*b = content
	b.from, b.to = len(d.segments), len(d.segments)
	b.afterBlank = d.blankDepth >= 0 && len(d.open)-1 >= d.blankDepth
	d.tip().add(b)
	d.open = append(d.open, b)
	return b
}

// closeTo closes open blocks until last is the innermost.
func (d *divider) closeTo(last int) {
	for len(d.open)-1 > last {
		d.finish(d.tip())
		d.open = d.open[:len(d.open)-1]
	}
}

// finish completes a closed block.
func (d *divider) finish(b *block) {
	switch {
	case b.kind == footnoteBlock:
		d.addFootnoteRange(b)
	case b.kind == admonitionBlock:
		d.finishAdmonition(b)
	case b.kind == paragraphBlock:
		if !d.takeDefinitions(b) {
			b.kind = emptyBlock
		}
	case b.kind == codeBlock && !b.fenced:
		for b.to > b.from && strings.Trim(d.source[d.segments[b.to-1].start:d.segments[b.to-1].end], " \t\n") == "" {
			b.to--
		}
	}
}

// takeDefinitions removes link reference definitions from the start of a paragraph and
// trims it. It reports whether text is left.
func (d *divider) takeDefinitions(b *block) bool {
	if b.from < b.to && d.source[d.segments[b.from].start] == '[' {
		source := d.sourceOf(b)
		content := source.text
		d.defining = &source
		rest := d.references.Define(content, &d.scan)
		b.from += strings.Count(content[:len(content)-len(rest)], "\n")
		if rest == "" {
			b.from = b.to
		}
	}
	if b.from == b.to {
		return false
	}
	last := &d.segments[b.to-1]
	last.end = last.start + len(strings.TrimRight(d.source[last.start:last.end], " \t\n"))
	return true
}

// nest closes blocks that the line does not continue or that cannot contain kind. It
// reports whether the depth limit allows another block.
func (d *divider) nest(matched int, kind blockKind) bool {
	if kind.container() && matched+1 >= maxOpen {
		return false
	}
	d.closeTo(matched - 1)
	for !d.tip().holds(kind) {
		d.closeTo(len(d.open) - 2)
	}
	return true
}

// addLeaf adds a one-line block with its text.
func (d *divider) addLeaf(matched int, content block, text ...segment) lineResult {
	d.nest(matched, content.kind)
	b := d.push(content)
	for _, s := range text {
		d.addSegment(b, s)
	}
	d.open = d.open[:len(d.open)-1]
	return lineDone
}

// lineResult reports whether a line continues or starts a block.
type lineResult uint8

const (
	no lineResult = iota
	yes
	lineDone // yes, and the line is used up
)

// continues reports whether the line continues the open block number, and skips its
// markers.
func (d *divider) continues(b *block, number int) lineResult {
	switch b.kind {
	case quoteBlock:
		if d.Peek() != '>' || d.tooFar() {
			return no
		}
		d.SkipMark(1)
		d.SkipColumns(1)
	case itemBlock:
		if d.Blank() && b.first == nil {
			return no
		}
		return d.continuesIndented(b.indent)
	case footnoteBlock, descriptionBlock:
		if b.kind == footnoteBlock && b.first == nil && d.Indent() > 1 && !d.Blank() {
			b.indent = min(b.indent, d.Indent()) // all of it stands below the label
		}
		return d.continuesIndented(b.indent)
	case markBlock:
		return d.continuesMark(b, number)
	case admonitionBlock:
		if d.closesAdmonition(b, number) {
			d.closeTo(number - 1)
			return lineDone
		}
	case codeBlock:
		return d.continuesCode(b, number)
	case htmlBlock:
		if b.length >= inline.HTMLElement && (d.Blank() && !d.inElement(b) || b.level <= 0 && d.atMark()) {
			return no
		}
	case paragraphBlock, tableBlock:
		if d.Blank() {
			return no
		}
	}
	return yes
}

// continuesIndented is continues for blocks with indented content.
func (d *divider) continuesIndented(indent int) lineResult {
	switch {
	case d.Indent() >= indent:
		d.SkipColumns(indent)
	case d.Blank():
		d.SkipBlank()
	default:
		return no
	}
	return yes
}

func (d *divider) continuesCode(b *block, number int) lineResult {
	if !b.fenced {
		return d.continuesIndented(4)
	}
	if m := markOf(b); b.marker == '%' && (m == nil && dialect.EndsHighlight(d.Text[d.Offset:]) || m != nil && (m.Ends == nil && strings.Contains(d.Ahead(), m.End) || m.Ends != nil && m.Ends(d.Ahead()))) {
		d.closeTo(number - 1)
		return lineDone
	}
	if ahead := d.dialect.WithoutRaw(d.Ahead()); !d.tooFar() && ahead != "" && ahead[0] == b.marker && b.marker != '%' {
		run := inline.RunLength(ahead, b.marker)
		if run >= b.length && strings.Trim(ahead[run:], " \t") == "" {
			d.closeTo(number - 1)
			return lineDone
		}
	}
	d.SkipColumns(b.indent)
	return yes
}

// tooFar reports whether the line is indented like code. MDX has no indented code, since
// children of components may be indented.
func (d *divider) tooFar() bool { return !d.mdx && d.Indent() >= 4 }
