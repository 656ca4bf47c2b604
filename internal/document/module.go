package document

import (
	"maps"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/literal"
)

// startModule parses MDX imports and exports up to the next blank line outside of brackets,
// and reports whether there were any. They render nothing; constants with literal values
// can be used in expressions.
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

// continued reports whether an unindented line without markers continues an open block.
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

func (p *parser) module(statements string, at Pos) {
	whole := plainSource(statements, at)
	p.addRange(Range{Kind: ModuleRange, Start: at, End: at + Pos(len(statements))}, &whole, 0, statements)
	for offset := 0; offset < len(statements); {
		line := inline.FirstLine(statements[offset:])
		switch {
		case strings.HasPrefix(line, "import"):
			if name, file := element.ImportText(line); name != "" {
				text, _, _ := p.file(dialect.File{Name: file}, &tag{text: line, pos: at + Pos(offset)})
				p.define(name, text)
			} else if name, file := element.Import(line); name != "" {
				p.imports[name] = file
				p.notice(ImportOmitted, at+Pos(offset), line)
			} else if !element.ImportsComponents(statements[offset:]) { // unknown ones have a notice where they are used
				p.notice(ImportOmitted, at+Pos(offset), line)
			}
			p.addImportRange(line, at+Pos(offset))
		case strings.HasPrefix(line, "export "):
			if name, value, width := literal.Exported(statements[offset:], p.values); width > 0 {
				p.define(name, value)
				offset += width - len(line) // its value may contain lines that look like statements
			} else {
				p.notice(ExportOmitted, at+Pos(offset), line)
			}
		}
		offset += len(line) + 1
	}
}

// define makes a constant, as "export const name = literal" does.
func (p *parser) define(name string, value any) {
	values := map[string]any{}
	maps.Copy(values, p.values)
	p.values, values[name] = values, value
}
