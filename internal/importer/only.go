package importer

import (
	"encoding/json"
	"errors"
	"path"
	"slices"

	"github.com/octavo-docs/octavo"
)

// errNotAsked is that of a file which Options.Only does not name.
var errNotAsked = errors.New("the file was not asked for")

// asks reports whether the page of a file is to be written.
func (o Options) asks(file string) bool {
	return len(o.Only) == 0 || slices.ContainsFunc(o.Only, func(name string) bool { return o.under(name, file) })
}

func (o Options) under(name, file string) bool {
	file = path.Join(o.folder, file)
	return name == file || below(name)(file)
}

// asked leaves in a report what is about the pages that are to be written. A name
// that none of them has is an entry that failed.
func (o Options) asked(r Report) Report {
	if len(o.Only) == 0 {
		return r
	}
	r = slices.DeleteFunc(r, func(e Entry) bool { return !o.asks(e.Path) || !IsPage(e.Path) || e.gone })
	for _, name := range o.Only {
		if !slices.ContainsFunc(r, func(e Entry) bool { return o.under(name, e.Path) }) {
			e := Entry{Path: name}
			e.fail("an import does not make a page of this")
			r = append(r, e)
		}
	}
	return r
}

// matchNames ties files without a page to the page that the id in their front matter
// names, or to the one of their slug if front matter says that or no file brought it.
func (p *plan) matchNames() {
	byID := map[octavo.ID]*knownPage{}
	for _, k := range p.known.bySlug {
		byID[k.id] = k
	}
	for _, f := range p.files {
		if f.known != nil {
			continue
		}
		front, _ := octavo.ValueOf(f.front) // no members where there is none
		id, _ := front.Get("id")
		k := byID[octavo.ID(id.Str)]
		if k != nil && f.meta.last == id.Str {
			f.meta.last = ""
		}
		if slug, _ := p.slugs.Join(p.address(f)); k == nil {
			if k = p.known.bySlug[slug]; k != nil && k.source != "" && f.meta.address+f.meta.last == "" {
				k = nil
			}
		}
		if k != nil && k.file == nil {
			f.known, k.file = k, f
		}
	}
}

// Moves reports whether front matter says another address, and another position, than
// that of the page.
func Moves(page octavo.Page, front json.RawMessage) (address, position bool) {
	read := func(front json.RawMessage) meta {
		v, _ := octavo.ValueOf(front) // no members where there is none
		m := readMeta(v, func(string) int { return 1 }, func(int, string, ...any) {})
		if m.last == string(page.ID) {
			m.last = "" // it names the page
		}
		return m
	}
	a, b := read(page.Frontmatter), read(front)
	return a.address != b.address || a.last != b.last, !samePosition(a.position, b.position)
}
