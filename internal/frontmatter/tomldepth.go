package frontmatter

import "bytes"

// tooDeep reports whether brackets or dotted keys are nested deeper than MaxDepth. The
// library recurses without limit, so that hostile input could exhaust the stack. Strings
// and comments are skipped.
func tooDeep(text []byte) (line, column int, deep bool) {
	depth, dots := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '#':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case '"', '\'':
			i = stringEnd(text, i) - 1
		case '[', '{':
			depth++
			dots = 0
		case ']', '}':
			depth = max(depth-1, 0)
		case '.':
			dots++
		case '\n', '=', ',':
			dots = 0
		}
		if depth+dots > MaxDepth {
			line, column = position(text, i)
			return line, column, true
		}
	}
	return 0, 0, false
}

// stringEnd returns the end of the TOML string at i. An unclosed single-line string ends
// at its line; the parser reports it.
func stringEnd(text []byte, i int) int {
	quote := text[i : i+1]
	if triple := bytes.Repeat(quote, 3); bytes.HasPrefix(text[i:], triple) {
		quote = triple
	}
	for i += len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote[0] == '"':
			i++
		case bytes.HasPrefix(text[i:], quote):
			i += len(quote)
			for n := 0; n < 2 && len(quote) == 3 && i < len(text) && text[i] == quote[0]; n++ {
				i++ // """a"""" ends with a quote in the string
			}
			return i
		case text[i] == '\n' && len(quote) == 1:
			return i
		}
	}
	return len(text)
}
