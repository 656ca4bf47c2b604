package inline

import "strings"

// CountCells returns the number of cells in a row.
func CountCells(line string) int {
	line = strings.TrimPrefix(line, "|")
	cells, last := 0, 0
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' {
			i++
		} else if line[i] == '|' {
			cells++
			last = i + 1
		}
	}
	if last < len(line) {
		cells++
	}
	return cells
}

// CutCell returns the first cell of a row and its width with the following pipe. escaped
// reports escaped pipes in the cell, also in code.
func CutCell(line string) (cell string, width int, escaped bool) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
			escaped = escaped || i < len(line) && line[i] == '|'
		case '|':
			return line[:i], i + 1, escaped
		}
	}
	return line, len(line), escaped
}
