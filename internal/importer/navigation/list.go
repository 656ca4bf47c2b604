package navigation

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/importer/script"
)

// form describes how a generator writes page lists.
type form struct {
	title   []string // keys of titles
	page    []string // keys of pages
	list    []string // keys of lists; nil for all
	dirs    []string // where to look for pages
	from    string   // the file
	skipped []string // keys to ignore
	special func(r *reader, f *form, n script.Node) (items []*Item, done bool)
}

// read returns the items of a list.
func (r *reader) read(f *form, n script.Node, depth int) (items []*Item) {
	if r.made++; r.made > maxItems || depth > maxDepth {
		return nil
	}
	if f.special != nil {
		if items, done := f.special(r, f, n); done {
			return items
		}
	}
	switch n.Kind {
	case script.List:
		for _, inner := range n.Items {
			items = append(items, r.read(f, inner, depth+1)...)
		}
	case script.Text:
		return r.leaf(f, "", n)
	case script.Object:
		return r.entry(f, n, depth)
	case script.Call:
		return r.called(f, n, depth)
	case script.Other:
		r.unknown(n, f.from)
	}
	return items
}

// called returns the items of lists passed to a function. A string argument is the
// source of the title.
func (r *reader) called(f *form, n script.Node, depth int) (items []*Item) {
	title, lists := "", false
	for _, argument := range n.Items {
		switch argument.Kind {
		case script.List, script.Object, script.Call:
			lists = true
			items = append(items, r.read(f, argument, depth+1)...)
		case script.Text:
			title = cmp.Or(title, argument.Text)
		}
	}
	if !lists {
		r.unknown(n, f.from)
	} else if title != "" {
		r.note(n, f.from, "the title that %s makes of %q is not imported", n.Text, title)
		return under(r.titleOf(title[strings.LastIndexByte(title, '.')+1:]), f.from, n.Line, items)
	}
	return items
}

// maxDepth limits the nesting of sections.
const maxDepth = 30

// entry reads an object: a page, a section, both, or a map of titles to sections.
func (r *reader) entry(f *form, n script.Node, depth int) []*Item {
	title, page := n.First(f.title...), n.First(f.page...)
	it := &Item{Title: plain(title.Text), From: f.from, Line: n.Line}
	lists := false
	for _, m := range n.Members {
		switch {
		case slices.Contains(f.skipped, m.Name) || slices.Contains(f.title, m.Name) || slices.Contains(f.page, m.Name):
		case f.list == nil && (m.Value.Kind == script.List || m.Value.Kind == script.Object && title.Text+page.Text != ""), slices.Contains(f.list, m.Name):
			lists = true
			it.Children = append(it.Children, r.read(f, m.Value, depth+1)...)
		case m.Name == "...":
			r.unknown(m.Value, f.from)
		}
	}
	switch {
	case page.Text != "":
		if leaf := r.leaf(f, it.Title, page); leaf != nil {
			it.File = leaf[0].File
		} else if !lists {
			return nil
		}
	case title.Text == "" && !lists: // a map of titles to sections
		for _, m := range n.Members {
			if m.Name != "..." && !slices.Contains(f.skipped, m.Name) {
				it.Children = append(it.Children, r.titled(f, m, depth)...)
			}
		}
		return it.Children
	case !lists:
		return nil
	}
	if it.Title == "" && it.File == "" {
		return it.Children
	}
	return []*Item{it}
}

// titled reads a section or page whose key is the title.
func (r *reader) titled(f *form, m script.Member, depth int) []*Item {
	if m.Value.Kind == script.Text {
		return r.leaf(f, plain(m.Name), m.Value)
	}
	inner := r.read(f, m.Value, depth+1)
	if m.Value.Kind != script.List && m.Value.Kind != script.Object {
		return inner
	}
	if plain(m.Name) == "" {
		if len(inner) > 1 && len(inner[0].Children) == 0 {
			if p := r.pages[inner[0].File]; p != nil && p.Speaks { // the folder's page becomes the section
				inner[0].Children, inner = inner[1:], inner[:1]
			}
		}
		return inner
	}
	return []*Item{{Title: plain(m.Name), Children: inner, From: f.from, Line: m.Value.Line}}
}

// leaf returns the item of a page. It notes external and broken links.
func (r *reader) leaf(f *form, title string, ref script.Node) []*Item {
	at := f.from
	if strings.Contains(ref.Text, "://") || strings.HasPrefix(ref.Text, "mailto:") {
		r.note(ref, at, "the link to %s is not a page", ref.Text)
		return nil
	}
	file := r.find(ref.Text, f.dirs...)
	if file == "" {
		r.note(ref, at, "there is no page %s", strings.TrimPrefix(ref.Text, "/"))
		return nil
	}
	return []*Item{{Title: title, File: file, From: at, Line: ref.Line}}
}

// plain converts a title to plain text.
func plain(title string) string {
	var b strings.Builder
	inTag, inCode, last := false, false, strings.LastIndexByte(title, '>')
	for i := 0; i < len(title); i++ {
		switch c := title[i]; {
		case c == '`':
			inCode = !inCode
		case inCode:
			b.WriteByte(c)
		case c == '\\' && i+1 < len(title) && strings.IndexByte("\\`*_{}[]()#+-.!<>&", title[i+1]) >= 0:
			i++
			b.WriteByte(title[i])
		case c == '<' && i < last:
			inTag = true
		case c == '>' && inTag:
			inTag = false
		case inTag, c == '*' && !strings.HasPrefix(title[max(i-1, 0):], " * "):
		default:
			b.WriteByte(c)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// under wraps items in a section.
func under(title, from string, line int, items []*Item) []*Item {
	if title == "" || len(items) == 0 {
		return items
	}
	return []*Item{{Title: title, Children: items, From: from, Line: line}}
}

// titleOf derives a title from a folder name or key.
func (r *reader) titleOf(key string) string { return r.title(path.Clean(key) + ".md") }
