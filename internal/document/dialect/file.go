package dialect

import (
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// File is a file of the tree, or a part of it, to show instead of a mark.
type File struct {
	Name string // relative to the page or a folder above it
	Part string // lines as 3:5, several separated by semicolons, or a section name; "" for all

	From, To      string // texts in the lines at which the part begins and ends; "" for all
	After, Before bool   // these lines do not belong to the part
	Section       bool   // Part may be the anchor of a heading, which with all below it is the part

	Values attribute.List // a template of Jekyll shows these; HTML with other tags is not shown
}

// maxFilled is the largest text that passed values may make, in bytes.
const maxFilled = 1 << 20

// passed matches the output of a value that an include has passed.
var passed = regexp.MustCompile(`\{\{-?\s*include\.([\w-]+)\s*-?\}\}`)

// Parts returns how many parts of the file are shown.
func (f File) Parts() int { return 1 + strings.Count(f.Part, ";") }

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

// Of returns the part of a text; ok is false if there is no section with that name, or if
// the template does more than show values, in which case part is still what these made.
func (f File) Of(text string) (part string, ok bool) {
	if f.Values != nil {
		size := len(text)
		text = passed.ReplaceAllStringFunc(text, func(m string) string {
			if size > maxFilled {
				return ""
			}
			value := f.Values.String(passed.FindStringSubmatch(m)[1])
			size += len(value)
			return value
		})
		return text, size <= maxFilled && (reference.IsText(f.Name) || !strings.Contains(text, "{%") && !strings.Contains(text, "{{"))
	}
	if f.From != "" || f.To != "" {
		if text, ok = f.between(text); !ok {
			return "", false
		}
	}
	if f.Part == "" {
		return text, true
	}
	lines := strings.SplitAfter(text, "\n")
	if strings.Contains(f.Part, ";") {
		var all strings.Builder
		for one := range strings.SplitSeq(f.Part, ";") {
			if part, ok = (File{Part: one}).in(lines); !ok {
				return "", false
			}
			all.WriteString(part)
		}
		return all.String(), true
	}
	return f.in(lines)
}

// in returns one part of the lines of a text.
func (f File) in(lines []string) (part string, ok bool) {
	first, rest := number(f.Part)
	if last, _ := number(strings.TrimLeft(rest, ":-,")); strings.Trim(f.Part, "0123456789:-, ") == "" {
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
	part, ok = section(lines, f.Part)
	if !ok && f.Section {
		return below(lines, f.Part)
	}
	return part, ok
}

// between returns the lines from one that contains From up to one that contains To.
func (f File) between(text string) (part string, ok bool) {
	lines := strings.SplitAfter(text, "\n")
	find := func(mark string) int {
		return slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, mark) })
	}
	if f.From != "" {
		first := find(f.From)
		if first < 0 {
			return "", false
		}
		if f.After {
			first++
		}
		lines = lines[first:]
	}
	if f.To != "" {
		last := find(f.To)
		if last < 0 {
			return "", false
		}
		if !f.Before {
			last++
		}
		lines = lines[:last]
	}
	return strings.Join(lines, ""), true
}

// below returns the heading with an anchor of VitePress, and what is below it.
func below(lines []string, name string) (string, bool) {
	var b strings.Builder
	level, fence := 0, false
	for _, line := range lines {
		text := strings.TrimSpace(line)
		fence = fence != (strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"))
		if depth := inline.RunLength(text, '#'); depth > 0 && depth <= 6 && strings.HasPrefix(text[depth:], " ") && !fence {
			title, own, _ := strings.Cut(strings.TrimSpace(text[depth:]), "{#")
			switch {
			case level > 0 && depth <= level:
				return b.String(), true
			case level == 0 && (strings.TrimSuffix(own, "}") == name || own == "" && vitepressAnchor(title) == name):
				level = depth
			}
		}
		if level > 0 {
			b.WriteString(line)
		}
	}
	return b.String(), level > 0
}

// section returns the lines between section marks: [start:name] and [end:name] of PyMdown,
// ANCHOR: name and ANCHOR_END: name of mdBook, #region name and #endregion name of
// editors, /// [name] of Docsify.
func section(lines []string, name string) (string, bool) {
	var b strings.Builder
	inside, found := false, false
	for _, line := range lines {
		switch marks := strings.Contains(line, name); {
		case marks && (anchored(line, "/// [", name+"]") || anchored(line, "### [", name+"]")): // of Docsify
			inside, found = !inside, true
		case marks && (strings.Contains(line, "[end:"+name+"]") || anchored(line, "ANCHOR_END:", name) || anchored(line, "#endregion ", name)):
			inside = false
		case marks && (strings.Contains(line, "[start:"+name+"]") || anchored(line, "ANCHOR:", name) || anchored(line, "#region ", name)):
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
