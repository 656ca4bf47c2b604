// Package outline keeps the tree of pages in memory: parents, order and names, without
// texts. It follows the change log, so that an update costs as much as the change.
//
//	now, err := service.Now(ctx)
//	tree := now.For(audience)
//
// An [Outline] has the pages at one moment, and a [Layout] those visible to an audience.
// Start with Now; follow.go updates the outline, and tree.go serves parts of the tree.
package outline

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/deflate"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// Service keeps the outline of a store. It is safe for concurrent use.
type Service struct {
	store   *store.Store
	looks   store.Looks[struct{}, *Outline]
	current atomic.Pointer[Outline]
	known   map[octavo.ID]*Page // used by refresh only, as loaded
	loaded  uint64
	pack    deflate.Compressor
	most    int // MaxTree; smaller in tests
}

// Outline has all pages at one moment. Their other data may be newer.
type Outline struct {
	stamp store.Stamp
	read  int64 // position of the log up to which it has changes

	Loaded  uint64 // number of times that all pages were read
	Changed int64  // position of the last change of pages or files

	all, published *Layout
}

// Layout has the pages visible to an audience. It is immutable. The next outline has the
// same layout unless the place of a visible page has changed.
type Layout struct {
	Pages []*Page // siblings are in order

	published bool // only published pages are visible
	tree      func() *tree
	answers   answers
}

// Page is a page in the tree: parent, position, title, slug, status, path and language
// never change. The rest may become newer.
type Page struct{ atomic.Pointer[Said] }

// Said is the data of a page.
type Said struct {
	pagestore.Outlined // without Frontmatter, see Front; Language is the page's own
	front              func() *Front
}

// Front has the front matter fields that readers see.
type Front struct {
	Description string
	Tags        []string
	NoIndex     bool
	Updated     time.Time
}

// Front returns the front matter, parsed at the first call.
func (s *Said) Front() *Front { return s.front() }

// MaxDescription limits the description of a page in bytes.
const MaxDescription = 500

func newSaid(p pagestore.Outlined) *Said {
	said := &Said{Outlined: p}
	said.Frontmatter, said.Language = nil, octavo.PageLanguage(p.Frontmatter, p.Language)
	said.front = sync.OnceValue(func() *Front {
		f := &Front{
			Tags: octavo.Tags(p.Frontmatter), NoIndex: octavo.NoIndex(p.Frontmatter),
			Description: OneLine(octavo.FrontText(p.Frontmatter, "description"), MaxDescription), Updated: time.UnixMilli(p.Updated).UTC(),
		}
		if said := octavo.FrontUpdated(p.Frontmatter); !said.IsZero() && p.Revision == 1 { // like exports
			f.Updated = said.UTC()
		}
		p.Frontmatter = nil
		return f
	})
	return said
}

// OneLine returns text on one line, at most most bytes long.
func OneLine(text string, most int) string {
	line := strings.Clone(strings.Join(strings.Fields(text), " "))
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "…"
}

// stays reports whether place and names of a page are unchanged.
func (s *Said) stays(before *Said) bool {
	return s.Slug == before.Slug && s.Title == before.Title && s.ParentID == before.ParentID && s.Status == before.Status && s.Path == before.Path &&
		pagestore.CompareSiblings(s.Stub, before.Stub) == 0 && s.Language == before.Language
}

// lookTime limits how long a request waits for the outline.
const lookTime = 30 * time.Second

// New returns the outline of a store. It reads nothing yet.
func New(st *store.Store) *Service {
	s := &Service{store: st, most: MaxTree}
	s.looks.Start(s.refresh, st.DB.Life().Go, 1, lookTime)
	return s
}

// Now returns the current outline. It includes everything committed before the call, and
// is the same as before if nothing has changed. Concurrent calls share one refresh.
func (s *Service) Now(ctx context.Context) (*Outline, error) {
	stamp, err := s.store.Stamps.All(ctx)
	if err != nil {
		return nil, err
	}
	if o := s.current.Load(); o != nil && o.stamp.Is(stamp) {
		return o, nil
	}
	return s.looks.Share(ctx, struct{}{})
}

// For returns the layout visible to an audience.
func (o *Outline) For(aud octavo.Audience) *Layout {
	if aud.PublishedOnly {
		return o.published
	}
	return o.all
}

func newLayout(pages []*Page, published bool) *Layout {
	l := &Layout{Pages: pages, published: published}
	l.tree = sync.OnceValue(l.arrange)
	return l
}

// arrangeAll sorts the known pages.
func (s *Service) arrangeAll() (all, published *Layout) {
	pages, shown := make([]*Page, 0, len(s.known)), make([]*Page, 0, len(s.known))
	for _, p := range s.known {
		pages = append(pages, p)
	}
	slices.SortFunc(pages, comparePages)
	for _, p := range pages {
		if p.Load().Status == octavo.Published {
			shown = append(shown, p)
		}
	}
	return newLayout(pages, false), newLayout(shown, true)
}

func comparePages(a, b *Page) int { return pagestore.CompareSiblings(a.Load().Stub, b.Load().Stub) }
