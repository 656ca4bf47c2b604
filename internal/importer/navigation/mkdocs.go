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
	for _, m := range plugin(r.site.said, "redirects").Get("redirect_maps").Members {
		from := strings.TrimSuffix(strings.TrimSuffix(m.Name, ".md"), "index")
		r.redirect(from, m.Value, f.from)
	}
	if items := r.read(f, r.site.said.Get("nav"), 0); len(items) > 0 {
		r.promote(items)
		return items
	}
	if plugin(r.site.said, "literate-nav").Kind != script.Null {
		return r.summary()
	}
	found := false
	for dir := range r.below {
		found = found || r.pagesFile(dir) != ""
	}
	if !found {
		return nil
	}
	return r.folder(r.site.Root, r.arranged)
}

// plugin returns the options of a plugin.
func plugin(config script.Node, name string) script.Node {
	plugins := config.Get("plugins")
	for _, item := range append(slices.Clone(plugins.Items), plugins) {
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

// arranged reads .pages (awesome-pages) or .nav.yml (awesome-nav).
func (r *reader) arranged(dir string) sorted {
	name := r.pagesFile(dir)
	if name == "" {
		return sorted{}
	}
	n := r.load(name)
	s := sorted{title: plain(n.First("title").Text), from: name, reverse: n.Get("order").Text == "desc"}
	nav := n.Get("nav")
	if nav.Kind == script.Null {
		nav = n.Get("arrange")
	}
	for _, item := range nav.Items {
		switch {
		case item.Kind == script.Text && strings.HasPrefix(item.Text, "..."):
			s.names = append(s.names, named{name: "..."})
		case item.Kind == script.Text:
			s.names = append(s.names, named{name: strings.TrimSuffix(item.Text, "/"), at: item})
		case item.Kind == script.Object && len(item.Members) == 1 && item.Members[0].Value.Kind == script.Text:
			m := item.Members[0]
			s.names = append(s.names, named{name: strings.TrimSuffix(m.Value.Text, "/"), title: plain(m.Name), at: m.Value})
		default:
			r.note(item, name, "what this lists is not imported")
		}
	}
	return s
}
