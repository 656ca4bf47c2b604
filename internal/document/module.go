package document

import (
	"maps"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/literal"
)

// startModule takes imports and exports of MDX at the start of a line, up to the
// next blank line outside brackets, and reports whether there were any. They
// show nothing; a constant that is a literal can be named by expressions.
func (d *divider) startModule() bool {
	source := d.source[d.pos:]
	if !inline.StartsModule(source) || d.continued() {
		return false
	}
	width := inline.ScanModule(source, &d.scan)
	if width == 0 {
		return false
	}
	d.Start = d.pos
	d.closeTo(0)
	d.module(strings.TrimRight(source[:width], " \t\n"), Pos(d.pos))
	d.pos += width
	return true
}

// continued reports whether a line that is not indented and has no marks belongs
// to a block that is open.
func (d *divider) continued() bool {
	for _, b := range d.open {
		switch b.kind {
		case quoteBlock, itemBlock, footnoteBlock, descriptionBlock:
			return d.tip().kind == paragraphBlock
		case admonitionBlock, paragraphBlock, tableBlock, codeBlock, htmlBlock:
			return true
		}
	}
	return false
}

// module records a run of statements.
func (p *parser) module(statements string, at Pos) {
	whole := plainSource(statements, at)
	p.addPlace(Place{Kind: ModulePlace, Start: at, End: at + Pos(len(statements))}, &whole, 0, statements)
	for offset := 0; offset < len(statements); {
		line := firstLine(statements[offset:])
		switch {
		case strings.HasPrefix(line, "import"):
			p.notice(ImportOmitted, at+Pos(offset), line)
			p.includable(line)
			p.placeImport(line, at+Pos(offset))
		case strings.HasPrefix(line, "export "):
			if width := p.constant(statements[offset:]); width > 0 {
				offset += width - len(line) // its value may have lines that look like statements
			} else {
				p.notice(ExportOmitted, at+Pos(offset), line)
			}
		}
		offset += len(line) + 1
	}
}

// constant takes the value of "export const name = literal", and returns the
// width of its lines; 0 is for what is none.
func (p *parser) constant(statement string) (width int) {
	rest, ok := strings.CutPrefix(statement, "export const ")
	if !ok {
		return 0
	}
	name, value, after, ok := literal.Constant(rest, p.values)
	line := firstLine(after)
	if !ok || strings.Trim(line, " \t;") != "" {
		return 0
	}
	p.values = maps.Clone(p.values)
	if p.values == nil {
		p.values = map[string]any{}
	}
	p.values[name] = value
	return len(statement) - len(after) + len(line)
}
