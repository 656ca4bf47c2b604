package importer

import (
	"cmp"
	"crypto/sha256"
	"path"
	"slices"
	"time"
)

// section is a part of the navigation in mkdocs.yml.
type section struct {
	place
	address string
	used    bool  // a page of the tree is in it
	page    *file // nil where none is
	shared  bool  // it lists pages of several folders, so that none of these speaks for it
}

// begin begins a section in another; nil is the top. One without a title is none.
func (nav *navigation) begin(title string, in *section) *section {
	if title == "" {
		return in
	}
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
	for _, f := range p.files {
		in := nav.places[f.path].section
		if in != nil && p.speaks(f) && f != p.folders["."] {
			if in.page == nil || below(path.Dir(f.path))(in.page.path) {
				in.page, in.shared = f, false
			} else if !below(path.Dir(in.page.path))(f.path) {
				in.shared = true
			}
		}
		for ; in != nil; in = in.section {
			in.used = true
		}
	}
	for _, s := range nav.sections {
		s.address, _ = p.slugs.Join([]string{s.title})
		if s.section != nil {
			s.address = path.Join(s.section.address, s.address)
		}
		if s.page != nil && !s.shared {
			if at := nav.places[s.page.path]; at.title != "" { // such as "Overview"
				at.title = s.title
				nav.places[s.page.path] = at
			}
		} else if s.used {
			s.page = p.addPage(path.Join(nav.entry.Path, s.address))
			s.page.meta.address = "/" + s.address
			nav.places[s.page.path] = s.place
		}
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

// holdSections holds back the sections whose pages all are, until the first of
// these is published. of is how a page is held back now, or was before.
func (p *plan) holdSections(now time.Time, of func(*file) *hold) {
	open, first := map[*file]bool{}, map[*file]*time.Time{}
	for _, f := range p.files {
		h := of(f)
		for up := f.parent; up != nil && h != nil && !f.made; up = up.parent {
			open[up] = open[up] || !h.draft(now)
			if publish, _ := h.schedule(now); publish != nil && (first[up] == nil || publish.Before(*first[up])) {
				first[up] = publish
			}
		}
	}
	for _, f := range p.files {
		h, at := of(f), first[f]
		switch {
		case !f.made || h == nil || open[f]:
		case at != nil:
			h.publish, h.dates = at, []dated{{name: "the date of the first page in it", line: 1, at: *at}}
		default:
			h.because(1, "all pages in it are")
		}
	}
}

func (f *file) holdNow() *hold { return &f.meta.hold }

func (f *file) holdBefore() *hold {
	if f.known == nil {
		return nil
	}
	return &f.known.hold
}
