package pages

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestReadersSeeTheLastCommit holds what is answered from memory against what
// the database has, after each of many changes, for both audiences.
func TestReadersSeeTheLastCommit(t *testing.T) {
	onEachStore(t, func(t *testing.T, st *store.Store) {
		m := &mirror{st: st}
		rapid.Check(t, func(rt *rapid.T) {
			m.ids = nil
			m.service = New(st.DB, st.Pages, st.Assets, rapid.SampledFrom([]int64{0, 8 << 10, 1 << 20}).Draw(rt, "memory"))
			for range 10 {
				m.change(rt)
				m.compare(rt)
			}
		})
	})
}

// mirror is a few pages, read through memory and beside it.
type mirror struct {
	st      *store.Store
	service *Service
	ids     []octavo.ID
	made    int
}

func (m *mirror) change(t *rapid.T) {
	ctx := context.Background()
	pick := func() octavo.ID {
		if len(m.ids) == 0 {
			return "page_none"
		}
		return rapid.SampledFrom(m.ids).Draw(t, "page")
	}
	status := rapid.SampledFrom([]octavo.PageStatus{octavo.Draft, octavo.Published, octavo.Archived}).Draw(t, "status")
	title := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "title")
	var err error
	switch rapid.IntRange(0, 5).Draw(t, "change") {
	case 0:
		var page octavo.Page
		m.made++
		in := octavo.PageCreate{Title: title, Slug: fmt.Sprint("p", m.made), Content: title, Status: status}
		page, err = m.service.Create(ctx, sqldb.Cause{}, in, nil)
		m.ids = append(m.ids, page.ID)
	case 1:
		_, err = m.service.Patch(ctx, sqldb.Cause{}, pick(), octavo.PagePatch{Title: &title, Status: &status}, nil)
	case 2:
		parent := pick()
		_, err = m.service.Patch(ctx, sqldb.Cause{}, pick(), octavo.PagePatch{ParentID: &parent}, nil)
	case 3:
		err = m.service.Delete(ctx, sqldb.Cause{}, pick(), pagestore.ChildrenCascade, nil)
	case 4:
		_, err = m.service.Restore(ctx, sqldb.Cause{}, pick(), nil)
	case 5:
		_, err = m.service.Replace(ctx, sqldb.Cause{}, pick(), octavo.PageCreate{Title: title, Slug: "r" + string(pick()[5:]), Content: "x"}, nil)
	}
	var refused *octavo.Error
	if err != nil && !errors.As(err, &refused) {
		t.Fatal(err)
	}
}

func (m *mirror) compare(t *rapid.T) {
	ctx := context.Background()
	for _, aud := range []octavo.Audience{{}, {PublishedOnly: true}} {
		for _, id := range m.ids {
			page, wantErr := m.st.Pages.Get(ctx, aud, id)
			have, err := m.service.Encoded(ctx, aud, id, rapid.Bool().Draw(t, "compressed"))
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("page %s for %+v: have error %v, want %v", id, aud, err, wantErr)
			}
			if err == nil {
				m.same(t, have, page)
			}
		}
		for _, q := range []pagestore.Query{
			{Limit: 3}, // and such as differ from it, or from the next, in one thing
			{Limit: 3, Sort: pagestore.SortTitle},
			{Limit: 3, Status: octavo.Published},
			{Limit: 3, Parent: new(octavo.ID)},
			{Limit: 3, Slug: "p1"},
			{Limit: 3, After: &sqldb.Cursor{ID: "page_z"}},
			{Limit: 3, UpdatedAfter: time.Now().Add(time.Hour)},
			{Limit: 3, Tag: "none"},
			{Limit: 10, Sort: pagestore.SortTitle},
			{Limit: 10, Sort: pagestore.SortUpdatedDesc, Status: octavo.Published},
		} {
			pages, wantMore, err := m.st.Pages.List(ctx, aud, q)
			if err != nil {
				t.Fatal(err)
			}
			m.sameAnswer(t, aud, q, pages)
			list, mark, more, err := encodedList(ctx, m.service, aud, q)
			if err != nil || len(list) != len(pages) || more != wantMore {
				t.Fatalf("list %+v for %+v: have %d pages, more %v, error %v, want %d, %v", q, aud, len(list), more, err, len(pages), wantMore)
			}
			for i, page := range pages {
				m.same(t, list[i], page)
			}
			if n := len(pages); n > 0 && mark != pagestore.CursorOf(pages[n-1], q.Sort) {
				t.Fatalf("list %+v for %+v: have mark %v, want %v", q, aud, mark, pagestore.CursorOf(pages[n-1], q.Sort))
			}
		}
	}
}

// sameAnswer holds the answer that is kept as a whole, or keeps one.
func (m *mirror) sameAnswer(t *rapid.T, aud octavo.Audience, q pagestore.Query, pages []octavo.Page) {
	want := []byte{'['}
	for _, p := range pages {
		want = p.AppendJSON(want)
	}
	packed := rapid.Bool().Draw(t, "packed")
	slice, err := m.service.FindList(context.Background(), aud, q, packed)
	if err != nil {
		t.Fatal(err)
	}
	if kept := slice.Answer(); kept.Body != nil && (!bytes.Equal(kept.Body, want) || kept.Packed != packed) {
		t.Fatalf("answer to %+v for %+v: have %s, want %s", q, aud, kept.Body, want)
	}
	slice.Keep(Answer{Body: want, Packed: packed})
}

func (m *mirror) same(t *rapid.T, have *Encoding, want octavo.Page) {
	if text := want.AppendJSON(nil); have.Ref != pagestore.RefOf(want) || !bytes.Equal(have.JSON, text) {
		t.Fatalf("have %+v %s\nwant %+v %s", have.Ref, have.JSON, pagestore.RefOf(want), text)
	}
}

// TestWritersAndReaders has pages read while they are changed: no reader sees
// a version that is older than one which was answered before it asked.
func TestWritersAndReaders(t *testing.T) {
	onEachStore(t, func(t *testing.T, st *store.Store) {
		service := New(st.DB, st.Pages, st.Assets, 1<<20)
		page, err := service.Create(t.Context(), sqldb.Cause{}, octavo.PageCreate{Title: "t", Slug: "s", Content: "c"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var answered atomic.Int64 // the newest version that a writer was told
		answered.Store(page.Version)
		done := make(chan error)
		go func() {
			defer close(done)
			for i := range 300 {
				title := fmt.Sprint(i)
				changed, err := service.Patch(t.Context(), sqldb.Cause{}, page.ID, octavo.PagePatch{Title: &title}, nil)
				if err != nil {
					done <- err
					return
				}
				answered.Store(changed.Version)
			}
		}()
		for reads := 0; ; reads++ {
			least := answered.Load()
			e, err := service.Encoded(t.Context(), octavo.Audience{}, page.ID, false)
			if err != nil || e.Ref.Version < least {
				t.Fatalf("read %d: have %+v, error %v, want version %d at least", reads, e, err, least)
			}
			slice, err := service.FindList(t.Context(), octavo.Audience{}, pagestore.Query{Limit: 1}, false)
			if err != nil {
				t.Fatal(err)
			}
			kept := slice.Answer()
			if version, _ := strconv.ParseInt(string(kept.Body), 10, 64); kept.Body != nil && version < e.Ref.Version {
				t.Fatalf("answer %d: have version %s, want %d at least", reads, kept.Body, e.Ref.Version)
			}
			list, _, _, err := slice.Pages(t.Context(), 1)
			if err == nil {
				slice.Keep(Answer{Body: strconv.AppendInt(nil, list[0].Ref.Version, 10)})
			}
			if err != nil || list[0].Ref.Version < e.Ref.Version {
				t.Fatalf("list %d: have %+v, error %v, want version %d at least", reads, list[0], err, e.Ref.Version)
			}
			select {
			case err := <-done:
				if err != nil {
					t.Fatal(err)
				}
				if stats := service.CacheStats(); stats.Hits+stats.Checked == 0 || stats.Misses == 0 || stats.Bytes == 0 {
					t.Errorf("have %+v, want some of each", stats)
				}
				return
			default:
			}
		}
	})
}

// encodedList returns a slice of a list, which it may find in memory.
func encodedList(ctx context.Context, s *Service, aud octavo.Audience, q pagestore.Query) ([]*Encoding, sqldb.Cursor, bool, error) {
	slice, err := s.FindList(ctx, aud, q, false)
	if err != nil {
		return nil, sqldb.Cursor{}, false, err
	}
	return slice.Pages(ctx, q.Limit)
}

// onEachStore runs a test on a fresh store of each kind.
func onEachStore(t *testing.T, test func(*testing.T, *store.Store)) {
	t.Parallel()
	for name, open := range stores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := open(t)
			defer st.Close() //nolint:errcheck // nothing is left to lose
			test(t, st)
		})
	}
}

// stores returns how to open a fresh store of each kind.
func stores(t *testing.T) map[string]func(*testing.T) *store.Store {
	options := store.Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader), Derive: Deriver("")}
	return map[string]func(*testing.T) *store.Store{
		"sqlite": func(tb *testing.T) *store.Store {
			st, err := store.OpenSQLite(tb.Context(), filepath.Join(tb.TempDir(), "db"), options)
			if err != nil {
				tb.Fatal(err)
			}
			return st
		},
		"postgres": func(tb *testing.T) *store.Store {
			st, err := store.OpenPostgres(tb.Context(), testenv.Postgres(tb), options)
			if err != nil {
				tb.Fatal(err)
			}
			return st
		},
	}
}

// TestHiddenParents has a page read from memory before and after its parent
// appears for readers of published pages, which changes only the parent.
func TestHiddenParents(t *testing.T) {
	onEachStore(t, func(t *testing.T, st *store.Store) {
		service := New(st.DB, st.Pages, st.Assets, 1<<20)
		parent, err := service.Create(t.Context(), sqldb.Cause{}, octavo.PageCreate{Title: "t", Slug: "parent", Content: "c"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		child, err := service.Create(t.Context(), sqldb.Cause{}, octavo.PageCreate{Title: "t", Slug: "child", Content: "c", Status: octavo.Published}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := service.Patch(t.Context(), sqldb.Cause{}, child.ID, octavo.PagePatch{ParentID: &parent.ID}, nil); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			status octavo.PageStatus
			want   octavo.ID
		}{{octavo.Draft, ""}, {octavo.Published, parent.ID}, {octavo.Archived, ""}, {octavo.Published, parent.ID}} {
			if _, err := service.Patch(t.Context(), sqldb.Cause{}, parent.ID, octavo.PagePatch{Status: &c.status}, nil); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				e, err := service.Encoded(t.Context(), octavo.Audience{PublishedOnly: true}, child.ID, false)
				if err != nil || e.Ref.ParentID != c.want {
					t.Errorf("under a %s parent: have %+v, error %v, want parent %q", c.status, e, err, c.want)
				}
			}
		}
	})
}
