package markdown

import (
	"bytes"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// start tries to open a block at the current place of the line; matched is the
// number of open blocks that the line continues. What it opens it closes again
// if the block ends with the line.
func (p *blockParser) start(matched int) lineResult {
	if p.blank() {
		return no
	}
	if p.tooFar() {
		return p.startIndented(matched)
	}
	container := p.open[matched-1]
	ahead := p.ahead()
	switch c := ahead[0]; c {
	case '>':
		return p.startQuote(matched)
	case '#':
		return p.startHeading(matched, ahead)
	case '`', '~':
		return p.startFence(matched, ahead)
	case '<':
		if p.mdx {
			return p.startTag(matched)
		}
		return p.startHTML(matched, ahead)
	case '{':
		if p.mdx {
			return p.startExpression(matched)
		}
	case '[':
		return p.startFootnote(matched, ahead)
	case '=', '-', '_', '*', '+', '|', ':':
		if container.kind == paragraphBlock {
			if p.startTable(container, ahead) || p.underline(container, ahead) {
				return lineDone
			}
		}
		if isRule(ahead) {
			return p.addLeaf(matched, block{kind: ruleBlock})
		}
		return p.startItem(matched, ahead)
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return p.startItem(matched, ahead)
	}
	return no
}

// nest closes what the line does not continue, and what cannot hold a block of
// this kind, and reports whether one more may be opened.
func (p *blockParser) nest(matched int, kind blockKind) bool {
	if kind.container() && matched+1 >= maxOpen {
		return false
	}
	p.closeTo(matched - 1)
	for !p.tip().holds(kind) {
		p.closeTo(len(p.open) - 2)
	}
	return true
}

// addLeaf adds a block that ends with its line.
func (p *blockParser) addLeaf(matched int, b block) lineResult {
	p.nest(matched, b.kind)
	p.tip().add(p.make(b))
	return lineDone
}

func (p *blockParser) startIndented(matched int) lineResult {
	if p.tip().kind == paragraphBlock || p.open[matched-1].kind == tableBlock {
		return no // an indented line interrupts neither
	}
	p.nest(matched, codeBlock)
	p.skipColumns(4)
	p.push(block{kind: codeBlock})
	return yes
}

func (p *blockParser) startQuote(matched int) lineResult {
	if !p.nest(matched, quoteBlock) {
		return no
	}
	p.skipBlank()
	p.skipBytes(1)
	p.skipColumns(1)
	p.push(block{kind: quoteBlock})
	return yes
}

func (p *blockParser) startHeading(matched int, ahead []byte) lineResult {
	level := inline.RunLength(ahead, '#')
	text := ahead[level:]
	if level > 6 || len(text) > 0 && text[0] != ' ' && text[0] != '\t' {
		return no
	}
	text = bytes.Trim(text, " \t")
	if body := bytes.TrimRight(text, "#"); len(body) == 0 || inline.IsBlank(body[len(body)-1]) {
		text = bytes.TrimRight(body, " \t") // a closing sequence
	}
	return p.addLeaf(matched, block{kind: headingBlock, level: level, text: text})
}

// underline makes the open paragraph a heading when the line underlines it.
func (p *blockParser) underline(paragraph *block, ahead []byte) bool {
	c := ahead[0]
	if c != '=' && c != '-' || len(bytes.Trim(ahead[inline.RunLength(ahead, c):], " \t")) > 0 {
		return false
	}
	text := bytes.TrimRight(p.references.Define(paragraph.text, &p.scan), " \t\n")
	if len(text) == 0 {
		return false
	}
	level := 1
	if c == '-' {
		level = 2
	}
	paragraph.kind, paragraph.level, paragraph.text = headingBlock, level, text
	p.open = p.open[:len(p.open)-1]
	return true
}

func (p *blockParser) startFence(matched int, ahead []byte) lineResult {
	length := inline.RunLength(ahead, ahead[0])
	info := bytes.Trim(ahead[length:], " \t")
	if length < 3 || ahead[0] == '`' && bytes.IndexByte(info, '`') >= 0 {
		return no
	}
	indent := p.indent()
	p.nest(matched, codeBlock)
	p.push(block{kind: codeBlock, fenced: true, marker: ahead[0], length: length, indent: indent, info: info})
	return lineDone
}

// isRule reports whether a line draws a thematic break.
func isRule(line []byte) bool {
	c, marks := line[0], 0
	if c != '-' && c != '_' && c != '*' {
		return false
	}
	for _, b := range line {
		if b == c {
			marks++
		} else if !inline.IsBlank(b) {
			return false
		}
	}
	return marks >= 3
}

// maxFootnoteLabel bounds the label of a footnote in bytes.
const maxFootnoteLabel = 1000

// startFootnote opens the definition of a footnote, "[^label]:".
func (p *blockParser) startFootnote(matched int, ahead []byte) lineResult {
	if len(ahead) < 5 || ahead[1] != '^' || p.open[matched-1].kind == paragraphBlock {
		return no
	}
	end := bytes.IndexByte(ahead[:min(len(ahead), maxFootnoteLabel)], ']')
	if end < 3 || end+1 >= len(ahead) || ahead[end+1] != ':' || bytes.ContainsAny(ahead[2:end], " \t[") {
		return no
	}
	label := inline.FoldLabel(ahead[2:end])
	if !p.nest(matched, footnoteBlock) {
		return no
	}
	if p.footnotes == nil {
		p.footnotes = map[string]bool{}
	}
	p.footnotes[label] = true
	p.skipBlank()
	p.skipBytes(end + 2)
	p.push(block{kind: footnoteBlock})
	return yes
}

// startItem opens a list item, and its list unless the line continues one.
func (p *blockParser) startItem(matched int, ahead []byte) lineResult {
	marker, width, number := listMarker(ahead)
	if width == 0 {
		return no
	}
	container := p.open[matched-1]
	rest := ahead[width:]
	if container.kind == paragraphBlock && (len(bytes.Trim(rest, " \t")) == 0 || number != 1) {
		return no
	}
	if !p.nest(matched, itemBlock) {
		return no
	}
	indent := p.indent()
	p.skipBlank()
	p.skipBytes(width)
	p.find()
	padding := p.indent()
	if padding < 1 || padding > 4 || p.blank() {
		padding = 1
	}
	p.skipColumns(padding)
	if p.tip().kind == listBlock && p.tip().marker != marker {
		p.closeTo(len(p.open) - 2)
	}
	if p.tip().kind != listBlock {
		p.push(block{kind: listBlock, marker: marker, length: number})
	}
	p.push(block{kind: itemBlock, indent: indent + width + padding})
	return yes
}

// listMarker returns the kind, the width and the number of the list marker
// that a line starts with; the width is 0 when there is none. The number of a
// bullet is 1: other numbers do not interrupt a paragraph.
func listMarker(ahead []byte) (marker byte, width, number int) {
	marker, number = ahead[0], 1
	switch {
	case marker == '-' || marker == '+' || marker == '*':
		width = 1
	case '0' <= marker && marker <= '9':
		number = 0
		for width < len(ahead) && width < 10 && '0' <= ahead[width] && ahead[width] <= '9' {
			number = number*10 + int(ahead[width]-'0')
			width++
		}
		if width > 9 || width == len(ahead) || ahead[width] != '.' && ahead[width] != ')' {
			return 0, 0, 0
		}
		marker = ahead[width]
		width++
	default:
		return 0, 0, 0
	}
	if width < len(ahead) && !inline.IsBlank(ahead[width]) {
		return 0, 0, 0
	}
	return marker, width, number
}
