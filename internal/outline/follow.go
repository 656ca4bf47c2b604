package outline

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
)

// maxFollowed is the number of changed pages after which all pages are read again.
const maxFollowed = 1000

// refresh updates the outline. Only one refresh runs at a time.
func (s *Service) refresh([]struct{}) (*Outline, error) {
	ctx := s.store.DB.Life().Context()
	stamp, err := s.store.Stamps.All(ctx)
	if err != nil {
		return nil, err
	}
	last := s.current.Load()
	if last != nil && last.stamp.Is(stamp) {
		return last, nil
	}
	var next *Outline
	if last == nil || last.stamp.Epoch() != stamp.Epoch() {
		next, err = s.load(ctx)
	} else {
		next, err = s.follow(ctx, last)
	}
	if err != nil {
		s.current.Store(nil) // it may be partly updated
		return nil, s.store.DB.Life().Err(err)
	}
	next.stamp = stamp
	s.current.Store(next)
	return next, nil
}

// load reads all pages.
func (s *Service) load(ctx context.Context) (*Outline, error) {
	position, err := s.store.Log.Last(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.store.Selection.Outline(ctx, nil)
	if err != nil {
		return nil, err
	}
	s.known = make(map[octavo.ID]*Page, len(list))
	for _, p := range list {
		s.known[p.ID] = newPage(newSaid(p))
	}
	s.loaded++
	next := &Outline{read: position, Loaded: s.loaded, Changed: position}
	next.all, next.published = s.arrangeAll()
	return next, nil
}

func newPage(said *Said) *Page {
	p := &Page{}
	p.Store(said)
	return p
}

// follow reads the pages that have changed since last.
func (s *Service) follow(ctx context.Context, last *Outline) (*Outline, error) {
	next, ids := *last, map[octavo.ID]bool{}
	for {
		list, err := s.store.Log.Changes(ctx, next.read, maxFollowed)
		var gone *changelog.TruncatedError
		if errors.As(err, &gone) {
			return s.load(ctx)
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
				ids[c.Page], next.Changed = true, next.read
			case "asset":
				next.Changed = next.read
			}
		}
		if len(ids) > maxFollowed {
			return s.load(ctx)
		}
	}
	if end, err := s.store.Log.Last(ctx); err != nil || end < next.read { // the database has another history
		return s.load(ctx)
	}
	if len(ids) == 0 {
		return &next, nil
	}
	return &next, s.take(ctx, &next, slices.Collect(maps.Keys(ids)))
}

// take reads pages again and moves those whose place has changed.
func (s *Service) take(ctx context.Context, next *Outline, ids []octavo.ID) error {
	list, err := s.store.Selection.Outline(ctx, ids)
	if err != nil {
		return err
	}
	gone := make(map[octavo.ID]bool, len(ids))
	for _, id := range ids {
		gone[id] = s.known[id] != nil
	}
	var out, in []*Page
	for _, p := range list {
		now, before := newSaid(p), s.known[p.ID]
		gone[p.ID] = false
		switch {
		case before == nil:
			s.known[p.ID] = newPage(now)
			in = append(in, s.known[p.ID])
		case now.stays(before.Load()):
			before.Store(now)
		default:
			s.known[p.ID] = newPage(now)
			out, in = append(out, before), append(in, s.known[p.ID])
		}
	}
	for id, was := range gone {
		if was {
			out = append(out, s.known[id])
			delete(s.known, id)
		}
	}
	next.all = next.all.with(out, in)
	next.published = next.published.with(shown(out), shown(in))
	return nil
}

func shown(pages []*Page) []*Page {
	return slices.DeleteFunc(slices.Clone(pages), func(p *Page) bool { return p.Load().Status != octavo.Published })
}

// with returns the layout without some pages and with others. It returns l if there are
// none.
func (l *Layout) with(not, also []*Page) *Layout {
	if len(not)+len(also) == 0 {
		return l
	}
	leave := make(map[*Page]bool, len(not))
	for _, p := range not {
		leave[p] = true
	}
	pages := slices.DeleteFunc(slices.Clone(l.Pages), func(p *Page) bool { return leave[p] })
	pages = append(pages, also...)
	slices.SortFunc(pages, comparePages)
	return newLayout(pages, l.published)
}
