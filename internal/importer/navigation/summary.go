package navigation

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/importer/script"
)

var (
	summaryItem  = regexp.MustCompile(`^([ \t]*)(?:[-*+]|\d+[.)])[ \t]+(.+)$`)
	summaryLink  = regexp.MustCompile(`^\[((?:[^\[\]\\]|\\.|\[[^\]]*\])*)\]\(\s*(?:<([^>]*)>|([^\s)]*))[^)]*\)`)
	summaryTitle = regexp.MustCompile(`^(#+)[ \t]+(.+?)[ \t]*#*$`)
)

// summary reads the lists of all spaces. Each of several becomes a section, unless it
// covers the whole tree.
func (r *reader) summary() (all []*Item) {
	if len(r.site.spaces) == 0 {
		return r.summaryOf()
	}
	whole := r.site
	said, _ := r.parse("docs.yaml") // of a whole site; most have none
	sections := r.sections(said.Get("site").Get("structure"), "", nil)
	slices.SortStableFunc(whole.spaces, func(a, b Site) int { return placeOf(sections, a) - placeOf(sections, b) })
	for _, r.site = range whole.spaces {
		if at := placeOf(sections, r.site); at < len(sections) {
			r.site.Title = cmp.Or(sections[at].Title, r.site.Title)
		}
		items := r.summaryOf()
		if len(items) > 0 && r.site.Root != "." {
			items = r.space(r.site.Title, r.site.Root, items)
		}
		all = append(all, items...)
	}
	r.site, r.site.Root = whole, "."
	return all
}

// sections adds the spaces of a site of GitBook, with the titles of their sections.
func (r *reader) sections(list script.Node, title string, all []Site) []Site {
	for _, n := range list.Items {
		r.tree.Read["docs.yaml"] = true
		own := cmp.Or(title, n.Get("title").Text)
		switch dir := n.Get("content").Get("directory").Text; {
		case dir != "":
			all = append(all, Site{Root: path.Clean(dir), Title: own})
		case n.Get("type").Text == "section-group":
			r.note(n, "docs.yaml", "the group %q is not imported; its sections are at the top", own)
			own = ""
		}
		all = r.sections(n.Get("children"), own, all)
	}
	return all
}

// placeOf returns the index of a space in a list, the length if it is not there.
func placeOf(list []Site, space Site) int {
	if i := slices.IndexFunc(list, func(s Site) bool { return s.Root == space.Root }); i >= 0 {
		return i
	}
	return len(list)
}

// space wraps items in a section with the page of a folder.
func (r *reader) space(title, root string, items []*Item) []*Item {
	it := &Item{Title: title, File: r.speaker(root, sorted{}), From: items[0].From, Line: 1}
	if it.File == "" {
		it.Title = cmp.Or(title, r.titleOf(root))
	}
	for i, c := range items {
		if it.File != "" && c.File == it.File {
			it.Title, items = cmp.Or(title, c.Title), slices.Concat(items[:i], c.Children, items[i+1:])
			break
		}
	}
	it.Children = items
	return []*Item{it}
}

// summaryOf reads a Markdown list of links: SUMMARY.md of GitBook and mdBook, _sidebar.md
// of Docsify. Each heading after the first begins a section.
func (r *reader) summaryOf() []*Item {
	r.bookRedirects()
	name := r.summaryFile(r.site.said, r.site.Root)
	text, err := fs.ReadFile(r, name)
	if name == "" || err != nil {
		return nil
	}
	r.tree.Read[name] = true
	f := &form{from: name, dirs: []string{path.Dir(name), r.site.Root}}
	top := &Item{}
	type open struct {
		*Item
		indent int
	}
	stack, line := []open{{top, -1}}, 0
	for text := range strings.Lines(string(text)) {
		line++
		text = strings.TrimRight(text, "\r\n \t")
		if m := summaryTitle.FindStringSubmatch(text); m != nil {
			if stack = []open{{top, -1}}; len(m[1]) > 1 || len(top.Children) > 0 {
				part := &Item{Title: plain(m[2]), From: name, Line: line}
				top.Children = append(top.Children, part)
				stack = append(stack, open{part, -1})
			}
			continue
		}
		indent, words := -1, text
		if m := summaryItem.FindStringSubmatch(text); m != nil {
			indent, words = width(m[1]), m[2]
		}
		it := r.summaryEntry(f, words, line, indent >= 0)
		if it == nil {
			continue
		}
		for last := stack[len(stack)-1].indent; len(stack) > 1 && (indent >= 0 && last >= indent || indent < 0 && (last >= 0 || r.site.System == "mdbook")); last = stack[len(stack)-1].indent {
			stack = stack[:len(stack)-1] // a chapter of mdBook outside of lists belongs to no part
		}
		in := stack[len(stack)-1]
		in.Children = append(in.Children, it)
		if indent >= 0 {
			stack = append(stack, open{it, indent})
		}
	}
	return trim(top.Children)
}

// summaryFile returns the file that lists the pages in a folder.
func (r *reader) summaryFile(said script.Node, root string) string {
	if named := said.Get("structure").Get("summary").Text; named != "" {
		return r.first(root, named)
	}
	return r.first(root, "SUMMARY.md", "summary.md", "_sidebar.md")
}

func width(indent string) int { return len(strings.ReplaceAll(indent, "\t", "    ")) }

// summaryEntry reads one line: a link or, in a list, the title of a section.
func (r *reader) summaryEntry(f *form, words string, line int, listed bool) *Item {
	at := script.Node{Kind: script.Text, Line: line}
	m := summaryLink.FindStringSubmatch(words)
	switch {
	case m == nil && !listed:
		return nil
	case m == nil:
		return &Item{Title: plain(words), From: f.from, Line: line}
	case m[2]+m[3] == "":
		return &Item{Title: plain(m[1]), ToCome: true, From: f.from, Line: line}
	}
	at.Text = strings.ReplaceAll(m[2]+m[3], "%20", " ")
	if leaf := r.leaf(f, plain(m[1]), at); leaf != nil {
		return leaf[0]
	}
	return &Item{Title: plain(m[1]), From: f.from, Line: line}
}

// trim removes sections without pages, present or planned.
func trim(items []*Item) (kept []*Item) {
	for _, it := range items {
		if it.Children = trim(it.Children); it.File != "" || it.ToCome || len(it.Children) > 0 {
			kept = append(kept, it)
		}
	}
	return kept
}
