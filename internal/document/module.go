package document

import (
	"maps"
	"strings"

	gmast "github.com/yuin/goldmark/ast"
	gmparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// modules takes imports and exports of MDX at the start of a line, up to the
// next blank line outside brackets. They show nothing; a constant that is a
// literal can be named by expressions.
type modules struct {
	lines
	p *parser
}

func (modules) Trigger() []byte             { return []byte{'i', 'e'} }
func (modules) CanInterruptParagraph() bool { return false }
func (modules) CanAcceptIndentedLine() bool { return false }

func (m modules) Open(parent gmast.Node, reader text.Reader, pc gmparser.Context) (gmast.Node, gmparser.State) {
	if parent.Kind() != gmast.KindDocument || pc.BlockOffset() != 0 {
		return nil, gmparser.NoChildren
	}
	source, start := m.p.ahead(reader, pc)
	width := inline.ScanModule(source, &m.p.scan)
	if width == 0 {
		return nil, gmparser.NoChildren
	}
	statement := strings.TrimRight(source[:width], " \t\n")
	m.p.module(statement, Pos(start))
	m.p.jump(reader, start, start+len(statement))
	return &extra{}, gmparser.NoChildren
}

// module records a run of statements.
func (p *parser) module(statements string, at Pos) {
	for offset := 0; offset < len(statements); {
		line := firstLine(statements[offset:])
		switch {
		case strings.HasPrefix(line, "import"):
			p.notice(ImportOmitted, at+Pos(offset), line)
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
	r := literalReader{rest: rest, values: p.values}
	r.skip()
	name := r.identifier()
	if name == "" || !r.take('=') {
		return 0
	}
	value, ok := r.value(0)
	after := firstLine(r.rest)
	if !ok || strings.Trim(after, " \t;") != "" {
		return 0
	}
	p.values = maps.Clone(p.values)
	if p.values == nil {
		p.values = map[string]any{}
	}
	p.values[name] = value
	return len(statement) - len(r.rest) + len(after)
}
