package document

import (
	"maps"
	"strings"

	gmast "github.com/yuin/goldmark/ast"
	gmparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
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
	if !startsModule(source) {
		return nil, gmparser.NoChildren
	}
	width := m.p.moduleWidth(source)
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
			if !p.constant(statements[offset:]) {
				p.notice(ExportOmitted, at+Pos(offset), line)
			}
		}
		offset += len(line) + 1
	}
}

// constant takes the value of "export const name = literal".
func (p *parser) constant(statement string) bool {
	rest, ok := strings.CutPrefix(statement, "export const ")
	if !ok {
		return false
	}
	r := literalReader{rest: rest, values: p.values}
	r.skip()
	name := r.identifier()
	if name == "" || !r.take('=') {
		return false
	}
	value, ok := r.value(0)
	after := firstLine(r.rest)
	if !ok || strings.Trim(after, " \t;") != "" {
		return false
	}
	p.values = maps.Clone(p.values)
	if p.values == nil {
		p.values = map[string]any{}
	}
	p.values[name] = value
	return true
}

// moduleWidth returns the length of the statements that s starts with, of which
// each line ends in a line feed.
func (p *parser) moduleWidth(s string) int {
	depth, first := 0, -1 // first is where the first blank line starts
	s = s[:min(len(s), maxExpression)]
	i := 0
	for i < len(s) && p.scan.left >= 0 {
		line := s[i:]
		if end := strings.IndexByte(line, '\n'); end >= 0 {
			line = line[:end+1]
		}
		if strings.TrimSpace(line) == "" {
			if depth <= 0 {
				break
			}
			if first < 0 {
				first = i
			}
		}
		for k := 0; k < len(line); k++ {
			switch line[k] {
			case '{', '(', '[':
				depth++
			case '}', ')', ']':
				depth--
			}
		}
		i += len(line)
	}
	if depth > 0 && first >= 0 { // never closed: less of the text is lost so
		p.scan.spend(i)
		i = first
	}
	return i
}

// startsModule reports whether MDX sees a statement and not a sentence.
func startsModule(s string) bool {
	s = s[:min(len(s), 256)]
	if rest, ok := strings.CutPrefix(s, "import"); ok {
		return startsImport(rest)
	}
	rest, ok := strings.CutPrefix(s, "export ")
	if !ok {
		return false
	}
	for _, word := range []string{"const ", "let ", "var ", "function ", "function* ", "async ", "default ", "class ", "{", "*"} {
		if strings.HasPrefix(rest, word) {
			return true
		}
	}
	return false
}

// startsImport reports whether s goes on as an import does: import 'a',
// import {a}, import * as a, import a from 'b' or import a, {b}.
func startsImport(s string) bool {
	trimmed := strings.TrimLeft(s, " ")
	if trimmed == "" {
		return false
	}
	if strings.IndexByte("\"'{*", trimmed[0]) >= 0 {
		return true
	}
	r := literalReader{rest: trimmed}
	if r.identifier() == "" || len(trimmed) == len(s) {
		return false
	}
	after := strings.TrimLeft(r.rest, " ")
	if after, ok := strings.CutPrefix(after, ","); ok {
		after = strings.TrimLeft(after, " \n")
		return after != "" && (after[0] == '{' || after[0] == '*')
	}
	after, ok := strings.CutPrefix(after, "from")
	after = strings.TrimLeft(after, " ")
	return ok && after != "" && (after[0] == '"' || after[0] == '\'')
}
