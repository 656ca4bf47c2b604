package navigation

import (
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/importer/script"
)

// mkdocs reads nav in mkdocs.yml, or .pages, .nav.yml and SUMMARY.md of the folders.
func (r *reader) mkdocs() []*Item {
	r.tree.Read[r.site.Config] = true
	f := &form{from: r.site.Config, list: []string{}, dirs: []string{r.site.Root}}
	for _, file := range option(r.site.said.Get("markdown_extensions"), "pymdownx.snippets").Get("auto_append").Items {
		if r.site.Dir != "." { // otherwise its definitions are read
			r.note(file, f.from, "%s is not appended to the pages: abbreviations and addresses of links in it are not imported", file.Text)
		}
	}
	plugins := r.site.said.Get("plugins")
	for _, m := range option(plugins, "redirects").Get("redirect_maps").Members {
		from := strings.TrimSuffix(strings.TrimSuffix(m.Name, ".md"), "index")
		r.redirect(from, m.Value, f.from)
	}
	if items := r.read(f, r.site.said.Get("nav"), 0); len(items) > 0 {
		r.promote(items)
		return items
	}
	if option(plugins, "literate-nav").Kind != script.Null {
		return r.summary()
	}
	if len(r.site.said.Members) == 0 {
		return nil // it cannot be read
	}
	return r.folder(r.site.Root, r.arranged)
}

// option returns the options of a plugin or extension in a list.
func option(list script.Node, name string) script.Node {
	for _, item := range append(slices.Clone(list.Items), list) {
		if item.Text == name {
			return script.Node{Kind: script.Object}
		}
		if v := item.Get(name); v.Kind != script.Null || len(item.Members) > 0 && slices.ContainsFunc(item.Members, func(m script.Member) bool { return m.Name == name }) {
			v.Kind = script.Object
			return v
		}
	}
	return script.Node{Kind: script.Null}
}

// promote makes a folder's page that a section lists the page of that section, unless
// the section lists such pages of several folders.
func (r *reader) promote(items []*Item) {
	for _, it := range items {
		r.promote(it.Children)
		if it.File != "" {
			continue
		}
		top, shared := -1, false
		for i, c := range it.Children {
			p := r.pages[c.File]
			if p == nil || !p.Speaks || len(c.Children) > 0 || path.Dir(p.Path) == r.site.Root {
				continue
			}
			switch dir := path.Dir(p.Path) + "/"; {
			case top < 0 || strings.HasPrefix(it.Children[top].File, dir):
				top, shared = i, false
			case !strings.HasPrefix(dir, path.Dir(it.Children[top].File)+"/"):
				shared = true
			}
		}
		if top < 0 || shared {
			continue
		}
		page := it.Children[top]
		if it.File = page.File; page.Title == "" {
			it.Title = ""
		}
		it.Children = slices.Delete(it.Children, top, top+1)
	}
}

func (r *reader) pagesFile(dir string) string { return r.first(dir, ".pages", ".nav.yml", ".nav.yaml") }

// arranged reads .pages (awesome-pages) or .nav.yml (awesome-nav). Without them, pages
// come before folders.
func (r *reader) arranged(dir string) (s sorted) {
	name := r.pagesFile(dir)
	if name == "" {
		for _, file := range slices.Sorted(slices.Values(r.below[dir])) {
			if r.pages[path.Join(dir, file)] != nil {
				s.names = append(s.names, named{name: file})
			}
		}
		return s
	}
	n := r.load(name)
	s = sorted{title: plain(n.First("title").Text), from: name, reverse: n.Get("order").Text == "desc"}
	nav := n.Get("nav")
	if nav.Kind == script.Null {
		nav = n.Get("arrange")
	}
	s.names = r.arrangedNames(nav, name)
	return s
}

// arrangedNames reads a list of pages, folders and sections.
func (r *reader) arrangedNames(list script.Node, from string) (names []named) {
	for _, item := range list.Items {
		n := named{at: item}
		if item.Kind == script.Object && len(item.Members) == 1 {
			n.title, n.at = plain(item.Members[0].Name), item.Members[0].Value
		}
		switch {
		case n.at.Kind == script.Text && strings.HasPrefix(n.at.Text, "..."):
			n.name = "..."
		case n.at.Kind == script.Text:
			n.name = strings.TrimSuffix(n.at.Text, "/")
		case n.at.Kind == script.List && n.title != "":
			n.inner, n.lists = r.arrangedNames(n.at, from), true
		default:
			r.note(item, from, "what this lists is not imported")
			continue
		}
		names = append(names, n)
	}
	return names
}
