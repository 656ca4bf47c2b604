package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// startFormula parses display mathematics.
func (d *divider) startFormula(matched int) lineResult {
	mark, behind := 0, 0
	return d.takeLines(matched, func(s string) (width int) {
		width, mark, behind = inline.Formula(s, &d.scan)
		return width
	}, func(start, end int) block {
		text := inline.FormulaLines(d.source, start, end-behind, mark)
		return block{kind: readyBlock, info: strings.Trim(d.source[end-behind:end], " \t()"), own: &Code{at: atPos(start), Language: "math", Label: "Math", Text: text, First: 1}}
	})
}
