package navigation

import (
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/importer/script"
)

// mintlify reads docs.json, or mint.json.
func (r *reader) mintlify() []*Item {
	config, from := r.load(r.site.Config), r.site.Config
	r.listed(r.part(config.Get("redirects"), from), from)
	names := []string{"group", "tab", "anchor", "dropdown", "version", "product", "item", "language"}
	f := &form{
		from: from, title: names, page: []string{"root", "page", "href", "url"}, dirs: []string{r.site.Root}, special: mintlifyItem,
		list: []string{"pages", "groups", "tabs", "anchors", "dropdowns", "languages", "versions", "products", "menu"},
	}
	return r.read(f, config.Get("navigation"), 0)
}

// part reads a part of the navigation that is in a separate file.
func (r *reader) part(n script.Node, from string) script.Node {
	if name := n.Get("$ref").Text; name != "" {
		return r.load(path.Join(path.Dir(from), name))
	}
	return n
}

// mintlifyItem reads parts in separate files, the first of several languages, and pages
// generated from an API description.
func mintlifyItem(r *reader, f *form, n script.Node) ([]*Item, bool) {
	if name := n.Get("$ref").Text; name != "" {
		if r.tree.Read[path.Join(path.Dir(f.from), name)] {
			return nil, true // prevents endless recursion
		}
		part := r.part(n, f.from)
		for _, m := range n.Members {
			if m.Name != "$ref" {
				part.Members = append(part.Members, m)
			}
		}
		return r.read(f, part, 2), true
	}
	for _, key := range []string{"openapi", "asyncapi"} {
		if v := n.Get(key); v.Kind != script.Null && n.Get("group").Kind == script.Text {
			r.note(v, f.from, "%s: pages that are made of a description of an API are not imported", key)
		}
	}
	if languages := n.Get("languages"); len(languages.Items) > 0 {
		items := r.read(f, languages, 1)
		if len(items) > 0 && items[0].File == "" && items[0].Title == languages.Items[0].Get("language").Text {
			items = append(slices.Clone(items[0].Children), items[1:]...)
		}
		return items, true
	}
	method, _, _ := strings.Cut(n.Text, " ")
	if n.Kind == script.Text && slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE", "WEBHOOK"}, method) {
		r.note(n, f.from, "the page of the operation %s is not imported", n.Text)
		return nil, true
	}
	return nil, false
}

// myst reads the table of contents of MyST, Jupyter Book and Sphinx.
func (r *reader) myst() []*Item {
	f := &form{from: r.site.Config, title: []string{"title", "caption"}, page: []string{"file", "root", "url"}, list: []string{"children", "chapters", "sections", "parts", "entries", "subtrees"}, dirs: []string{r.site.Dir}}
	toc := r.site.said.Get("project").Get("toc")
	if name := r.first(r.site.Dir, "_toc.yml", "_toc.yaml"); toc.Kind != script.List && name != "" {
		toc, f.from = r.load(name), name
	} else {
		r.tree.Read[r.site.Config] = true
	}
	if home := r.first(r.site.Dir, "index.md", "index.rst"); toc.Kind == script.Null && home != "" {
		items := r.toctree(home, map[string]bool{})
		if r.pages[home] != nil {
			items = append([]*Item{{File: home, From: home, Line: 1}}, items...)
		}
		return trim(items)
	}
	items := r.read(f, toc, 0)
	if len(items) == 1 && toc.Kind == script.Object {
		home := items[0]
		items = append([]*Item{{File: home.File, Title: home.Title, From: home.From, Line: home.Line}}, home.Children...)
	}
	return items
}

// jekyll reads the navigation data file that lists the most pages.
func (r *reader) jekyll() (best []*Item) {
	most, notes, from := 0, r.tree.Notes, ""
	for _, name := range r.names {
		in := strings.HasPrefix(name, path.Join(r.site.Dir, "_data")+"/")
		base := strings.ToLower(path.Base(name))
		if !in || !slices.ContainsFunc([]string{"nav", "sidebar", "toc", "menu", "docs"}, func(word string) bool { return strings.Contains(base, word) }) {
			continue
		}
		if !slices.Contains([]string{".yml", ".yaml", ".json"}, path.Ext(name)) {
			continue
		}
		r.tree.Notes = nil
		n, err := r.parse(name)
		f := &form{from: name, title: []string{"title", "name", "label", "text"}, page: []string{"url", "link", "href", "path", "page", "permalink", "doc"}}
		f.dirs = []string{r.site.Root, path.Join(r.site.Dir, "_docs"), path.Join(r.site.Dir, "docs")}
		if items := r.read(f, n, 0); err == nil && count(items) > most {
			best, most, from, notes = items, count(items), name, r.tree.Notes
		}
	}
	r.tree.Notes = notes
	if from != "" {
		r.tree.Read[from] = true
	}
	return best
}

func count(items []*Item) (n int) {
	for _, it := range items {
		if it.File != "" {
			n++
		}
		n += count(it.Children)
	}
	return n
}
