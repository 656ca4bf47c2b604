package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// start tries to open a block at the cursor; matched is the number of continued blocks. A
// block that ends with the line is closed again.
func (d *divider) start(matched int) lineResult {
	if d.Blank() {
		return no
	}
	if d.dialect != nil || d.Ahead()[0] == '[' {
		if result := d.startMark(matched, d.Ahead()); result != no {
			return result
		}
	}
	if d.tooFar() {
		return d.startIndented(matched)
	}
	container := d.open[matched-1]
	ahead := d.Ahead()
	switch ahead[0] {
	case '>':
		return d.startQuote(matched)
	case '#':
		return d.startHeading(matched, ahead)
	case '`', '~':
		return d.startFence(matched, ahead)
	case '<':
		if d.dialect.IsShortcode(ahead) {
			return no
		}
		if d.mdx {
			return d.startTag(matched, ahead)
		}
		return d.startHTML(matched, ahead)
	case '{':
		if result := d.startBraces(matched, ahead); result != no {
			return result
		}
		if dialect.IsContents(ahead) {
			return d.startContents(matched, ahead)
		}
		if d.mdx {
			return d.startExpression(matched)
		}
	case '$', '\\':
		return d.startFormula(matched)
	case '[':
		if dialect.IsContents(ahead) {
			return d.startContents(matched, ahead)
		}
		return d.startFootnote(matched, ahead)
	case '=', '-', '_', '*', '+', '|', ':':
		if container.kind == paragraphBlock && (d.startTable(container, ahead) || d.underline(container, ahead)) {
			return lineDone
		}
		if inline.IsRule(ahead) {
			return d.addLeaf(matched, block{kind: ruleBlock, pos: d.TextPos()})
		}
		if ahead[0] == '*' && d.abbreviations.Add(ahead) {
			return d.addLeaf(matched, block{kind: emptyBlock, pos: d.TextPos()})
		}
		if ahead[0] == ':' {
			return d.startColon(matched, ahead)
		}
		return d.startItem(matched, ahead)
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return d.startItem(matched, ahead)
	}
	return no
}

func (d *divider) startIndented(matched int) lineResult {
	if d.tip().kind == paragraphBlock || d.open[matched-1].kind == tableBlock {
		return no // an indented line interrupts neither
	}
	d.nest(matched, codeBlock)
	d.SkipColumns(4)
	d.push(block{kind: codeBlock, pos: d.Start + d.Offset})
	return yes
}

func (d *divider) startQuote(matched int) lineResult {
	if !d.nest(matched, quoteBlock) {
		return no
	}
	d.push(block{kind: quoteBlock, pos: d.TextPos()})
	d.SkipMark(1)
	d.SkipColumns(1)
	return yes
}

func (d *divider) startHeading(matched int, ahead string) lineResult {
	level := inline.RunLength(ahead, '#')
	text := ahead[level:]
	if level > 6 || text != "" && !inline.IsBlank(text[0]) {
		return no
	}
	start := d.TextPos() + level + inline.Blanks(text)
	text = strings.Trim(text, " \t")
	if body := strings.TrimRight(text, "#"); body == "" || inline.IsBlank(body[len(body)-1]) {
		text = strings.TrimRight(body, " \t") // closing sequence
	}
	return d.addLeaf(matched, block{kind: headingBlock, level: level, pos: d.TextPos()}, segment{start: start, end: start + len(text)})
}

// underline makes the open paragraph a heading if the line is its underline.
func (d *divider) underline(paragraph *block, ahead string) bool {
	c := ahead[0]
	if c != '=' && c != '-' || strings.Trim(ahead[inline.RunLength(ahead, c):], " \t") != "" || !d.takeDefinitions(paragraph) {
		return false
	}
	paragraph.kind, paragraph.level = headingBlock, 1
	if c == '-' {
		paragraph.level = 2
	}
	d.open = d.open[:len(d.open)-1]
	return true
}

func (d *divider) startFence(matched int, ahead string) lineResult {
	length := inline.RunLength(ahead, ahead[0])
	info := strings.Trim(ahead[length:], " \t")
	if length < 3 || ahead[0] == '`' && strings.IndexByte(info, '`') >= 0 {
		return no
	}
	indent := d.Indent()
	d.nest(matched, codeBlock)
	d.push(block{kind: codeBlock, fenced: true, marker: ahead[0], length: length, indent: indent, info: info, pos: d.TextPos()})
	return lineDone
}

// startItem opens a list item, and a list unless one continues.
func (d *divider) startItem(matched int, ahead string) lineResult {
	marker, width, number := inline.ListMarker(ahead)
	if width == 0 {
		return no
	}
	if d.open[matched-1].kind == paragraphBlock && (strings.Trim(ahead[width:], " \t") == "" || number != 1) {
		return no
	}
	if !d.nest(matched, itemBlock) {
		return no
	}
	indent, pos := d.Indent(), d.TextPos()
	d.SkipMark(width)
	padding := d.Indent()
	if padding < 1 || padding > 4 || d.Blank() {
		padding = 1
	}
	d.SkipColumns(padding)
	if d.tip().kind == listBlock && d.tip().marker != marker {
		d.closeTo(len(d.open) - 2)
	}
	if d.tip().kind != listBlock {
		d.push(block{kind: listBlock, marker: marker, length: number, pos: pos})
	}
	d.push(block{kind: itemBlock, indent: d.dialect.Inside(indent + width + padding), pos: pos})
	return yes
}

// startColon opens an admonition or a description.
func (d *divider) startColon(matched int, ahead string) lineResult {
	if own, ok := d.admonition(ahead, d.TextPos()); ok {
		if !d.nest(matched, admonitionBlock) {
			return no
		}
		if own.Line {
			return d.addLeaf(len(d.open), block{kind: admonitionBlock, own: own, pos: d.TextPos()})
		}
		if own.mdx = d.mdx; own.Name == "v-pre" {
			d.mdx = false
		}
		d.push(block{kind: admonitionBlock, own: own, pos: d.TextPos()})
		return lineDone
	}
	if width := d.dialect.Field(ahead); width > 0 && d.open[matched-1].kind != paragraphBlock && matched+2 < maxOpen {
		d.nest(matched, definitionsBlock)
		start := d.TextPos() + 1
		d.addSegment(d.push(block{kind: definitionsBlock, pos: start}), segment{start: start, end: start + width - 2})
		d.push(block{kind: descriptionBlock, indent: 2, pos: d.TextPos()})
		d.SkipMark(width)
		d.SkipColumns(d.Indent())
		return yes
	}
	return d.startDescription(matched, ahead)
}

// startDescription opens a description, ": text", below a paragraph of terms or another
// description.
func (d *divider) startDescription(matched int, ahead string) lineResult {
	if d.Indent() > 3 || len(ahead) < 2 || !inline.IsBlank(ahead[1]) || matched+2 >= maxOpen {
		return no
	}
	if d.open[matched-1].kind == paragraphBlock {
		matched--
	}
	list := d.open[matched-1]
	known := list.kind == definitionsBlock
	if !known {
		list = list.last
	}
	remark := list != nil && list.kind == htmlBlock && list.length == inline.HTMLComment && d.dialect != nil && d.dialect.Divs
	if list == nil || list.kind != paragraphBlock && list.kind != definitionsBlock && !remark {
		return no
	}
	d.closeTo(matched - 1)
	if remark { // a comment instead of the term
		known = true
		d.push(block{kind: definitionsBlock, pos: d.TextPos()})
	}
	if list.kind == emptyBlock { // the paragraph had only link definitions
		return no
	}
	if !known {
		list.kind = definitionsBlock
		d.open = append(d.open, list)
	}
	d.push(block{kind: descriptionBlock, pos: d.TextPos(), indent: 1 + d.Indent()})
	d.SkipMark(1)
	padding := d.Indent()
	if d.Blank() {
		padding = 1
	} else if padding > 7 {
		padding = 5 // indented code follows
	}
	d.SkipColumns(padding)
	d.tip().indent += padding
	return yes
}
