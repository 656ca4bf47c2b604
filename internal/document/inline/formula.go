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

// Formula returns the width of mathematics on lines of its own, 0 where a text begins with
// none: between "$$" and "$$", behind which a label may stand, such as (a), or an
// environment of LaTeX. mark is the width of what stands around the mathematics.
func Formula(s string) (width, mark, behind int) {
	s = s[:min(len(s), MaxExpression)]
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

// FormulaLines returns what stands between the marks of mathematics on lines of its
// own, of a width, without what quotations and lists around it put before its lines.
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
