package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// startFormula takes mathematics between "$$" at the start of a line and "$$" at
// the end of one.
func (d *divider) startFormula(matched int) lineResult {
	return d.takeLines(matched, func(s string) int {
		s = s[:min(len(s), inline.MaxExpression)]
		if !strings.HasPrefix(s, "$$") {
			return 0
		}
		last := strings.Index(s[2:], "$$")
		if last <= 0 || strings.Contains(s[:2+last], "\n\n") {
			return 0
		}
		return last + 4
	}, func(start, end int) block {
		text := inline.FormulaLines(d.source, start, end)
		return block{kind: readyBlock, own: &Code{at: atPos(start), Language: "math", Label: "Math", Text: text, First: 1}}
	})
}
