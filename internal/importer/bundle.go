package importer

import (
	"io"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo/internal/importer/filename"
)

var (
	isSettings = regexp.MustCompile(`^(hugo|config)\.(toml|ya?ml|json)$`) // of Hugo
	isSource   = regexp.MustCompile(`(?i)\b(?:contentDir|source)["']?\s*[:=]\s*["']?(?:\./)?([^"'\s,]+)`)
)

// bundles restricts files that belong to a draft: in Hugo those below an index.md,
// in Zola the pages of a section.
func (p *plan) bundles(fsys fs.FS, others []string, now time.Time) []rule {
	hugo, zola := p.generators(fsys, others)
	return slices.Concat(p.bundlesOf(hugo, zola, now, false), p.bundlesOf(hugo, zola, now, true))
}

// bundlesOf returns the rules that apply now, or those at the last import.
func (p *plan) bundlesOf(hugo, zola []string, now time.Time, before bool) (rules []rule) {
	held, open := map[string]string{}, map[string]bool{} // by folder: each language has its own index file
	for _, f := range p.files {
		dir, base := path.Split(f.path)
		h := f.currentPublication()
		if before {
			h = f.lastPublication()
		}
		switch {
		case h == nil, !(filename.IsBundle(base) && inAny(hugo, f.path)) && !(filename.IsSection(base) && inAny(zola, f.path)):
		case h.draft(now), f.broken && !before:
			held[path.Clean(dir)] = f.path
		default:
			open[path.Clean(dir)] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(held)) {
		if !open[dir] {
			rules = append(rules, rule{where: held[dir], why: "the page that it belongs to is a draft", covers: below(dir), before: before, now: !before})
		}
	}
	return rules
}

func inAny(roots []string, file string) bool {
	return slices.ContainsFunc(roots, func(root string) bool { return below(root)(file) })
}

// configuredSites returns the folders that configure Hugo or Zola, and those of Zola.
func configuredSites(fsys fs.FS, others []string) (hugo, zola []string) {
	for _, name := range others {
		dir, base := path.Split(name)
		dir = path.Clean(dir)
		if path.Base(path.Dir(dir)) == "config" && path.Base(dir) == "_default" {
			hugo = append(hugo, path.Dir(path.Dir(dir)))
		}
		if isSettings.MatchString(base) && (strings.HasPrefix(base, "hugo") || isFolder(fsys, path.Join(dir, "content"))) {
			hugo = append(hugo, dir)
		}
		if base == "config.toml" || base == "zola.toml" {
			config, _ := readData(fsys, name)
			if _, ok := config.Get("base_url"); ok {
				zola = append(zola, dir)
			}
		}
	}
	return hugo, zola
}

// dropHugo removes the pages in folders that are not content for Hugo, and adds those in HTML.
func (t *listing) dropHugo(fsys fs.FS) {
	roots, _ := configuredSites(fsys, t.others)
	for _, root := range roots {
		for _, dir := range []string{"archetypes", "layouts", "public", "resources", "themes"} {
			dir, all := path.Join(root, dir), len(t.pages)
			if t.pages = slices.DeleteFunc(t.pages, below(dir)); len(t.pages) < all {
				t.skipped = append(t.skipped, skipped(dir, "Hugo has no pages in this folder, so nothing of it is one"))
			}
		}
		t.onlyContent(fsys, root)
	}
}

// onlyContent removes the pages of a Hugo site that are neither in its folder content nor in one
// that the configuration names or that is a section, which a script of the site may copy there.
// It adds the files in HTML that have front matter.
func (t *listing) onlyContent(fsys fs.FS, root string) {
	content := []string{path.Join(root, "content")}
	if !isFolder(fsys, content[0]) {
		return
	}
	for _, name := range t.others {
		if dir := path.Dir(name); dir == root && isSettings.MatchString(path.Base(name)) || path.Dir(dir) == path.Join(root, "config") {
			text, _ := readFile(fsys, name) // one that cannot be read names nothing
			for _, named := range isSource.FindAllStringSubmatch(string(text), -1) {
				content = append(content, path.Join(root, named[1]))
			}
		}
	}
	for _, name := range t.pages {
		if dir := path.Dir(name); filename.IsSection(path.Base(name)) && dir != root && path.Dir(dir) == root {
			content = append(content, dir)
		}
	}
	t.pages = slices.DeleteFunc(t.pages, func(name string) bool {
		drop := below(root)(name) && !inAny(content, name) && !slices.Contains(content, name)
		if drop {
			t.skipped = append(t.skipped, skipped(name, "it is not in the folder of content of the Hugo site, so it is no page"))
		}
		return drop
	})
	t.others = slices.DeleteFunc(t.others, func(name string) bool {
		head := []byte("    ")
		if f, err := fsys.Open(name); path.Ext(name) == ".html" && inAny(content[:1], name) && err == nil {
			_, _ = io.ReadFull(f, head[:3]) // a shorter file has no front matter
			f.Close()
		}
		if front := string(head[:3]) == "---" || string(head[:3]) == "+++"; !front {
			return false
		}
		t.pages = append(t.pages, name)
		return true
	})
	slices.Sort(t.pages)
}

// generators returns the folders of Hugo sites, and those of Zola sites.
func (p *plan) generators(fsys fs.FS, others []string) (hugo, zola []string) {
	hugo, zola = configuredSites(fsys, others)
	for _, f := range p.files {
		if !filename.IsSection(path.Base(f.path)) {
			continue
		}
		root := path.Dir(f.path)
		if before, _, ok := strings.Cut("/"+f.path, "/content/"); ok {
			root = path.Join(strings.TrimPrefix(before, "/"), "content")
		}
		if !inAny(hugo, f.path) {
			hugo = append(hugo, root)
		}
	}
	return hugo, zola
}
