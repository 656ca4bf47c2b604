package navigation

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/importer/script"
)

// vitepress reads the sidebars of themeConfig for each language: one, or one per path. In
// VuePress they may be an argument of the theme.
func (r *reader) vitepress() []*Item {
	if r.site.Config == "" {
		return nil
	}
	theme := r.site.said.Get("themeConfig").Inner()
	for _, argument := range r.site.said.Get("theme").Items {
		theme.Members = slices.Concat(theme.Members, argument.Members)
	}
	theme.Members = slices.Concat(theme.Members, theme.Get("locales").Get("/").Members, r.site.said.Get("locales").Get("root").Get("themeConfig").Members)
	r.tree.Read[r.site.Config] = true
	items := r.themed(theme, r.site.Root)
	for _, m := range slices.Concat(r.site.said.Get("locales").Members, theme.Get("locales").Members) {
		home, own := path.Join(r.site.Root, m.Name), m.Value.Get("themeConfig").Inner()
		if own.Kind != script.Object {
			own = m.Value
		}
		if home == r.site.Root || len(r.below[home]) == 0 {
			continue
		}
		if inner := r.themed(own, home); len(inner) > 0 {
			it := &Item{File: r.speaker(home, sorted{}), Children: inner, From: r.site.Config, Line: m.Value.Line}
			if it.File == "" {
				it.Title = cmp.Or(plain(m.Value.Get("label").Text), r.titleOf(m.Name))
			}
			items = append(items, it)
		}
	}
	return items
}

// themed reads the sidebars of a theme for the pages of one language, in the folder home.
func (r *reader) themed(theme script.Node, home string) []*Item {
	sidebar := theme.Get("sidebar").Inner()
	f := &form{from: r.site.Config, title: []string{"text", "title"}, page: []string{"link", "path"}, list: []string{"items", "children"}, dirs: []string{r.site.Root}, skipped: []string{"base", "collapsible", "collapsed", "docFooterText", "rel", "target"}, special: based}
	if sidebar.Kind != script.Object {
		return r.read(f, sidebar, 0)
	}
	var all [][]*Item
	var whole []*Item // of the last sidebar
	for _, m := range sidebar.Members {
		f.dirs = []string{r.site.Root}
		items := r.read(f, m.Value, 0)
		title, dir := "", path.Join(r.site.Root, m.Name)
		if dir != home {
			title = r.titleOf(path.Join(".", m.Name))
		}
		for _, top := range slices.Backward(theme.Get("nav").Items) {
			if link := strings.TrimPrefix(top.First("activeMatch", "link").Text, "^"); link != "" && strings.HasPrefix(link, strings.TrimSuffix(m.Name, "/")) {
				title = cmp.Or(top.Get("text").Text, title)
			}
		}
		if len(items) > 0 {
			all, whole = append(all, under(plain(title), f.from, m.Value.Line, items)), items
			section := all[len(all)-1][0]
			if page := r.speaker(dir, sorted{}); dir != home && section != items[0] && slices.Index(pagesOf(items), page) <= 0 {
				section.File, section.Names = page, true
			}
		}
	}
	if len(all) == 1 {
		return whole
	}
	return slices.Concat(all...)
}

// pagesOf returns the pages of items in order.
func pagesOf(items []*Item) (files []string) {
	for _, it := range items {
		if it.File != "" {
			files = append(files, it.File)
		}
		files = append(files, pagesOf(it.Children)...)
	}
	return files
}

// based reads a list whose links are relative to a base of its own.
func based(r *reader, f *form, n script.Node) ([]*Item, bool) {
	base := n.Get("base").Text
	if base == "" || len(f.dirs) > 1 && f.dirs[0] == path.Join(r.site.Root, base) {
		return nil, false
	}
	inner := *f
	inner.dirs = []string{path.Join(r.site.Root, base), r.site.Root}
	return r.read(&inner, n, 1), true
}

// starlight reads the sidebars of Starlight for each language.
func (r *reader) starlight() []*Item {
	config := r.site.said
	for _, m := range config.Get("redirects").Members {
		to := m.Value
		if to.Kind == script.Object {
			to = to.Get("destination")
		}
		r.redirect(m.Name, to, r.site.Config)
	}
	options := starlightOptions(config)
	r.tree.Title = cmp.Or(options.Get("title").Text, r.tree.Title)
	sidebar := options.Get("sidebar")
	if sidebar.Kind == script.Null || options.Kind != script.Object {
		return nil
	}
	r.tree.Read[r.site.Config] = true
	f := &form{from: r.site.Config, title: []string{"label"}, page: []string{"slug", "link"}, list: []string{"items"}, skipped: []string{"badge", "translations", "attrs", "collapsed"}, special: generated}
	main := options.Get("defaultLocale").Text
	f.dirs = []string{path.Join(r.site.Root, main), r.site.Root}
	items := r.read(f, sidebar, 0)
	notes := r.tree.Notes
	for _, m := range options.Get("locales").Members {
		home := path.Join(r.site.Root, m.Name)
		if m.Name == "root" || m.Name == main || len(r.below[home]) == 0 {
			continue
		}
		f.dirs = []string{home}
		it := &Item{Title: plain(m.Value.Get("label").Text), File: r.speaker(home, sorted{}), From: f.from, Line: m.Value.Line}
		it.Children = r.read(f, sidebar, 0)
		items = append(items, it)
	}
	r.tree.Notes = notes // a translation may be incomplete
	return items
}

// starlightOptions returns the options of the integration in a configuration of Astro.
func starlightOptions(config script.Node) (options script.Node) {
	for _, item := range config.Get("integrations").Items {
		if item.Kind == script.Call && len(item.Items) > 0 && item.Items[0].Get("title").Kind != script.Null {
			options = item.Items[0]
		}
	}
	return options
}

// generated reads an entry that lists all pages of a folder.
func generated(r *reader, f *form, n script.Node) ([]*Item, bool) {
	auto := n.Get("autogenerate")
	if auto.Kind != script.Object {
		return nil, false
	}
	items := r.folder(path.Join(f.dirs[0], auto.Get("directory").Text), func(string) sorted { return sorted{} })
	return under(plain(n.Get("label").Text), f.from, n.Line, items), true
}

// nextra reads the _meta files of the folders, or a single one for all.
func (r *reader) nextra() []*Item {
	r.site.Root = r.aboveMetas()
	global := r.first(r.site.Root, "_meta.global.ts", "_meta.global.tsx", "_meta.global.js", "_meta.global.jsx")
	said := map[string]sorted{}
	if global != "" {
		r.spread(global, r.site.Root, named{inner: r.metaOf(global), lists: true}, said)
	}
	return r.folder(r.site.Root, func(dir string) sorted {
		if s, ok := said[dir]; ok {
			return s
		}
		name := r.first(dir, "_meta.js", "_meta.ts", "_meta.tsx", "_meta.jsx", "_meta.json")
		if name == "" {
			return sorted{}
		}
		return sorted{names: r.metaOf(name), from: name}
	})
}

// aboveMetas returns the folder above all _meta files of the depth of the first.
func (r *reader) aboveMetas() string {
	above := path.Dir(r.site.Config)
	for _, name := range r.names {
		if strings.HasPrefix(path.Base(name), "_meta.") && strings.Count(name, "/") == strings.Count(r.site.Config, "/") {
			for dir := path.Dir(name) + "/"; above != "." && !strings.HasPrefix(dir, above+"/"); {
				above = path.Dir(above)
			}
		}
	}
	return above
}

// spread distributes the content of a single _meta file to its folders.
func (r *reader) spread(from, dir string, n named, said map[string]sorted) {
	if !n.lists {
		return
	}
	if dir = path.Join(dir, n.name); n.name != "" || said[dir].from == "" {
		said[dir] = sorted{names: n.inner, from: from}
	}
	for _, inner := range n.inner {
		r.spread(from, dir, inner, said)
	}
}

func (r *reader) metaOf(file string) []named { return r.metaNames(r.load(file), file) }

func (r *reader) metaNames(n script.Node, file string) []named {
	names := []named{}
	add := func(n named) { // behind a separator with a title into its section
		if last := len(names) - 1; last >= 0 && names[last].name == "" && names[last].lists {
			names[last].inner = append(names[last].inner, n)
		} else {
			names = append(names, n)
		}
	}
	for _, item := range n.Items { // of Rspress
		name := path.Clean(cmp.Or(item.Text, item.Get("name").Text))
		add(named{name: strings.TrimSuffix(name, path.Ext(name)), title: plain(item.Get("label").Text), at: script.Node{Line: item.Line}})
	}
	for _, m := range n.Members {
		title, href, items := m.Value, m.Value.Get("href"), m.Value.Get("items")
		if title.Kind == script.Object {
			title = m.Value.Get("title")
		}
		switch {
		case m.Name == "...":
			r.unknown(m.Value, file)
		case strings.Contains(href.Text, "://"):
			r.note(m.Value, file, "the link to %s is not a page", href.Text)
		case href.Text != "":
			add(named{name: m.Name, title: plain(title.Text), at: href})
		case m.Value.Get("type").Text == "separator":
			names = append(names, named{title: plain(title.Text), at: script.Node{Line: m.Value.Line}, lists: title.Text != ""})
		default:
			add(named{name: m.Name, title: plain(title.Text), at: script.Node{Line: m.Value.Line}, inner: r.metaNames(items, file), lists: items.Kind == script.Object})
		}
	}
	return names
}
