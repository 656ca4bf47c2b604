package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

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
	default:
		a.markup(source)
	}
}
