package document

import (
	"strings"

	gmast "github.com/yuin/goldmark/ast"
	gmparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// formulas takes mathematics between "$$" at the start of a line and "$$" at
// the end of one.
type formulas struct {
	lines
	p *parser
}

func (formulas) Trigger() []byte             { return []byte{'$'} }
func (formulas) CanAcceptIndentedLine() bool { return false }

func (f formulas) Open(_ gmast.Node, reader text.Reader, pc gmparser.Context) (gmast.Node, gmparser.State) {
	node, start, end := f.p.takeLines(reader, pc, func(s string) int {
		s = s[:min(len(s), inline.MaxExpression)]
		if !strings.HasPrefix(s, "$$") {
			return 0
		}
		last := strings.Index(s[2:], "$$")
		if last <= 0 || strings.Contains(s[:2+last], "\n\n") {
			return 0
		}
		return last + 4
	})
	if node == nil {
		return nil, gmparser.NoChildren
	}
	content := strings.Trim(f.p.source[start+2:end-2], "\n")
	node.own = &Code{at: atPos(start), Language: "math", Label: "Math", Text: content + "\n", First: 1}
	return node, gmparser.NoChildren
}
