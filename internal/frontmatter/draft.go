package frontmatter

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
)

// draft is a text and what is to be changed in it.
type draft struct {
	src  []byte
	cuts []cut
}

// cut puts text where src[from:to] is.
type cut struct {
	from, to int
	text     string // its lines end in "\n"
}

func (d *draft) cut(from, to int, text string) { d.cuts = append(d.cuts, cut{from, to, text}) }

// text returns the text with its changes. Lines of new text end in eol.
func (d *draft) text(eol string) []byte {
	slices.SortStableFunc(d.cuts, func(a, b cut) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	var text []byte
	done := 0
	for _, c := range d.cuts {
		text = append(append(text, d.src[done:c.from]...), strings.ReplaceAll(c.text, "\n", eol)...)
		done = c.to
	}
	return append(text, d.src[done:]...)
}

// above returns where the comment lines start that stand directly above the
// line at start, but not before floor.
func (d *draft) above(start, floor int) int {
	for start > floor {
		line := bytes.LastIndexByte(d.src[:start-1], '\n') + 1
		if line < floor || !bytes.HasPrefix(bytes.TrimLeft(d.src[line:start], " \t"), []byte("#")) {
			break
		}
		start = line
	}
	return start
}

// notation is how a format writes objects and strings on one line.
type notation struct {
	open, colon, end string
	name, text       func(s string) string
}

func (n notation) line(v octavo.Value) string {
	var texts []string
	for _, item := range v.Items {
		texts = append(texts, n.line(item))
	}
	for _, m := range v.Members {
		texts = append(texts, n.name(m.Name)+n.colon+n.line(m.Value))
	}
	all := strings.Join(texts, ", ")
	switch {
	case v.Kind == octavo.KindString:
		return n.text(v.Str)
	case all == "":
		return string(v.AppendJSON(nil))
	case v.Kind == octavo.KindArray:
		return "[" + all + "]"
	}
	return n.open + all + n.end
}

// isDate reports whether old is an unquoted value that starts with a digit, such
// as a date, and s has no other characters than dates.
func isDate(old []byte, s string) bool {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	return len(old) > 0 && digit(old[0]) && s != "" && digit(s[0]) && strings.Trim(s, "0123456789-:.+TZ ") == ""
}
