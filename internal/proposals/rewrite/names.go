package rewrite

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Made stands for the page that a change makes. It sorts behind all identifiers, as the
// new one will.
const Made octavo.ID = "~"

// Page is a page as links know it.
type Page struct {
	ID        octavo.ID
	Slug      string
	Source    string // the path of its file, "" for none
	ImportSet string
}

// pathKey is the key under which links by path find the page.
func (p Page) pathKey() string {
	if p.Source == "" {
		return sqldb.Indexed(p.Slug)
	}
	return sqldb.Indexed(cmp.Or(reference.PathKey(p.Source), "/"))
}

// Names knows which pages links mean, before a change of pages and after it. It is used
// by one goroutine.
type Names struct {
	baseURL  string
	basePath string
	slug     func(reference.Target) string
	known    map[pagestore.NameKey][]pagestore.Name
	missing  map[pagestore.NameKey]bool

	gone  map[octavo.ID]bool // pages that are deleted, or whose names are those in now
	now   map[octavo.ID]Page // pages that are renamed or made
	extra map[string]octavo.ID
}

// NewNames returns Names that know no page yet. baseURL is the public address of the
// server.
func NewNames(baseURL string) *Names {
	basePath := ""
	if u, err := url.Parse(strings.TrimSuffix(baseURL, "/")); err == nil {
		basePath = u.Path
	}
	return &Names{
		baseURL: baseURL, basePath: basePath, slug: reference.Slugs(), known: map[pagestore.NameKey][]pagestore.Name{}, missing: map[pagestore.NameKey]bool{},
		gone: map[octavo.ID]bool{}, now: map[octavo.ID]Page{}, extra: map[string]octavo.ID{},
	}
}

// Change has a page named so from now on; a page that is not known yet is made.
func (n *Names) Change(p Page) { n.now[p.ID] = p }

// Delete has a page gone, and its slugs lead to another.
func (n *Names) Delete(id, heir octavo.ID, slugs []string) {
	n.gone[id] = true
	for _, slug := range slugs {
		n.extra[slug] = heir
	}
}

// Missing returns the names that were asked for and are not known.
func (n *Names) Missing() (keys []pagestore.NameKey) {
	for key := range n.missing {
		keys = append(keys, key)
	}
	return keys
}

// Learn takes the answer to Missing.
func (n *Names) Learn(names []pagestore.Name) {
	for key := range n.missing {
		n.known[key] = nil
	}
	clear(n.missing)
	for _, name := range names {
		n.known[name.Key] = append(n.known[name.Key], name)
	}
}

// found is the page that a link means.
type found struct {
	Page
	by     pagestore.NameKey
	former bool // by a slug that redirects
	hidden bool
}

// when tells of which state of the pages something is asked.
type when uint8

const (
	before when = iota
	after
	afterSeen // after, as if pages that the audience does not see were not there
)

// find returns the page that a link on a page means, as pagestore has it; ok is false
// where it means none, and where that is not known yet.
func (n *Names) find(w when, href string, on Page) (f found, ok bool) {
	unknown := false
	for _, t := range reference.Targets(href, on.Source, n.baseURL) {
		target := pagestore.Target{Page: octavo.ID(t.PageID)}
		if target.Page == "" {
			target.Path, target.Slug = cmp.Or(t.Path, "/"), n.slug(t)
		}
		for _, key := range target.Keys() {
			f, ok := n.named(w, key, on.ImportSet)
			if ok && !unknown {
				return f, !f.hidden
			}
			unknown = unknown || n.missing[key]
		}
	}
	return f, false
}

// named returns the page that a name means in an import set.
func (n *Names) named(w when, key pagestore.NameKey, set string) (f found, ok bool) {
	names, known := n.known[key]
	if !known {
		n.missing[key] = true
		return f, false
	}
	if w != before {
		names = n.changed(names, key)
	}
	if w == afterSeen {
		names = slices.DeleteFunc(slices.Clone(names), func(name pagestore.Name) bool { return name.Hidden })
	}
	if len(names) == 0 {
		return f, false
	}
	best := slices.MinFunc(names, func(a, b pagestore.Name) int { // those of the same import come first
		if same := a.ImportSet == set; same != (b.ImportSet == set) {
			return map[bool]int{true: -1, false: 1}[same]
		}
		return strings.Compare(string(a.Page), string(b.Page))
	})
	return found{Page{best.Page, best.Slug, best.Source, best.ImportSet}, key, best.Former, best.Hidden}, true
}

// changed is who has a name after the change.
func (n *Names) changed(names []pagestore.Name, key pagestore.NameKey) (list []pagestore.Name) {
	for _, name := range names {
		p, renamed := n.now[name.Page]
		switch {
		case n.gone[name.Page]:
			continue
		case renamed && key.Path != "" && p.pathKey() != key.Path:
			continue
		case renamed && key.Slug != "":
			name.Former = key.Slug != p.Slug
		}
		list = append(list, name)
	}
	if heir, ok := n.extra[key.Slug]; ok && key.Slug != "" && len(list) == 0 {
		list = append(list, pagestore.Name{Key: key, Page: heir, Former: true})
	}
	for _, p := range n.now {
		has := key.Path != "" && p.pathKey() == key.Path
		if key.Slug != "" && p.Slug == key.Slug { // which only one page has
			list, has = nil, true
		}
		if has && !slices.ContainsFunc(list, func(name pagestore.Name) bool { return name.Page == p.ID }) {
			list = append(list, pagestore.Name{Key: key, Page: p.ID, ImportSet: p.ImportSet})
		}
	}
	return list
}
