package rewrite

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Made stands for the page that a change makes.
const Made octavo.ID = "~"

// Page is a page as links know it.
type Page struct {
	ID     octavo.ID
	Slug   string
	Source string // the path of its file, "" for none
}

// Names knows which pages addresses mean, as the store has it, and what a change makes of
// the names of pages. It is used by one goroutine.
type Names struct {
	baseURL  string
	basePath string
	slug     func(reference.Target) string

	known   map[question]pagestore.LinkTarget
	missing map[question]bool

	was []Page // those that change, by each slug of theirs
	now map[octavo.ID]Page
}

// question asks where an address leads that stands in a file of a page.
type question struct {
	page         octavo.ID
	source, href string
}

// NewNames returns Names that know no page yet. baseURL is the public address of the
// server.
func NewNames(baseURL string) *Names {
	basePath := ""
	if u, err := url.Parse(strings.TrimSuffix(baseURL, "/")); err == nil {
		basePath = u.Path
	}
	return &Names{
		baseURL: baseURL, basePath: basePath, slug: reference.Slugs(), now: map[octavo.ID]Page{},
		known: map[question]pagestore.LinkTarget{}, missing: map[question]bool{},
	}
}

// Change has a page named so from now on.
func (n *Names) Change(was, now Page) {
	n.was = append(n.was, was)
	n.Make(now)
}

// Make has a page come.
func (n *Names) Make(p Page) { n.now[p.ID] = p }

// Delete has a page go that has some slugs.
func (n *Names) Delete(p Page, slugs []string) {
	for _, p.Slug = range slugs {
		n.was = append(n.was, p)
	}
}

// Ask asks what was not known, and reports whether there was anything. resolve is that of
// [pagestore.Pages].
func (n *Names) Ask(resolve func(from octavo.ID, candidates []pagestore.Target) ([]pagestore.LinkTarget, error)) (asked bool, err error) {
	pages := map[octavo.ID][]question{}
	for q := range n.missing {
		pages[q.page] = append(pages[q.page], q)
	}
	clear(n.missing)
	for page, questions := range pages {
		var candidates []pagestore.Target
		for i, q := range questions {
			n.known[q] = pagestore.LinkTarget{}
			for rank, t := range reference.Targets(q.href, q.source, n.baseURL) {
				c := pagestore.Target{Link: i, Rank: rank, Page: octavo.ID(t.PageID)}
				if c.Page == "" {
					c.Path, c.Slug = cmp.Or(t.Path, "/"), n.slug(t)
				}
				candidates = append(candidates, c)
			}
		}
		targets, err := resolve(page, candidates)
		if err != nil {
			return false, err
		}
		for _, t := range targets {
			n.known[questions[t.Link]] = t
		}
	}
	return len(pages) > 0, nil
}

// find returns the page that an address on a page means now; ok is false where it means
// none, and where that is not known yet.
func (n *Names) find(href string, on Page) (p pagestore.LinkTarget, ok bool) {
	q := question{on.ID, on.Source, href}
	if on.ID == Made {
		q.page = ""
	}
	p, known := n.known[q]
	if !known {
		n.missing[q] = true
	}
	return p, p.ID != ""
}

// way is how an address names a page.
type way uint8

const (
	not way = iota
	byID
	byFile
	bySlug
)

// names returns how an address on a page could name another one.
func (n *Names) names(href string, on, p Page) way {
	for _, t := range reference.Targets(href, on.Source, n.baseURL) {
		key := sqldb.Indexed(cmp.Or(t.Path, "/"))
		switch {
		case t.PageID != "" && octavo.ID(t.PageID) == p.ID:
			return byID
		case t.PageID != "":
		case p.Source != "" && (key == sqldb.Indexed(cmp.Or(reference.PathKey(p.Source), "/")) || t.Path == reference.NameKey(p.Source)):
			return byFile
		case p.Source == "" && key == sqldb.Indexed(p.Slug), n.slug(t) == p.Slug:
			return bySlug
		}
	}
	return not
}

// concerns returns how an address could name a page that changes, and that page.
func (n *Names) concerns(href string, on Page) (way, Page) {
	for _, p := range n.was {
		if by := n.names(href, on, p); by != not {
			return by, p
		}
	}
	return not, Page{}
}

// leads reports whether an address leads to a page then, and not by a redirect.
func (n *Names) leads(address string, from, to Page) bool {
	href, ok := reference.URI(address)
	if !ok {
		return false
	}
	present, found := n.find(href, from)
	if _, changes := n.now[to.ID]; !changes {
		return present.ID == to.ID
	}
	if n.names(href, from, to) == not {
		return false
	}
	gone := false
	for _, p := range n.was {
		_, stays := n.now[p.ID]
		gone = gone || p.ID == present.ID && !stays
	}
	return !found || present.ID == to.ID || gone
}
