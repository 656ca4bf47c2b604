package dialect

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// File is a file of the tree, or a part of it, whose text stands for a mark.
type File struct {
	Name string // as references have it: relative to the page or to a folder above it
	Part string // lines, 3:5, or several of such with semicolons, or the name of a section; "" for all
}

// found completes a name. Those that begin with dots count from a folder that
// only the tool knows, so they are looked for above the page.
func (f File) found(ok bool) (File, bool) {
	for {
		rest, dots := strings.CutPrefix(strings.TrimPrefix(f.Name, "./"), "../")
		f.Name = rest
		if !dots {
			break
		}
	}
	return f, ok && f.Name != "" && !strings.HasPrefix(f.Name, ";") && !strings.Contains(f.Name, "://")
}

// Of returns the part of a text that is meant; ok is false where it has none of
// that name.
func (f File) Of(text string) (part string, ok bool) {
	if f.Part == "" {
		return text, true
	}
	if one, others, several := strings.Cut(f.Part, ";"); several {
		part, ok = File{Part: one}.Of(text)
		rest, also := File{Part: others}.Of(text)
		return part + rest, ok && also
	}
	lines := strings.SplitAfter(text, "\n")
	first, rest := number(f.Part)
	if last, _ := number(strings.TrimLeft(rest, ":-,")); rest != f.Part || strings.HasPrefix(rest, ":") {
		if rest == "" {
			last = first
		}
		if last == 0 {
			last = len(lines)
		}
		first, last = max(first, 1), min(last, len(lines))
		if first > last {
			return "", false
		}
		return strings.Join(lines[first-1:last], ""), true
	}
	return section(lines, f.Part)
}

// section returns the lines between the marks of a section: [start:name] and
// [end:name] of PyMdown, ANCHOR: name and ANCHOR_END: name of mdBook, #region name
// and #endregion name of editors.
func section(lines []string, name string) (string, bool) {
	var b strings.Builder
	inside, found := false, false
	for _, line := range lines {
		switch {
		case strings.Contains(line, "[end:"+name+"]") || anchored(line, "ANCHOR_END:", name) || anchored(line, "#endregion ", name):
			inside = false
		case strings.Contains(line, "[start:"+name+"]") || anchored(line, "ANCHOR:", name) || anchored(line, "#region ", name):
			inside, found = true, true
		case inside && !strings.Contains(line, "ANCHOR") && !strings.Contains(line, scissors+" ["):
			b.WriteString(line)
		}
	}
	return b.String(), found
}

func anchored(line, mark, name string) bool {
	_, rest, found := strings.Cut(line, mark)
	return found && strings.TrimRight(strings.TrimSpace(rest), " -*/>") == name
}

// number reads the number that a text starts with, 0 for none.
func number(s string) (n int, rest string) {
	for s != "" && inline.IsDigit(s[0]) && n < 1<<24 {
		n, s = n*10+int(s[0]-'0'), s[1:]
	}
	return n, s
}
