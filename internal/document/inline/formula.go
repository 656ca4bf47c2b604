package inline

import (
	"strings"
	"unicode"
)

// formula returns the width of inline mathematics, $x$ or $$x$$, or of the dollar signs if they
// are not mathematics, as in prices and shell variables. Its content is literal.
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

// bracketed returns the width of LaTeX mathematics, \(x\) or \[x\], with one or two
// backslashes, at the start of a text. Escaped brackets contain no command. With plain, they
// are those of mathematics around names and operators too.
func bracketed(s string, plain bool, scan *Budget) int {
	slashes := RunLength(s[:min(len(s), 3)], '\\')
	if slashes > 2 || len(s) <= slashes || s[slashes] != '(' && s[slashes] != '[' || scan.Spent() {
		return 0
	}
	end := s[:slashes] + ")"
	if s[slashes] == '[' {
		end = s[:slashes] + "]"
	}
	inside, _, found := strings.Cut(s[slashes+1:min(len(s), MaxExpression)], end)
	if !found || strings.IndexByte(inside, '`') >= 0 || strings.Contains(inside, "\n\n") || !isLaTeX(inside) && !(plain && isTerm(inside, s[slashes] == '(')) {
		scan.Spend(len(inside))
		return 0
	}
	return len(inside) + 2*len(end)
}

// isLaTeX reports whether a text has a command, a power or a long index.
func isLaTeX(s string) bool {
	for i := 0; i < len(s)-1; i++ {
		switch {
		case s[i] == '^' || s[i] == '_' && s[i+1] == '{' || s[i] == '\\' && IsLetter(s[i+1]):
			return true
		case s[i] == '\\':
			i++ // an escaped character
		}
	}
	return false
}

// isTerm reports whether a text has an operator and short words, or, if one is enough, is a
// letter.
func isTerm(s string, letter bool) bool {
	if word := strings.TrimSpace(s); len(word) == 1 {
		return letter && IsLetter(word[0])
	}
	for i, run := 0, 0; i < len(s); i++ {
		if run++; !IsLetter(s[i]) {
			run = 0
		}
		if run > 3 {
			return false
		}
	}
	return strings.ContainsAny(s, "=_+*<>") && strings.ContainsFunc(s, unicode.IsLetter)
}

// Formula returns the width of display mathematics at the start of a text, or 0: between "$$" and
// "$$", optionally with a label (a), between \[ and \], see bracketed, or in a LaTeX environment. mark is
// the width of the delimiters, behind that of the label.
func Formula(s string, plain bool, scan *Budget) (width, mark, behind int) {
	s = s[:min(len(s), MaxExpression)]
	if s[0] == '\\' && !strings.HasPrefix(s, `\begin{`) {
		mark = RunLength(s, '\\') + 1
		if width = bracketed(s, plain, scan); width == 0 || s[mark-1] != '[' {
			return 0, 0, 0
		}
		return width, mark, 0
	}
	open, end := "$$", "$$"
	if name, found := strings.CutPrefix(s, `\begin{`); found {
		name, _, _ = strings.Cut(name, "}")
		open, end = "", `\end{`+name+"}"
	}
	last := strings.Index(s[min(len(s), len(open)):], end)
	if !strings.HasPrefix(s, open) || last <= 0 || strings.Contains(s[:len(open)+last], "\n\n") {
		return 0, 0, 0
	}
	width = len(open) + last + len(end)
	label, _, _ := strings.Cut(s[width:], "\n")
	if name := strings.TrimSpace(label); len(name) > 2 && name[0] == '(' && strings.IndexAny(name, ") ") == len(name)-1 {
		behind = len(label)
	}
	return width + behind, len(open), behind
}

// FormulaLines returns the content of display mathematics with delimiters of width mark,
// without the line prefixes of enclosing quotations and lists.
func FormulaLines(source string, start, end, mark int) string {
	before := source[strings.LastIndexByte(source[:start], '\n')+1 : start]
	lines := strings.Split(source[start+mark:end-mark], "\n")
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
