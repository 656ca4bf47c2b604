package inline

import "strings"

// ScanModule returns the width of MDX imports and exports at the start of s, up to the next blank
// line outside of brackets, or 0.
func ScanModule(s string, scan *Budget) int {
	if !StartsModule(s) {
		return 0
	}
	depth, first := 0, -1 // first is the offset of the first blank line
	s = s[:min(len(s), MaxExpression)]
	var skip skipper
	i := 0
	for i < len(s) && !scan.Spent() {
		if (i == 0 || s[i-1] == '\n') && startsBlank(s[i:]) {
			if depth <= 0 {
				break
			}
			if first < 0 {
				first = i
			}
		}
		switch s[i] {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			depth--
		}
		i += 1 + skipped(&skip, s, i)
	}
	if depth > 0 && first >= 0 { // unclosed: end early so that less text is lost
		scan.Spend(i)
		i = first
	}
	return i
}

func startsBlank(s string) bool {
	for i := range len(s) {
		if s[i] == '\n' {
			return true
		}
		if !IsBlank(s[i]) && s[i] != '\r' {
			return false
		}
	}
	return true
}

// skipper remembers which strings and comments are unterminated, to search only once.
type skipper struct{ template, comment bool }

// skipped returns how many bytes after i are not code: the rest of a string or comment that
// starts at i, or an escaped quote. // is a comment unless it is in an address.
func skipped(k *skipper, s string, i int) int {
	rest := s[i:]
	switch s[i] {
	case '"', '\'':
		return Quoted(rest)
	case '`':
		if k.template {
			return 0
		}
		n := Quoted(rest)
		k.template = n == 0
		return n
	case '\\':
		if len(rest) > 1 && (rest[1] == '"' || rest[1] == '\'' || rest[1] == '`') {
			return 1
		}
	case '/':
		switch {
		case strings.HasPrefix(rest, "/*") && !k.comment:
			if end := strings.Index(rest[2:], "*/"); end >= 0 {
				return end + 3
			}
			k.comment = true
		case strings.HasPrefix(rest, "//") && (i == 0 || s[i-1] <= ' ' || s[i-1] == '{' || s[i-1] == ';' || s[i-1] == ','):
			if end := strings.IndexByte(rest, '\n'); end >= 0 {
				return end - 1 // ends in white space itself
			}
			return len(rest) - 1
		}
	}
	return 0
}

// StartsModule reports whether s starts with an MDX statement rather than a sentence.
func StartsModule(s string) bool {
	if !strings.HasPrefix(s, "import") && !strings.HasPrefix(s, "export ") {
		return false
	}
	start := s[:min(len(s), 256)]
	if rest, ok := strings.CutPrefix(start, "import"); ok {
		return startsImport(rest)
	}
	return startsExport(strings.TrimLeft(strings.TrimPrefix(start, "export "), " "), len(start) < len(s))
}

// startsExport reports whether s continues as an export. A truncated text counts as one.
func startsExport(s string, cut bool) bool {
	word := s[:identifier(s)]
	rest := strings.TrimLeft(s[len(word):], " ")
	name := rest[:identifier(rest)]
	after := strings.TrimLeft(rest[len(name):], " ")
	if cut && after == "" {
		return true
	}
	begins := func(signs string, words ...string) bool {
		for _, w := range words {
			if strings.HasPrefix(after, w) {
				return true
			}
		}
		return after != "" && strings.IndexByte(signs, after[0]) >= 0
	}
	switch word {
	case "":
		return strings.HasPrefix(s, "{") || strings.HasPrefix(s, "*") && isFrom(s[1:])
	case "const", "let", "var":
		return name == "" && begins("{[") || name != "" && (after == "" || begins("=:,;\r\n"))
	case "function":
		return begins("(<*")
	case "async":
		return name == "function"
	case "class":
		return name != "" && begins("{<", "extends ", "implements ")
	case "default":
		switch name {
		case "":
			return after != "" && !begins(",.;:!?)")
		case "function", "class", "async", "new", "await", "typeof":
			return true
		}
		isMember := len(after) > 1 && after[0] == '.' && IsLetter(after[1])
		return after == "" || isMember || begins(";(=<{[?`/\r\n")
	}
	return false
}

// isFrom reports whether a module or an alias follows a star.
func isFrom(s string) bool {
	s = strings.TrimLeft(s, " ")
	return strings.HasPrefix(s, "from") || strings.HasPrefix(s, "as ")
}

// identifier returns the length of the name at the start of s.
func identifier(s string) int {
	n := 0
	for n < len(s) && (IsLetter(s[n]) || IsDigit(s[n]) || s[n] == '_' || s[n] == '$') {
		n++
	}
	return n
}

// endsImport reports whether s is a string that no sentence follows.
func endsImport(s string) bool {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return false
	}
	n := Quoted(s)
	if n == 0 {
		return false
	}
	after := strings.TrimLeft(s[n+1:], " \t")
	return after == "" || strings.IndexByte(";\r\n/", after[0]) >= 0 || strings.HasPrefix(after, "with ") || strings.HasPrefix(after, "assert ")
}

// startsImport reports whether s continues as an import: import 'a', import {a}, import * as a,
// import a from 'b' or import a, {b}.
func startsImport(s string) bool {
	trimmed := strings.TrimLeft(s, " ")
	if trimmed == "" {
		return false
	}
	switch trimmed[0] {
	case '{':
		return true
	case '*':
		return strings.HasPrefix(strings.TrimLeft(trimmed[1:], " "), "as ")
	case '"', '\'':
		return endsImport(trimmed)
	}
	n := identifier(trimmed)
	if n == 0 || len(trimmed) == len(s) {
		return false
	}
	after := strings.TrimLeft(trimmed[n:], " ")
	if after, ok := strings.CutPrefix(after, ","); ok {
		after = strings.TrimLeft(after, " \r\n")
		return after != "" && (after[0] == '{' || after[0] == '*')
	}
	after, ok := strings.CutPrefix(after, "from")
	return ok && endsImport(strings.TrimLeft(after, " "))
}
