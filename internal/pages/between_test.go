package pages

import (
	"context"
	"fmt"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// between is a context that calls then when a statement which was bounded by it
// has been read to its end.
type between struct {
	context.Context
	done chan struct{} // its own: package context knows the ends of its own contexts
	then func()
}

// Done implements context.Context.
func (b between) Done() <-chan struct{} { return b.done }

// AfterFunc is what package context looks for in contexts of others. It calls
// stop when the context that it makes of this one is over.
func (b between) AfterFunc(func()) (stop func() bool) {
	return func() bool { b.then(); return true }
}

// TestChangesBetweenReadingAndKeeping has a page changed, or another made, at
// once after each statement of a read: what was read may be answered, but the next
// read, whatever is kept of this one, has the change.
func TestChangesBetweenReadingAndKeeping(t *testing.T) {
	reads := map[string]func(context.Context, *Service, octavo.Page) (int64, error){
		"page": func(ctx context.Context, s *Service, p octavo.Page) (int64, error) {
			e, err := s.Encoded(ctx, octavo.Audience{}, p.ID, false)
			if err != nil {
				return 0, err
			}
			return e.Ref.Version, nil
		},
		"slug": func(ctx context.Context, s *Service, p octavo.Page) (int64, error) {
			bySlug, _, err := s.EncodedBySlug(ctx, octavo.Audience{}, p.Slug, false)
			if err != nil {
				return 0, err
			}
			e, err := s.Encoded(ctx, octavo.Audience{}, p.ID, false) // has what the other has kept
			if err != nil {
				return 0, err
			}
			return min(bySlug.Ref.Version, e.Ref.Version), nil
		},
		"list": func(ctx context.Context, s *Service, _ octavo.Page) (int64, error) {
			list, _, _, err := encodedList(ctx, s, octavo.Audience{}, pagestore.Query{Limit: 1})
			if err != nil {
				return 0, err
			}
			return list[0].Ref.Version, nil
		},
		"number": func(ctx context.Context, s *Service, _ octavo.Page) (int64, error) {
			list, _, _, err := encodedList(ctx, s, octavo.Audience{}, pagestore.Query{Limit: 100})
			return int64(len(list)), err
		},
	}
	onEachStore(t, func(t *testing.T, st *store.Store) {
		page, err := New(st.DB, st.Pages, st.Assets, 0).Create(t.Context(), sqldb.Cause{}, octavo.PageCreate{Title: "t", Slug: "s", Content: "c"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		pages := int64(1)
		for name, read := range reads {
			for at, more := 1, true; more; at++ { // the statement after which it is changed
				service := New(st.DB, st.Pages, st.Assets, 1<<20)
				statements := 0
				ctx := between{t.Context(), make(chan struct{}), func() {
					if statements++; statements != at {
						return
					}
					if name == "number" { // alone: of a page that has changed too, no list is kept
						in := octavo.PageCreate{Title: "t", Slug: fmt.Sprint("s", pages), Content: "c"}
						if _, err := service.Create(t.Context(), sqldb.Cause{}, in, nil); err != nil {
							t.Error(err)
						}
						pages++
						return
					}
					title := fmt.Sprint(name, at)
					if page, err = service.Patch(t.Context(), sqldb.Cause{}, page.ID, octavo.PagePatch{Title: &title}, nil); err != nil {
						t.Error(err)
					}
				}}
				if _, err := read(ctx, service, page); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if more = statements >= at; at == 1 && !more {
					t.Fatalf("%s: no statement was seen", name)
				}
				want := page.Version
				if name == "number" {
					want = pages
				}
				if have, err := read(t.Context(), service, page); err != nil || have != want {
					t.Errorf("%s, changed after statement %d: have %d, %v; want %d", name, at, have, err, want)
				}
			}
		}
	})
}
