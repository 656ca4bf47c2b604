package importer

import (
	"io/fs"
	"path"
	"slices"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/importer/filename"
)

// lostOrder is the note about an unreadable navigation.
const lostOrder = "the order, sections and titles in this file are not imported"

// addHidden adds a hidden file or folder that configures pages.
func (t *listing) addHidden(fsys fs.FS, name string) {
	t.data = append(t.data, name)
	t.lookInto(fsys, name)
	if base := path.Base(name); base == ".vitepress" || base == ".vuepress" {
		found, _ := fs.Glob(fsys, name+"/config.*") // the pattern is valid
		inside, _ := fs.Glob(fsys, name+"/config/index.*")
		t.data = slices.Concat(t.data, found, inside) // they are reported there
	} else if base == ".navigation.yml" { // the label of a folder in Nuxt Content
		t.folders[path.Dir(name)] = name
	} else if filename.IsNavigation(name) {
		t.skipped = append(t.skipped, skipped(name, lostOrder))
	}
}

// lookInto adds the media in a hidden folder, which pages may show, and reports folders
// with content.
func (t *listing) lookInto(fsys fs.FS, name string) {
	if path.Base(name) == "node_modules" {
		t.skipped = append(t.skipped, skipped(name, "folders of this name are not imported"))
		return
	}
	found := false
	_ = fs.WalkDir(fsys, name, func(file string, d fs.DirEntry, err error) error { // unreadable files stay hidden
		switch {
		case path.Base(file) == ".git":
			return fs.SkipDir
		case err != nil || !d.Type().IsRegular() || !utf8.ValidString(file):
		case filename.IsMedia(file):
			found = true
			t.others = append(t.others, file)
		case reference.IsText(file):
			found = true
		}
		return nil
	})
	if found {
		t.skipped = append(t.skipped, skipped(name, "it is hidden, so only pictures and other files that pages refer to are imported from it"))
	}
}

// noteSections reports folders that contain pages but have none themselves, unless they
// have a _category_ file.
func (p *plan) noteSections(categories map[string]string) {
	seen := map[string]bool{}
	for _, f := range p.files {
		dir := path.Dir(f.path)
		if _, ok := p.listed[f]; ok || dir == "." || dir == p.root || seen[dir] || f.made || p.folders[dir] != nil || categories[dir] != "" {
			continue
		}
		seen[dir] = true
		where := "at the top"
		if f.parent != nil {
			where = "under " + f.parent.path
		}
		p.entries = append(p.entries, skipped(dir, "the folder has no page of its own, so its name is lost; its pages are %s", where))
	}
}
