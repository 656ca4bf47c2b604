// Package outline keeps the place of every page in memory: its parent, its position and
// its names, without its text. It follows the change log, so that the cost of a change
// depends on its size.
//
//	now, err := service.Now(ctx)
//	tree := now.For(audience)
//
// An [Outline] has the pages at one moment, and a [Layout] those that an audience sees.
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
	known   map[octavo.ID]*Page // of looks alone, as loaded
	loaded  uint64
	pack    deflate.Compressor
	most    int // MaxTree; smaller in tests
}

// Outline is all pages at one moment. The texts of pages in it may be newer.
type Outline struct {
	stamp store.Stamp
	read  int64 // position of the log up to which changes are in it

	Loaded  uint64 // counts how often all pages were read
	Changed int64  // the position of the last change that had to do with pages or files

	all, published *Layout
}

// Layout is the pages that an audience sees, each in its place. It never changes, and
// the next outline has the same one unless a page that it shows has moved.
type Layout struct {
	Pages []*Page // in the order of siblings, whatever their parent is

	published bool // the audience sees no others
	tree      func() *tree
	answers   answers
}

// Page is a page in its place: its parent, position, title, slug, status, path and
// language stay what they are. What else is said of it may become newer.
type Page struct{ atomic.Pointer[Said] }

// Said is what is known of a page without its surroundings.
type Said struct {
	pagestore.Outlined // without Frontmatter, see Front; Language is that of the page
	front              func() *Front
}

// Front is what the front matter of a page says to readers.
type Front struct {
	Description string
	Tags        []string
	NoIndex     bool
	Updated     time.Time
}

// Front returns what the front matter says. It is read when it is first asked for.
func (s *Said) Front() *Front { return s.front() }

// MaxDescription bounds the description of a page, in bytes.
const MaxDescription = 500

func newSaid(p pagestore.Outlined) *Said {
	said := &Said{Outlined: p}
	said.Frontmatter, said.Language = nil, octavo.PageLanguage(p.Frontmatter, p.Language)
	said.front = sync.OnceValue(func() *Front {
		f := &Front{
			Tags: octavo.Tags(p.Frontmatter), NoIndex: octavo.NoIndex(p.Frontmatter),
			Description: OneLine(octavo.FrontText(p.Frontmatter, "description"), MaxDescription), Updated: time.UnixMilli(p.Updated).UTC(),
		}
		if said := octavo.FrontUpdated(p.Frontmatter); !said.IsZero() && p.Revision == 1 { // as exports have it
			f.Updated = said.UTC()
		}
		p.Frontmatter = nil
		return f
	})
	return said
}

// OneLine makes one line of text, of so many bytes at most.
func OneLine(text string, most int) string {
	line := strings.Clone(strings.Join(strings.Fields(text), " "))
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "…"
}

// stays reports whether a page is where it was, under the same names.
func (s *Said) stays(before *Said) bool {
	return s.Slug == before.Slug && s.Title == before.Title && s.ParentID == before.ParentID && s.Status == before.Status && s.Path == before.Path &&
		pagestore.CompareSiblings(s.Stub, before.Stub) == 0 && s.Language == before.Language
}

// lookTime is how long a request waits for the outline at most.
const lookTime = 30 * time.Second

// New returns the outline of a store, of which nothing is read yet.
func New(st *store.Store) *Service {
	s := &Service{store: st, most: MaxTree}
	s.looks.Start(s.refresh, st.DB.Life().Go, 1, lookTime)
	return s
}

// Now returns the present outline: the same one as before where nothing has changed.
// It has everything that was committed before the call. Concurrent calls share one
// refresh.
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

// For returns what the audience sees.
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

// arrangeAll puts the known pages in order.
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
