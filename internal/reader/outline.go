package reader

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/site/look"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// outline is all pages without their texts. Its tree never changes; the description
// and the date of a page that stays where it is may be newer than the tree.
type outline struct {
	stamp  store.Stamp
	read   int64 // position of the log up to which changes are in it
	moment moment

	pages  map[octavo.ID]*page
	slugs  map[string]*page
	paths  map[string]*page // by reference.PathKey of their files; nil where two claim one
	order  []*page          // as they are read one after the other
	home   *page            // nil where there are no pages
	look   look.Site
	tongue words.Words

	settings *settings
	custom   *File // the styles of the settings; nil for none
}

// moment names what pages and lists are made from: the last change that had to do
// with pages or their files, and the version of the settings.
type moment struct{ change, settings int64 }

// source is what is known of a page whatever stands around it.
type source struct {
	pagestore.Outlined
	language, description string
	tags                  []string
	hidden                bool // from robots
	changed               time.Time
}

// page is a page in the tree.
type page struct {
	*look.Node
	id    octavo.ID
	slug  string
	index int
	said  atomic.Pointer[source]
}

// After maxFollowed changed pages, all pages are read anew. A request waits for
// lookTime at most.
const (
	maxFollowed = 1000
	lookTime    = 30 * time.Second
)

// outline returns the present outline. It has everything that was committed before
// the call. Concurrent calls share one refresh.
func (s *Service) outline(ctx context.Context) (*outline, error) {
	stamp, err := s.Store.Stamps.All(ctx)
	if err != nil {
		return nil, err
	}
	if o := s.current.Load(); o != nil && o.stamp.Is(stamp) {
		return o, nil
	}
	return s.looks.Share(ctx, struct{}{})
}

// refresh brings the outline up to date. One refresh runs at a time.
func (s *Service) refresh([]struct{}) (*outline, error) {
	ctx := s.Store.DB.Life().Context()
	stamp, err := s.Store.Stamps.All(ctx)
	if err != nil {
		return nil, err
	}
	last := s.current.Load()
	if last != nil && last.stamp.Is(stamp) {
		return last, nil
	}
	set, err := s.readSettings(ctx)
	if err != nil {
		return nil, err
	}
	var next *outline
	switch {
	case last == nil || last.stamp.Epoch() != stamp.Epoch():
		next, err = s.load(ctx, set)
	default:
		next, err = s.follow(ctx, last, set)
	}
	if err != nil {
		s.current.Store(nil) // what is known may be in part of now
		return nil, s.Store.DB.Life().Err(err)
	}
	next.stamp = stamp
	s.current.Store(next)
	return next, nil
}

// load reads all pages.
func (s *Service) load(ctx context.Context, set *settings) (*outline, error) {
	position, err := s.Store.Log.Last(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.Store.Selection.Outline(ctx, audience(), nil)
	if err != nil {
		return nil, err
	}
	s.kept.clear()
	s.known = make(map[octavo.ID]*source, len(list))
	for _, p := range list {
		s.known[p.ID] = sourceOf(p)
	}
	return s.arrange(position, set)
}

// follow reads the pages that have changed since.
func (s *Service) follow(ctx context.Context, last *outline, set *settings) (*outline, error) {
	next, ids := *last, map[octavo.ID]bool{}
	for {
		list, err := s.Store.Log.Changes(ctx, next.read, maxFollowed)
		var gone *changelog.TruncatedError
		if errors.As(err, &gone) {
			return s.load(ctx, set)
		}
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			break
		}
		for _, c := range list {
			next.read = c.Position
			switch kind, _, _ := strings.Cut(string(c.Kind), "."); kind {
			case "page":
				ids[c.Page], next.moment.change = true, next.read
			case "asset":
				next.moment.change = next.read
			}
		}
		if len(ids) > maxFollowed {
			return s.load(ctx, set)
		}
	}
	if end, err := s.Store.Log.Last(ctx); err != nil || end < next.read { // another history
		return s.load(ctx, set)
	}
	moved, err := s.take(ctx, last, slices.Collect(maps.Keys(ids)))
	if err != nil {
		return nil, err
	}
	if moved || !set.isSame(last.settings) {
		return s.arrange(next.read, set)
	}
	return &next, nil
}

// take reads some pages again, and reports whether the tree is another one then.
func (s *Service) take(ctx context.Context, last *outline, ids []octavo.ID) (moved bool, err error) {
	if len(ids) == 0 {
		return false, nil
	}
	list, err := s.Store.Selection.Outline(ctx, audience(), ids)
	if err != nil {
		return false, err
	}
	var appeared []octavo.ID
	found := make(map[octavo.ID]bool, len(list))
	for _, p := range list {
		found[p.ID] = true
		if s.known[p.ID] == nil {
			appeared = append(appeared, p.ID)
		}
	}
	if len(appeared) > 0 { // the pages below have a parent now
		below, err := s.Store.Selection.OutlineBelow(ctx, audience(), appeared)
		if err != nil {
			return false, err
		}
		list = append(list, below...)
	}
	for _, id := range ids {
		if !found[id] && s.known[id] != nil {
			moved = true
			delete(s.known, id)
		}
	}
	for _, p := range list {
		now, before := sourceOf(p), s.known[p.ID]
		s.known[p.ID] = now
		if before == nil || !now.stays(before) || last.pages[p.ID] == nil {
			moved = true
		} else {
			last.pages[p.ID].said.Store(now)
		}
	}
	return moved, nil
}

// stays reports whether a page is where it was, under the same name.
func (p *source) stays(before *source) bool {
	return p.Slug == before.Slug && p.Title == before.Title && p.ParentID == before.ParentID && p.Path == before.Path && p.language == before.language &&
		pagestore.CompareSiblings(p.Stub, before.Stub) == 0
}

// maxDescription bounds the description of a page, in bytes.
const maxDescription = 500

func sourceOf(p pagestore.Outlined) *source {
	made := &source{
		Outlined: p, language: octavo.Language(p.Frontmatter), tags: octavo.Tags(p.Frontmatter), hidden: octavo.NoIndex(p.Frontmatter),
		description: oneLine(octavo.FrontText(p.Frontmatter, "description"), maxDescription), changed: time.UnixMilli(p.Updated).UTC(),
	}
	if said := octavo.FrontUpdated(p.Frontmatter); !said.IsZero() && p.Revision == 1 { // as exports have it
		made.changed = said.UTC()
	}
	made.Outlined.Frontmatter = nil
	return made
}

// arrange puts the known pages into their tree.
func (s *Service) arrange(position int64, set *settings) (*outline, error) {
	o := &outline{
		read: position, moment: moment{position, set.version}, settings: set,
		pages: make(map[octavo.ID]*page, len(s.known)), slugs: make(map[string]*page, len(s.known)), paths: make(map[string]*page, len(s.known)),
	}
	sources := slices.SortedFunc(maps.Values(s.known), func(a, b *source) int { return pagestore.CompareSiblings(a.Stub, b.Stub) })
	list := make([]*page, 0, len(sources))
	for _, p := range sources {
		made := &page{Node: look.NewNode(s.At("/"+p.Slug), p.Title), id: p.ID, slug: p.Slug}
		made.said.Store(p)
		o.pages[p.ID], o.slugs[p.Slug] = made, made
		list = append(list, made)
	}
	children := map[octavo.ID][]*page{}
	for i, p := range list {
		above := sources[i].ParentID
		if o.pages[above] == nil {
			above = ""
		}
		children[above] = append(children[above], p)
		if path := sources[i].Path; path != "" {
			key := reference.PathKey(path)
			_, claimed := o.paths[key]
			if o.paths[key] = p; claimed {
				o.paths[key] = nil
			}
		}
	}
	o.order = make([]*page, 0, len(list))
	var add func(above *page, list []*page)
	add = func(above *page, list []*page) { // as deep as the tree, at most octavo.MaxDepth
		for _, p := range list {
			p.index = len(o.order)
			o.order = append(o.order, p)
			if above == nil {
				o.look.Top = append(o.look.Top, p.Node)
			} else {
				p.Parent = above.Node
				above.Children = append(above.Children, p.Node)
			}
			add(p, children[p.id])
		}
	}
	add(nil, children[""])
	return o, s.dress(o)
}

// dress says what all pages have in common.
func (s *Service) dress(o *outline) (err error) {
	home := s.At("")
	language := ""
	if len(o.order) > 0 {
		o.home = o.order[0]
		if id := o.settings.Home; id != nil && o.pages[*id] != nil {
			o.home = o.pages[*id]
		}
		o.home.Href = home
		language = o.home.said.Load().language
	}
	language = cmp.Or(o.settings.Language, language, words.LanguageOf(func(yield func(string) bool) {
		for _, p := range o.order {
			if !yield(p.Name) {
				return
			}
		}
	}), "en")
	o.tongue = words.In(language)
	o.look.Title, o.look.Language, o.look.Words = o.tongue.Untitled, language, &o.tongue
	if len(o.look.Top) == 1 {
		o.look.Title = o.look.Top[0].Name
	}
	o.look.Home, o.look.Find = home, s.own+"/search"
	o.look.More = func(above *look.Node) string {
		if above == nil {
			return s.own + "/pages"
		}
		slug := strings.TrimPrefix(above.Href, s.base+"/")
		if above.Href == home {
			slug = o.home.slug
		}
		return s.own + "/pages?under=" + slug
	}
	if o.look.Files, err = s.links(language); err != nil {
		return err
	}
	return s.customize(o)
}

// neighbour returns the page that comes so many pages later, nil beyond the ends.
func (o *outline) neighbour(p *page, by int) *look.Node {
	if i := p.index + by; 0 <= i && i < len(o.order) {
		return o.order[i].Node
	}
	return nil
}

// oneLine makes one line of text, of so many bytes at most.
func oneLine(text string, most int) string {
	line := strings.Clone(strings.Join(strings.Fields(text), " "))
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "…"
}
