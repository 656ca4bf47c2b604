package markdown

import (
	"bytes"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// maxOpen bounds how deep blocks are nested; what would open deeper is text.
const maxOpen = 64

// blockParser builds the tree line by line, as the appendix of CommonMark
// describes: a line first continues the blocks that are open, then opens new
// ones, and what remains of it is text.
type blockParser struct {
	document
	cursor
	src   []byte
	pos   int      // in src, after the current line
	lf    int      // place of the next LF, see nextLine
	cr    int      // and of the next CR
	open  []*block // from the root to the innermost
	arena []byte   // text of all leaves; one leaf at a time grows
	scan  inline.Budget

	unused []block // allocated ahead, see make
}

func parse(content []byte, format Format) *document {
	p := &blockParser{
		src:      content,
		lf:       -1,
		cr:       -1,
		arena:    make([]byte, 0, len(content)+64),
		document: document{root: &block{}, references: inline.NewReferences[[]byte](len(content)), mdx: format == MDX, size: len(content)},
		scan:     inline.NewBudget(len(content)),
	}
	p.open = append(make([]*block, 0, 16), p.root)
	for p.pos < len(p.src) {
		if p.mdx && p.module() {
			continue
		}
		p.nextLine()
		p.incorporate()
	}
	p.closeTo(0)
	return &p.document
}

// nextLine moves the cursor to the next line of the source. A line ends in LF,
// CR or both; the next of each is remembered, so that none is sought twice.
func (p *blockParser) nextLine() {
	p.lf = seek(p.src, '\n', p.pos, p.lf)
	p.cr = seek(p.src, '\r', p.pos, p.cr)
	end := min(p.lf, p.cr)
	p.cursor = newCursor(p.src[p.pos:end])
	p.pos = min(end+1, len(p.src))
	if end == p.cr && p.lf == end+1 {
		p.pos++
	}
}

// seek returns the place of the next c at or after pos, or the end; known is
// the answer given before.
func seek(src []byte, c byte, pos, known int) int {
	if known >= pos {
		return known
	}
	if i := bytes.IndexByte(src[pos:], c); i >= 0 {
		return pos + i
	}
	return len(src)
}

func (p *blockParser) tip() *block { return p.open[len(p.open)-1] }

// incorporate adds the current line to the tree.
func (p *blockParser) incorporate() {
	matched := 1 // of the open blocks; the root always is
	for matched < len(p.open) {
		p.find()
		result := p.continues(p.open[matched])
		if result == lineDone {
			return
		}
		if result == no {
			break
		}
		matched++
	}
	lazy := matched < len(p.open) && p.tip().kind == paragraphBlock
	for p.find(); !p.open[matched-1].literal(); p.find() {
		result := p.start(matched)
		if result == lineDone {
			return
		}
		if result == no {
			break
		}
		lazy = false
		matched = len(p.open)
	}
	if lazy && !p.blank() {
		p.addText(p.tip())
		return
	}
	p.closeTo(matched - 1)
	p.addText(p.tip())
}

// addText adds what remains of the line to the block that it belongs to.
func (p *blockParser) addText(container *block) {
	switch container.kind {
	case codeBlock:
		p.addLine(container)
	case htmlBlock:
		p.addLine(container)
		if htmlEnds(container.length, p.line[p.offset:]) {
			p.closeTo(len(p.open) - 2)
		}
	case tableBlock:
		p.addRow(container)
	case paragraphBlock:
		p.skipBlank()
		p.addLine(container)
	default:
		if !p.blank() {
			p.nest(len(p.open), paragraphBlock)
			p.skipBlank()
			p.addLine(p.push(block{kind: paragraphBlock}))
		}
	}
}

// addLine adds the rest of the line to a leaf.
func (p *blockParser) addLine(leaf *block) {
	if p.inTab {
		for range 4 - p.column%4 {
			p.arena = append(p.arena, ' ')
		}
		p.offset++
	}
	p.arena = append(append(p.arena, p.line[p.offset:]...), '\n')
	leaf.text = p.arena[leaf.start:]
}

// make returns a block, of a batch that is allocated at once and is no larger
// than what is left to read may need.
func (p *blockParser) make(b block) *block {
	if len(p.unused) == 0 {
		p.unused = make([]block, min(32, 1+(len(p.src)-p.pos)/16))
	}
	made := &p.unused[0]
	p.unused = p.unused[1:]
	*made = b
	return made
}

// push opens a block inside the innermost one.
func (p *blockParser) push(content block) *block {
	b := p.make(content)
	b.start = len(p.arena)
	p.tip().add(b)
	p.open = append(p.open, b)
	return b
}

// closeTo closes open blocks from the innermost on until last is innermost.
func (p *blockParser) closeTo(last int) {
	for len(p.open)-1 > last {
		b := p.tip()
		p.open = p.open[:len(p.open)-1]
		p.finalize(b)
	}
}

// finalize completes a block that gets no more lines.
func (p *blockParser) finalize(b *block) {
	switch {
	case b.kind == paragraphBlock:
		b.text = bytes.TrimRight(p.references.Define(b.text, &p.scan), " \t\n")
		if len(b.text) == 0 {
			p.tip().dropLast()
		}
	case b.kind == codeBlock && !b.fenced:
		text := len(bytes.TrimRight(b.text, " \t\n"))
		b.text = b.text[:min(text+1, len(b.text))]
	}
}

// lineResult tells whether a line continues a block, or starts one.
type lineResult uint8

const (
	no lineResult = iota
	yes
	lineDone // yes, and nothing of the line is left
)

// continues reports whether the line continues an open block, and moves over
// the marks that say so.
func (p *blockParser) continues(b *block) lineResult {
	switch b.kind {
	case quoteBlock:
		if p.peek() != '>' || p.tooFar() {
			return no
		}
		p.skipBlank()
		p.skipBytes(1)
		p.skipColumns(1)
	case itemBlock:
		if p.blank() {
			if b.first == nil {
				return no
			}
			p.skipBlank()
		} else if p.indent() >= b.indent {
			p.skipColumns(b.indent)
		} else {
			return no
		}
	case footnoteBlock:
		if p.blank() {
			p.skipBlank()
		} else if p.indent() >= 4 {
			p.skipColumns(4)
		} else {
			return no
		}
	case codeBlock:
		return p.continuesCode(b)
	case htmlBlock:
		if p.blank() && b.length >= 6 {
			return no
		}
	case paragraphBlock, tableBlock:
		if p.blank() {
			return no
		}
	case headingBlock, ruleBlock, tagBlock, cellBlock, rowBlock:
		return no
	}
	return yes
}

func (p *blockParser) continuesCode(b *block) lineResult {
	if !b.fenced {
		if p.indent() >= 4 {
			p.skipColumns(4)
		} else if p.blank() {
			p.skipBlank()
		} else {
			return no
		}
		return yes
	}
	if !p.tooFar() && p.peek() == b.marker {
		run := inline.RunLength(p.ahead(), b.marker)
		if run >= b.length && len(bytes.TrimRight(p.ahead()[run:], " \t")) == 0 {
			p.closeTo(len(p.open) - 2)
			return lineDone
		}
	}
	p.skipColumns(b.indent)
	return yes
}

// tooFar reports whether the line is indented like code. In MDX indentation
// has no such meaning, since the children of components are indented freely.
func (p *blockParser) tooFar() bool { return !p.mdx && p.indent() >= 4 }
