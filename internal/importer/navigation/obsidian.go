package navigation

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/importer/script"
)

// obsidian reads the folders of a vault, as they stand in Obsidian, or in the order that
// Obsidian Publish has. The note that it shows first comes first.
func (r *reader) obsidian() []*Item {
	said := script.Node{Kind: script.Null}
	name := r.first(r.site.Dir, "site-options.json")
	if name != "" {
		said = r.load(name)
	}
	listed := map[string][]named{}
	for _, n := range said.Get("navigationOrdering").Items {
		file := path.Join(r.site.Root, n.Text)
		listed[path.Dir(file)] = append(listed[path.Dir(file)], named{name: path.Base(file)})
	}
	items := r.folder(r.site.Root, func(dir string) sorted {
		inside := slices.Clone(r.below[dir])
		slices.SortFunc(inside, func(a, b string) int {
			note := func(name string) int { return rank(r.pages[path.Join(dir, name)] != nil) }
			return cmp.Or(cmp.Compare(note(a), note(b)), strings.Compare(natural(a), natural(b)), strings.Compare(a, b))
		})
		names := listed[dir]
		for _, name := range inside {
			names = append(names, named{name: name})
		}
		return sorted{names: names, from: cmp.Or(name, path.Join(r.site.Dir, ".obsidian"))}
	})
	home := path.Join(r.site.Root, said.Get("indexFile").Text+".md")
	slices.SortStableFunc(items, func(a, b *Item) int { return cmp.Compare(rank(a.File != home), rank(b.File != home)) })
	return items
}

// IsVault reports whether several pages, and more than a quarter, link to others as in
// Obsidian, whose folder of settings is often not part of a tree. links has the names that
// each page links to.
func IsVault(links map[string][]string) bool {
	pages, linked := map[string]bool{}, 0
	for page := range links {
		pages[reference.NameKey(page)] = true
	}
	for _, names := range links {
		if slices.ContainsFunc(names, func(name string) bool { return pages[reference.NameKey(name)] }) {
			linked++
		}
	}
	return linked > 2 && linked*4 > len(links)
}

var digits = regexp.MustCompile(`\d+`)

// natural returns a key that sorts names without regard to case, and numbers by value.
func natural(name string) string {
	return digits.ReplaceAllStringFunc(strings.ToLower(name), func(n string) string {
		return strings.Repeat("0", max(0, 20-len(n))) + n
	})
}
