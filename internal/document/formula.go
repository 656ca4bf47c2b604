package document

import "github.com/octavo-docs/octavo/internal/document/inline"

// startFormula takes mathematics on lines of its own.
func (d *divider) startFormula(matched int) lineResult {
	ends := 0
	return d.takeLines(matched, func(s string) (width int) {
		width, ends = inline.ScanFormula(s, &d.scan)
		return width
	}, func(start, end int) block {
		text := inline.FormulaLines(d.source, start, end, ends)
		return block{kind: readyBlock, own: &Code{at: atPos(start), Language: "math", Label: "Math", Text: text, First: 1}}
	})
}
