package dialect

import (
	"path"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// obsidianLine reads a line of Obsidian: a remark that ends on another line.
func obsidianLine(line string) (Mark, bool) {
	return Mark{Form: Literal, End: "%%", Hidden: true}, strings.HasPrefix(line, "%%") && !strings.Contains(line[2:], "%%")
}

func obsidianText(text string, at int) (m Mark, ok bool) {
	s := text[at:min(len(text), at+maxReach)]
	switch s[0] {
	case '[':
		return wikiLink(s, false)
	case '!':
		m, ok = wikiLink(s[1:], true)
		m.Width++
		return m, ok
	case '=':
		return paired(text, at, "==", "mark")
	case '%':
		end := strings.Index(s[min(2, len(s)):], "%%")
		return Mark{Width: end + 4}, strings.HasPrefix(s, "%%") && end >= 0
	case '^':
		id := strings.TrimRight(text[at+1:min(len(text), at+maxLabel)], " \t\n")
		if id == "" || len(text) > at+maxLabel || at > 0 && !inline.IsBlank(text[at-1]) && text[at-1] != '\n' || strings.Trim(id, idBytes) != "" {
			return Mark{}, false
		}
		return Mark{Name: "span", Attributes: with(nil, "id", "^"+id), Width: len(text) - at}, true
	}
	return Mark{}, false
}

const (
	maxLabel = 100 // of a block, in bytes
	idBytes  = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"
)

// wikiLink reads [[page#heading|text]], behind an exclamation mark if it is to be
// shown in place. Pictures are; of anything else there is a link.
func wikiLink(s string, shown bool) (Mark, bool) {
	inside, found := strings.CutPrefix(s, "[[")
	inside, _, closed := strings.Cut(inside, "]]")
	if !found || !closed || inside == "" || strings.ContainsAny(inside, "\n[]") {
		return Mark{}, false
	}
	m := Mark{Name: "a", Width: len(inside) + len("[[]]")}
	target, label, labelled := strings.Cut(inside, "|")
	target = strings.TrimSpace(strings.TrimSuffix(target, `\`)) // which keeps it from ending the cell of a table
	name, fragment, _ := strings.Cut(target, "#")
	name = strings.TrimSuffix(name, ".md")
	if i := strings.LastIndexByte(fragment, '#'); i >= 0 {
		fragment = fragment[i+1:]
	}
	if shown && isPicture(name) {
		m.Name, m.Attributes = "img", attribute.List{{Name: "src", Value: reference.ByName(name, "")}}
		if width, height, _ := strings.Cut(label, "x"); strings.Trim(width+height, "0123456789") != "" {
			m.Attributes = with(m.Attributes, "alt", label)
		} else if width != "" {
			if m.Attributes = with(m.Attributes, "width", width); height != "" {
				m.Attributes = with(m.Attributes, "height", height)
			}
		}
		return m, true
	}
	if m.Text = strings.TrimSpace(label); strings.HasPrefix(fragment, "^") && !labelled {
		m.Text = name
	}
	if m.Text == "" {
		m.Text = strings.TrimPrefix(strings.ReplaceAll(strings.Replace(strings.TrimSuffix(target, ".md"), ".md#", "#", 1), "#", " > "), " > ")
	}
	m.Attributes = with(nil, "href", reference.ByName(name, fragment))
	return m, target != ""
}

// Named returns what a wiki link names and where that stands in it, nothing for other
// marks and for pictures.
func Named(mark string) (from int, name string) {
	from = strings.Index(mark, "[[") + len("[[")
	if from > len("![[") || from < len("[[") || !strings.HasSuffix(mark, "]]") {
		return 0, ""
	}
	name, _, _ = strings.Cut(mark[from:len(mark)-len("]]")], "|")
	name = strings.TrimSuffix(name, `\`)
	if file, _, _ := strings.Cut(name, "#"); mark[0] == '!' && isPicture(strings.TrimSpace(file)) {
		return 0, ""
	}
	from += len(name) - len(strings.TrimLeft(name, " \t"))
	return from, strings.TrimSpace(name)
}

// isPicture reports whether a file is one that a page shows in place.
func isPicture(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp":
		return true
	}
	return false
}
