package navigation

import (
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/importer/language"
	"github.com/octavo-docs/octavo/internal/importer/script"
)

// Sections returns the paths that pages of folders would have, of which the generator, without
// a navigation, makes sections. has reports whether a folder has a page. Hugo makes no section
// in a folder that a page owns, and the pages of its translations have other names.
func (s Site) Sections(files []string, has func(dir string) bool) (pages []string) {
	spoken, name, owned := language.OfFiles(slices.Values(files)), "index.md", map[string]bool{}
	if s.System == "hugo" {
		name = "_index.md"
		for _, file := range files {
			if base := path.Base(file); filename.IsBundle(base) || filename.IsSection(base) {
				owned[path.Dir(file)] = filename.IsBundle(base)
			}
		}
	}
	for _, file := range files {
		var inside []string
		for dir := path.Dir(file); s.isSection(dir); dir = path.Dir(dir) {
			tag := strings.ReplaceAll(path.Base(dir), "_", "-")
			if bundle, held := owned[dir]; bundle {
				inside = nil
			} else if !held && !has(dir) && !strings.EqualFold(tag, spoken[file]) {
				inside = append(inside, path.Join(dir, name))
			}
		}
		pages = append(pages, inside...)
	}
	slices.Sort(pages)
	return slices.Compact(pages)
}

// isSection reports whether the generator, without a navigation, makes a section of a folder
// that has no page of its own.
func (s Site) isSection(dir string) bool {
	in := dir != "." && dir != s.Root && (s.Root == "." || strings.HasPrefix(dir, s.Root+"/"))
	switch s.System {
	case "hugo", "docusaurus":
		return in
	case "astro":
		return in && starlightOptions(s.said).Kind == script.Object
	case "jekyll": // of a collection, or in one
		name, _, _ := strings.Cut(strings.TrimPrefix(dir, strings.TrimPrefix(path.Join(s.Root, s.said.Get("collections_dir").Text)+"/", "./")), "/")
		name, named := strings.CutPrefix(name, "_")
		all := s.said.Get("collections")
		return in && named && name != "posts" && (all.Get(name).Kind != script.Null || slices.ContainsFunc(all.Items, func(n script.Node) bool { return n.Text == name }))
	}
	return false
}
