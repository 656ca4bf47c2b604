package importer

import (
	"cmp"
	"crypto/sha256"
	"path"
	"slices"
	"strings"
)

// section is a part of the navigation in mkdocs.yml.
type section struct {
	place
	page *file // nil where no page of the tree is in it
}

// begin begins a section in another; nil is the top.
func (nav *navigation) begin(title string, in *section) *section {
	s := &section{place: place{title: title, position: nav.next(), section: in}}
	nav.sections = append(nav.sections, s)
	return s
}

// addSections gives each section of the navigation a page: the one that speaks for
// a folder and is listed in it, else a page without content.
func (p *plan) addSections(nav *navigation) {
	if nav == nil {
		return
	}
	used := map[*section]bool{}
	for _, f := range p.files {
		at := nav.places[f.path]
		if at.section != nil && p.speaks(f) && f != p.folders["."] && (at.section.page == nil || *at.position < *nav.places[at.section.page.path].position) {
			at.section.page = f
		}
		for s := at.section; s != nil; s = s.section {
			used[s] = true
		}
	}
	for _, s := range nav.sections {
		if !used[s] || s.page != nil {
			continue
		}
		parts := []string{s.title}
		for outer := s.section; outer != nil; outer = outer.section {
			parts = append(parts, outer.title)
		}
		slices.Reverse(parts)
		source := nav.entry.Path
		for _, part := range parts {
			slug, _ := p.slugs.Join([]string{part})
			source = path.Join(source, slug)
		}
		s.page = p.addPage(source)
		s.page.meta.address = "/" + strings.Join(parts, "/")
		nav.places[s.page.path] = s.place
	}
	slices.SortFunc(p.files, func(a, b *file) int { return cmp.Compare(a.path, b.path) })
}

// addPage adds a page that has no file: its source names what asks for it. It has a
// number where there is one of that source.
func (p *plan) addPage(source string) *file {
	for p.paths[source] != nil {
		source += "-2"
	}
	f := newFile(source)
	f.made, f.sum = true, sha256.Sum256(nil)
	p.files, p.paths[source] = append(p.files, f), f
	return f
}

// above returns the page that f hangs under by the navigation, else by its folder.
func (p *plan) above(f *file, nav *navigation) *file {
	if f == p.folders["."] {
		return nil
	}
	if at := nav.place(f.path); at.position != nil {
		for s := at.section; s != nil; s = s.section {
			if s.page != nil && s.page != f {
				return s.page
			}
		}
		return p.folders["."]
	}
	dir := path.Dir(f.path)
	if p.speaks(f) {
		dir = parentDir(dir)
	}
	for dir != "" && p.folders[dir] == nil {
		dir = parentDir(dir)
	}
	return p.folders[dir]
}
