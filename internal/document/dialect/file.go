package dialect

import (
	"regexp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// File is a file of the tree, or a part of it, to show instead of a mark.
type File struct {
	Name string // relative to the page or a folder above it
	Part string // lines as 3:5, several separated by semicolons, or a section name; "" for all

	Values attribute.List // a template of Jekyll shows these; HTML with other tags is not shown
}

// passed matches the output of a value that an include has passed.
var passed = regexp.MustCompile(`\{\{-?\s*include\.([\w-]+)\s*-?\}\}`)

// found completes a name. Only the tool knows the base of a name that begins with dots, so
// it is looked up in the folders above the page.
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

// Of returns the part of a text; ok is false if there is no section with that name.
func (f File) Of(text string) (part string, ok bool) {
	if f.Values != nil {
		text = passed.ReplaceAllStringFunc(text, func(m string) string { return f.Values.String(passed.FindStringSubmatch(m)[1]) })
		return text, reference.IsText(f.Name) || !strings.Contains(text, "{%") && !strings.Contains(text, "{{")
	}
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

// section returns the lines between section marks: [start:name] and [end:name] of PyMdown,
// ANCHOR: name and ANCHOR_END: name of mdBook, #region name and #endregion name of
// editors, /// [name] of Docsify.
func section(lines []string, name string) (string, bool) {
	var b strings.Builder
	inside, found := false, false
	for _, line := range lines {
		switch {
		case anchored(line, "/// [", name+"]") || anchored(line, "### [", name+"]"): // of Docsify
			inside, found = !inside, true
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

// number parses the number at the start of a text, 0 if there is none.
func number(s string) (n int, rest string) {
	for s != "" && inline.IsDigit(s[0]) && n < 1<<24 {
		n, s = n*10+int(s[0]-'0'), s[1:]
	}
	return n, s
}
