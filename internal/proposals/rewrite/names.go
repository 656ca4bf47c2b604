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

// Made stands for the page that a change creates.
const Made octavo.ID = "~"

// Page is a page as links refer to it.
type Page struct {
	ID     octavo.ID
	Slug   string
	Source string // the path of its file, or ""
}

// Names resolves addresses to pages, in the store and after the change. It
// is for one goroutine.
type Names struct {
	baseURL  string
	basePath string
	slug     func(reference.Target) string

	known   map[question]pagestore.LinkTarget
	missing map[question]bool

	was []Page // the changing ones, by each of their slugs
	now map[octavo.ID]Page
}

// question asks for the target of an address in a file of a page.
type question struct {
	page         octavo.ID
	source, href string
}

// NewNames returns Names without any pages. baseURL is the public address of
// the server.
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

// Change records the new names of a page.
func (n *Names) Change(was, now Page) {
	n.was = append(n.was, was)
	n.Make(now)
}

// Make records a new page.
func (n *Names) Make(p Page) { n.now[p.ID] = p }

// Delete records a deleted page with its slugs.
func (n *Names) Delete(p Page, slugs []string) {
	for _, p.Slug = range slugs {
		n.was = append(n.was, p)
	}
}

// Ask looks up what is still unknown, and reports whether there was
// anything. resolve is that of [pagestore.Pages].
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

// find returns the present page of an address; ok is false if there is none,
// or if it is not known yet.
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

// way is how an address refers to a page.
type way uint8

const (
	not way = iota
	byID
	byFile
	bySlug
)

// names returns how an address on a page could refer to another one.
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

// concerns returns how an address could refer to a changing page, and that page.
func (n *Names) concerns(href string, on Page) (way, Page) {
	for _, p := range n.was {
		if by := n.names(href, on, p); by != not {
			return by, p
		}
	}
	return not, Page{}
}

// leads reports whether an address will lead to a page without a redirect.
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
