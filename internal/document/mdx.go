package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// takeLines makes a block of the source matched by scan, if nothing follows it on its last
// line.
func (d *divider) takeLines(matched int, scan func(string) int, make func(start, end int) block) lineResult {
	start := d.TextPos()
	width := scan(d.source[start:])
	if width == 0 {
		return no
	}
	end := start + width
	last := end + inline.Blanks(d.source[end:])
	if last < len(d.source) && d.source[last] != '\n' {
		d.scan.Spend(width)
		return no
	}
	d.pos = min(last+1, len(d.source))
	content := make(start, end)
	content.pos = start
	return d.addLeaf(matched, content, segment{start: start, end: end})
}

// startTag parses MDX tags on a separate line; the last one may span lines. The content of
// tags needs no block: it is parsed as if there were no tags and nested later. A tag with
// text on its line belongs to a paragraph.
func (d *divider) startTag(matched int, ahead string) lineResult {
	if strings.HasPrefix(ahead, "<!--") { // which MDX of some generators allows
		d.nest(matched, htmlBlock)
		d.push(block{kind: htmlBlock, length: inline.HTMLComment, pos: d.TextPos()})
		return yes
	}
	return d.takeLines(matched, func(s string) int {
		if width := d.program(s); width > 0 {
			return width
		}
		total := 0
		for {
			gap := inline.Blanks(s[total:])
			if total+gap == len(s) || s[total+gap] != '<' {
				return total
			}
			_, width := inline.ScanTag(s[total+gap:], true, &d.scan)
			if width == 0 {
				return total
			}
			total += gap + width
		}
	}, func(int, int) block { return block{kind: tagBlock} })
}

// startExpression parses an MDX expression, such as a comment, on separate lines.
func (d *divider) startExpression(matched int) lineResult {
	return d.takeLines(matched,
		func(s string) int { return inline.ScanExpression(s, &d.scan) },
		func(int, int) block { return block{kind: expressionBlock} })
}

// program returns the width of a script or style element, or 0.
func (p *parser) program(s string) int {
	t, width := inline.ScanTag(s, true, &p.scan)
	if width == 0 || t.Closing || t.SelfClosing || t.Name != "script" && t.Name != "style" {
		return 0
	}
	end := strings.Index(s[width:], "</"+t.Name+">")
	if end < 0 {
		p.scan.Spend(len(s))
		return 0
	}
	return width + end + len("</>") + len(t.Name)
}

// tagRun adds the tags of a tag line.
func (p *parser) tagRun(b *block, a *assembler) {
	source := p.sourceOf(b)
	s := source.text
	unbounded := inline.NewBudget(len(s)) // the scan has succeeded before
	for offset := 0; offset < len(s); {
		offset += inline.Spaces(s[offset:])
		if width := p.program(s[offset:]); width > 0 {
			p.notice(ElementOmitted, source.at(offset), s[offset:])
			offset += width
			continue
		}
		t, width := scanTag(s[offset:], true, &unbounded, source.at(offset))
		if width == 0 {
			return
		}
		p.showTag(&t)
		a.tag(&t, false)
		offset += width
	}
}

// startFormula parses display mathematics.
func (d *divider) startFormula(matched int) lineResult {
	mark, behind := 0, 0
	return d.takeLines(matched, func(s string) (width int) {
		width, mark, behind = inline.Formula(s, d.dialect != nil && d.dialect.Python, &d.scan)
		return width
	}, func(start, end int) block {
		text := inline.FormulaLines(d.source, start, end-behind, mark)
		return block{kind: readyBlock, info: strings.Trim(d.source[end-behind:end], " \t()"), own: &Code{at: atPos(start), Language: "math", Label: "Math", Text: text, First: 1}}
	})
}

func (d *divider) startHTML(matched int, ahead string) lineResult {
	kind := inline.HTMLStart(ahead)
	if kind == inline.HTMLTag {
		t, width := inline.ScanTag(ahead, false, &d.scan)
		if width == 0 || strings.TrimSpace(ahead[width:]) != "" || d.dialect != nil && d.dialect.Divs && element.ClassOf(strings.ToLower(t.Name)) == element.Phrasing {
			kind = 0
		}
		if d.tip().kind == paragraphBlock {
			kind = 0 // this kind cannot interrupt a paragraph
		}
	}
	if kind == 0 {
		return no
	}
	if d.dialect != nil && d.dialect.Divs && kind == inline.HTMLElement {
		if width := dialect.HoldsMarkdown(ahead); width > 0 {
			d.addLeaf(matched, block{kind: htmlBlock, length: kind, pos: d.TextPos()}, segment{start: d.TextPos(), end: d.TextPos() + width})
			d.SkipMark(width)
			return yes
		}
	}
	d.nest(matched, htmlBlock)
	d.push(block{kind: htmlBlock, length: kind, pos: d.TextPos()})
	return yes
}

// elementEnds reports whether a line closes the first element of an HTML block; in some
// dialects Markdown continues after it.
func (d *divider) elementEnds(b *block, line string) bool {
	if d.dialect == nil || !d.dialect.Divs || b.length != inline.HTMLElement {
		return false
	}
	b.level += dialect.Opens(line, d.source[b.pos:])
	return b.level <= 0
}

// inElement reports whether a blank line is inside an unclosed element, where the next line
// would otherwise become code.
func (d *divider) inElement(b *block) bool {
	if b.length != inline.HTMLElement || b.level <= 0 {
		return false
	}
	ahead := strings.TrimLeft(d.source[d.pos:min(len(d.source), d.pos+200)], "\n")
	return len(ahead)-len(strings.TrimLeft(ahead, " ")) >= 4 || strings.HasPrefix(ahead, "\t")
}

func (p *parser) html(b *block, a *assembler) {
	source := p.sourceOf(b)
	switch b.length {
	case inline.HTMLComment: // text may follow it on its last line
		if end := strings.Index(source.text, "-->"); end >= 0 {
			a.markup(source.from(end + len("-->")))
		}
	case inline.HTMLInstruction, inline.HTMLDeclaration, inline.HTMLCDATA, inline.KramdownComment, inline.LiquidComment:
	case inline.KramdownHTML:
		source.text = source.text[:max(0, strings.LastIndex(source.text, "{:/"))]
		a.markup(source)
	default:
		a.markup(source)
	}
}
