package inline

import "strings"

// codeEnd returns the offset behind the code at the start of a text, or behind its
// backquotes if there is none; 0 with strict, or without backquotes.
func codeEnd(s string, strict bool) int {
	run := RunLength(s, '`')
	if strict || run == 0 {
		return 0
	}
	for i := run; i < len(s); i++ {
		if n := RunLength(s[i:], '`'); n == run {
			return i + n
		} else if n > 0 {
			i += n - 1
		}
	}
	return run
}

// CountCells returns the number of cells in a row. Code contains no pipes if strict, as
// in GitHub.
func CountCells(line string, strict bool) int {
	line = strings.TrimPrefix(line, "|")
	cells, last := 0, 0
	for i := 0; i < len(line); i++ {
		if end := codeEnd(line[i:], strict); end > 0 {
			i += end - 1
		} else if line[i] == '\\' {
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
func CutCell(line string, strict bool) (cell string, width int, escaped bool) {
	for i := 0; i < len(line); i++ {
		if end := codeEnd(line[i:], strict); end > 0 {
			escaped = escaped || strings.Contains(line[i:i+end], `\|`)
			i += end
			if i >= len(line) {
				break
			}
		}
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

// Delimiters returns what a line of delimiters says of each column: 1 for a colon on
// the left, 2 for one on the right, 3 for both. It is nil for other lines; one of
// hyphens alone underlines a heading.
func Delimiters[A ~uint8](line string) (columns []A) {
	if line == "" || strings.IndexByte("|:-", line[0]) < 0 || strings.IndexByte(line, '|') < 0 && strings.IndexByte(line, ':') < 0 {
		return nil
	}
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	for line != "" {
		cell, rest, more := strings.Cut(line, "|")
		cell = strings.Trim(cell, " \t")
		cell, left := strings.CutPrefix(cell, ":")
		cell, right := strings.CutSuffix(cell, ":")
		if cell == "" || RunLength(cell, '-') != len(cell) || more && rest == "" {
			return nil
		}
		var sides A
		if left {
			sides = 1
		}
		if right {
			sides |= 2
		}
		columns = append(columns, sides)
		line = rest
	}
	return columns
}
