package inline

import "strings"

// ScanModule returns the width of the imports and exports of MDX that s starts
// with, up to the next blank line outside brackets; 0 when s starts with none.
func ScanModule[T Text](s T, scan *Budget) int {
	if !StartsModule(s) {
		return 0
	}
	depth, first := 0, -1 // first is where the first blank line starts
	s = s[:min(len(s), MaxExpression)]
	i := 0
	for i < len(s) && !scan.Spent() {
		line := s[i:]
		if end := indexByte(line, '\n'); end >= 0 {
			line = line[:end+1]
		}
		if Spaces(line) == len(line) {
			if depth <= 0 {
				break
			}
			if first < 0 {
				first = i
			}
		}
		for k := range len(line) {
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
		scan.Spend(i)
		i = first
	}
	return i
}

// StartsModule reports whether MDX sees a statement at the start of s and not a
// sentence.
func StartsModule[T Text](s T) bool {
	if !hasPrefix(s, "import") && !hasPrefix(s, "export ") {
		return false
	}
	start := string(s[:min(len(s), 256)])
	if rest, ok := strings.CutPrefix(start, "import"); ok {
		return startsImport(rest)
	}
	rest := strings.TrimPrefix(start, "export ")
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
	n := 0
	for n < len(trimmed) && (IsLetter(trimmed[n]) || IsDigit(trimmed[n]) || trimmed[n] == '_' || trimmed[n] == '$') {
		n++
	}
	if n == 0 || len(trimmed) == len(s) {
		return false
	}
	after := strings.TrimLeft(trimmed[n:], " ")
	if after, ok := strings.CutPrefix(after, ","); ok {
		after = strings.TrimLeft(after, " \r\n")
		return after != "" && (after[0] == '{' || after[0] == '*')
	}
	after, ok := strings.CutPrefix(after, "from")
	after = strings.TrimLeft(after, " ")
	return ok && after != "" && (after[0] == '"' || after[0] == '\'')
}
