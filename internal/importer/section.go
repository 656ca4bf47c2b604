package importer

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo/internal/importer/navigation"
)

// slot is the position of a page by the navigation or a _category_ file.
type slot struct {
	title    string
	position *int64
	parent   *file // nil at the top
}

// take positions the pages in a navigation; the first of several entries counts. A
// section without a page becomes a page without content.
func (p *plan) take(tree navigation.Tree) {
	p.read = tree.Read
	p.files = slices.DeleteFunc(p.files, func(f *file) bool {
		if tree.Read[f.path] {
			delete(p.paths, f.path)
		}
		return tree.Read[f.path]
	})
	p.placeAll(tree.Items, nil, "")
	slices.SortFunc(p.files, func(a, b *file) int { return cmp.Compare(a.path, b.path) })
	notes := map[string]*Entry{}
	for _, n := range tree.Notes {
		e := notes[n.File]
		if e == nil {
			e = &Entry{Path: n.File, Action: Skipped}
			notes[n.File] = e
		}
		e.note(n.Line, "%s", n.Text)
	}
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		p.entries = append(p.entries, *notes[name])
	}
}

// placeAll adds items below a parent. above is the path of their section titles. It
// reports whether there was any page.
func (p *plan) placeAll(items []*navigation.Item, parent *file, above string) (placed bool) {
	for _, it := range items {
		p.count++
		position := Spacing * int64(p.count)
		at := slot{oneLine(it.Title), &position, parent}
		f := p.paths[it.File]
		_, twice := p.listed[f]
		address, _ := p.slugs.Join([]string{it.Title})
		address = path.Join(above, address)
		switch {
		case f != nil && !twice:
			p.listed[f] = at
			p.placeAll(it.Children, f, map[bool]string{true: address, false: above}[it.Names])
			placed = true
		case at.title == "":
			placed = p.placeAll(it.Children, parent, above) || placed
		case len(it.Children) > 0 || it.ToCome:
			if f = newFile(""); !p.placeAll(it.Children, f, address) && !it.ToCome {
				continue
			}
			source := it.From
			if dir, base := path.Split(source); !strings.HasPrefix(base, "_category_") && base != ".navigation.yml" {
				source = path.Join(source, address)
				f.meta.address = "/" + address
			} else if p.folders[path.Clean(dir)] == nil {
				p.folders[path.Clean(dir)] = f
			}
			if it.Address != "" {
				f.meta.aliases = []alias{{path: it.Address}}
			}
			p.listed[f] = at
			p.add(f, source)
			placed = true
		}
	}
	return placed
}

// add adds a page without a file, named after its source. Further pages of one source
// get a number.
func (p *plan) add(f *file, source string) {
	free := source
	for n := 2; p.paths[free] != nil; n++ {
		free = source + "-" + strconv.Itoa(n)
	}
	f.path, f.entry.Path = free, free
	f.made, f.sum = true, sha256.Sum256(nil)
	p.files, p.paths[free] = append(p.files, f), f
}

// home returns the page above all others: that of the site's folder, unless the navigation
// lists it in a section.
func (p *plan) home() *file {
	home := p.folders[p.root]
	if p.listed[home].parent != nil {
		return nil
	}
	return home
}

// inside returns the page of the site's folder if it stands in a section and was the first
// page of the target, or if there was none. The site then needs it as its home page.
func (p *plan) inside() string {
	home := p.folders[p.root]
	if home == nil || p.home() != nil || home.top != "" {
		return ""
	}
	at := func(k *knownPage) int64 { return *cmp.Or(k.position, new(int64(math.MaxInt64))) }
	for _, k := range p.known.bySlug {
		if k.parent == "" && (home.known == nil || home.known.parent != "" || at(k) < at(home.known)) {
			return ""
		}
	}
	return home.path
}

// above returns the parent of f by the navigation, else by folder.
func (p *plan) above(f *file) *file {
	if f == p.home() {
		return nil
	}
	if at, ok := p.listed[f]; ok {
		return cmp.Or(at.parent, p.home())
	}
	if parent := p.named(f); parent != nil {
		return parent
	}
	dir := path.Dir(f.path)
	if p.speaks(f) {
		dir = p.around(dir)
	}
	for dir != "" && (p.folders[dir] == nil || p.folders[dir] == f) {
		dir = p.around(dir)
	}
	if dir == p.root {
		return p.home()
	}
	return p.folders[dir]
}

// around returns the parent folder that may have a page, "" for none.
func (p *plan) around(dir string) string {
	if dir == p.root || dir == "." {
		return ""
	}
	return path.Dir(dir)
}

// putLast moves unlisted pages behind listed ones. If the navigation should be complete
// it notes them, except translations.
func (p *plan) putLast(whole bool, language string) {
	lists := map[*file]bool{}
	for f := range p.listed {
		lists[f.parent] = true
	}
	for _, f := range p.files {
		_, ok := p.listed[f]
		if ok || f.made || f == p.folders[p.root] || len(p.listed) == 0 || !below(p.root)(f.path) {
			continue
		}
		if f.position != nil && lists[f.parent] {
			behind := *f.position + Spacing*int64(p.count)
			f.position = &behind
		}
		if whole && f.language == language {
			f.entry.note(1, "the navigation does not list it, so it comes after the listed pages")
		}
	}
}

// draftSections makes drafts of sections that contain only drafts, until the first
// page is published. of selects the present or the previous publication.
func (p *plan) draftSections(now time.Time, of func(*file) *publication) {
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

func (f *file) currentPublication() *publication { return &f.meta.publication }

func (f *file) lastPublication() *publication {
	if f.known == nil {
		return nil
	}
	return &f.known.publication
}
