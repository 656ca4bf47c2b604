package inline

import "strings"

// formula returns the width of mathematics in a line, $x$ or $$x$$, at a place of
// a text, or of the dollars there if they open none, as in prices and in names of
// a shell. It is text in which no mark means anything.
func formula(s string, at int) int {
	dollars := RunLength(s[at:], '$')
	rest := s[at+dollars:]
	if dollars > 2 || rest == "" || at > 0 && (IsLetter(s[at-1]) || IsDigit(s[at-1])) {
		return dollars
	}
	for i := 0; i < len(rest) && rest[i] != '`'; i++ {
		switch rest[i] {
		case '\\':
			i++
		case '$':
			inside, after := rest[:i], rest[i+RunLength(rest[i:], '$'):]
			switch {
			case len(rest)-i-len(after) != dollars, i == 0,
				dollars == 1 && (Spaces(rest[:1]) > 0 || Spaces(rest[i-1:i]) > 0),
				after != "" && (IsLetter(after[0]) || IsDigit(after[0]) || after[0] == '{'),
				rest[0] == '{' && strings.IndexByte(inside, '\\') < 0,                                           // ${name} of programs
				IsDigit(rest[0]) && strings.IndexByte(inside, ' ') > 0 && !strings.ContainsAny(inside, "\\^_="): // prices
				return dollars
			case strings.IndexByte(inside, '\n') >= 0 && !strings.ContainsAny(inside, "\\^_"): // two prices
				return dollars
			}
			return 2*dollars + i
		}
	}
	return dollars
}

// bracketed returns the width of mathematics as LaTeX has it, \(x\) or \[x\], or with two
// backslashes each, which a text starts with. Brackets that are only escaped hold no command.
func bracketed(s string, scan *Budget) int {
	slashes := RunLength(s[:min(len(s), 3)], '\\')
	if slashes > 2 || len(s) <= slashes || s[slashes] != '(' && s[slashes] != '[' || scan.Spent() {
		return 0
	}
	end := s[:slashes] + ")"
	if s[slashes] == '[' {
		end = s[:slashes] + "]"
	}
	inside, _, found := strings.Cut(s[slashes+1:min(len(s), MaxExpression)], end)
	if !found || strings.IndexByte(inside, '`') >= 0 || strings.Contains(inside, "\n\n") || !isLaTeX(inside) {
		scan.Spend(len(inside))
		return 0
	}
	return len(inside) + 2*len(end)
}

// isLaTeX reports whether a text has a command, a power or an index of several letters.
func isLaTeX(s string) bool {
	for i := range max(0, len(s)-1) {
		if s[i] == '^' || s[i] == '_' && s[i+1] == '{' || s[i] == '\\' && IsLetter(s[i+1]) {
			return true
		}
	}
	return false
}

// ScanFormula returns the width of mathematics that may stand on lines of its own, between
// $$ and $$ or \[ and \], and of what is at each of its ends.
func ScanFormula(s string, scan *Budget) (width, end int) {
	if s = s[:min(len(s), MaxExpression)]; s[0] == '\\' {
		end = RunLength(s, '\\') + 1
		if width = bracketed(s, scan); width == 0 || s[end-1] != '[' {
			return 0, 0
		}
		return width, end
	}
	if !strings.HasPrefix(s, "$$") {
		return 0, 0
	}
	last := strings.Index(s[2:], "$$")
	if last <= 0 || strings.Contains(s[:2+last], "\n\n") {
		return 0, 0
	}
	return last + 4, 2
}

// FormulaLines returns what stands between the ends of mathematics on lines of its
// own, so wide, without what quotations and lists around it put before its lines.
func FormulaLines(source string, start, end, width int) string {
	before := source[strings.LastIndexByte(source[:start], '\n')+1 : start]
	lines := strings.Split(source[start+width:end-width], "\n")
	for i, line := range lines {
		if i == 0 {
			continue
		}
		n, quotes := 0, strings.Count(before, ">")
		for n < min(len(before), len(line)) && (IsBlank(line[n]) || line[n] == '>' && quotes > 0) {
			if line[n] == '>' {
				quotes--
			}
			n++
		}
		lines[i] = line[n:]
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n") + "\n"
}
