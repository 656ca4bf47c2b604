package importer

import (
	"encoding/json"
	"errors"
	"path"
	"slices"

	"github.com/octavo-docs/octavo"
)

// errNotAsked refuses a file that Options.Only does not name.
var errNotAsked = errors.New("the file was not asked for")

// asks reports whether to write the page of a file.
func (o Options) asks(file string) bool {
	return len(o.Only) == 0 || slices.ContainsFunc(o.Only, func(name string) bool { return o.under(name, file) })
}

func (o Options) under(name, file string) bool {
	file = path.Join(o.folder, file)
	return name == file || below(name)(file)
}

// asked restricts a report to the pages to write. Each name without a match becomes a
// failed entry.
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

// matchNames matches files without a page by the id in front matter, or by the slug if
// front matter sets it or no file made that page.
func (p *plan) matchNames() {
	byID := map[octavo.ID]*knownPage{}
	for _, k := range p.known.bySlug {
		byID[k.id] = k
	}
	for _, f := range p.files {
		if f.known != nil {
			continue
		}
		front, _ := octavo.ValueOf(f.front) // empty without front matter
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

// Moves reports whether front matter sets another address or position than the page has.
func Moves(page octavo.Page, front json.RawMessage) (address, position bool) {
	read := func(front json.RawMessage) meta {
		v, _ := octavo.ValueOf(front) // empty without front matter
		m := readMeta(v, func(string) int { return 1 }, func(int, string, ...any) {})
		if m.last == string(page.ID) {
			m.last = "" // it identifies the page
		}
		return m
	}
	a, b := read(page.Frontmatter), read(front)
	return a.address != b.address || a.last != b.last, !samePosition(a.position, b.position)
}
