package navigation

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/importer/script"
)

// sorted is the content of a folder in navigation order.
type sorted struct {
	title    string
	page     string // that represents the folder; "" for the default
	position *int64
	names    []named // entries ordered by name
	from     string  // the file with this order
	address  string  // see Item.Address
	reverse  bool
}

// named is a listed file or folder; "..." means all others.
type named struct {
	name, title string
	at          script.Node
	inner       []named // content of a folder
	lists       bool    // inner is set
}

// child is a file or folder in a folder.
type child struct {
	*Item
	name     string // without extension
	position *int64
}

// folder returns the items of a folder and its subfolders. says returns the order and
// titles of one folder.
func (r *reader) folder(dir string, says func(dir string) sorted) []*Item {
	return r.inFolder(dir, says(dir), says, 0)
}

// nuxt reads the folders of Nuxt Content.
func (r *reader) nuxt() []*Item { return r.folder(r.site.Root, r.category) }

func (r *reader) inFolder(dir string, said sorted, says func(dir string) sorted, depth int) []*Item {
	if depth > maxDepth {
		return nil
	}
	own, from := r.speaker(dir, said), cmp.Or(said.from, r.site.Config)
	var children []child
	beside := map[string]bool{} // pages that represent a folder next to them
	for _, name := range slices.Sorted(slices.Values(r.below[dir])) {
		file := path.Join(dir, name)
		switch p := r.pages[file]; {
		case file == own || beside[file]:
		case p != nil:
			children = append(children, child{&Item{File: file, From: from, Line: 1}, strings.TrimSuffix(name, path.Ext(name)), p.Position})
		default:
			inner := says(file)
			if n, _, ok := filename.SplitNumber(name); ok && inner.position == nil {
				n *= Spacing
				inner.position = &n
			}
			it := &Item{Title: cmp.Or(inner.title, r.titleOf(file)), File: r.speaker(file, inner), From: cmp.Or(inner.from, from), Line: 1, Address: inner.address}
			if it.File != "" {
				beside[it.File] = true
				it.Title = inner.title
				inner.position = cmp.Or(inner.position, r.pages[it.File].Position)
			}
			it.Children = r.inFolder(file, inner, says, depth+1)
			children = append(children, child{it, name, inner.position})
		}
	}
	slices.SortStableFunc(children, func(a, b child) int {
		if a.position == nil || b.position == nil {
			return cmp.Compare(rank(a.position == nil), rank(b.position == nil))
		}
		return cmp.Compare(*a.position, *b.position)
	})
	if said.reverse {
		slices.Reverse(children)
	}
	return r.asNamed(dir, own, children, said)
}

func rank(last bool) int {
	if last {
		return 1
	}
	return 0
}

// asNamed sorts the content of a folder by names. The rest is placed at "...", or last.
func (r *reader) asNamed(dir, own string, children []child, said sorted) (items []*Item) {
	at := map[string]*Item{}
	for _, c := range slices.Backward(children) {
		if path.Dir(c.File) == dir {
			at[path.Base(c.File)] = c.Item
		}
		at[c.name] = c.Item
	}
	taken, rest := map[*Item]bool{}, -1
	var take func(names []named, top bool) []*Item
	take = func(names []named, top bool) (items []*Item) {
		for _, n := range names {
			it := at[n.name]
			switch {
			case n.name == "" && n.lists:
				items = append(items, under(n.title, said.from, n.at.Line, take(n.inner, false))...)
			case n.name == "...":
				if top {
					rest = len(items)
				}
			case it != nil && !taken[it]:
				taken[it] = true
				it.Title, it.Line = cmp.Or(n.title, it.Title), max(n.at.Line, 1)
				items = append(items, it)
			case it == nil && path.Join(dir, n.name) != own && path.Join(dir, n.name) != strings.TrimSuffix(own, path.Ext(own)):
				items = append(items, r.elsewhere(n, dir, said.from)...)
			}
		}
		return items
	}
	items = take(said.names, true)
	var others []*Item
	for _, c := range children {
		if !taken[c.Item] {
			others = append(others, c.Item)
		}
	}
	if rest < 0 {
		rest = len(items)
	}
	return slices.Insert(items, rest, others...)
}

// elsewhere returns a page of another folder that this folder lists.
func (r *reader) elsewhere(n named, dir, from string) []*Item {
	if n.at.Kind != script.Text {
		return nil // separators, and options for all pages
	}
	return r.leaf(&form{from: from, dirs: []string{dir, r.site.Root}}, n.title, n.at)
}

// speaker returns the page of a folder: by name, else one next to it.
func (r *reader) speaker(dir string, said sorted) string {
	if said.page != "" {
		return said.page
	}
	for _, name := range r.below[dir] {
		if p := r.pages[path.Join(dir, name)]; p != nil && p.Speaks {
			return p.Path
		}
	}
	for _, ending := range []string{".mdx", ".md"} {
		if p := r.pages[dir+ending]; p != nil {
			return p.Path
		}
	}
	return ""
}
