package app_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// onTime is how late a page may change here. Two seconds are promised; tests
// share the machine with each other.
const onTime = 5 * time.Second

// TestPagesChangeOnTime runs the schedule of two processes on one database
// while pages are planned, and the clock is set.
func TestPagesChangeOnTime(t *testing.T) {
	for _, db := range []struct {
		name string
		open func(context.Context, string, store.Options) (*store.Store, error)
		at   func(testing.TB) string
	}{
		{"sqlite", store.OpenSQLite, func(t testing.TB) string { return filepath.Join(t.TempDir(), "octavo.db") }},
		{"postgres", store.OpenPostgres, testenv.Postgres},
	} {
		t.Run(db.name, func(t *testing.T) {
			t.Parallel()
			var moved atomic.Int64
			env := app.Env{Now: func() time.Time { return time.Now().Add(time.Duration(moved.Load())) }, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)}
			address := db.at(t)
			open := func() *store.Store {
				st, err := db.open(t.Context(), address, app.StoreOptions(env, env.IDs(), ""))
				if err != nil {
					t.Fatal(err)
				}
				return st
			}
			st, other := open(), open()
			defer st.Close()
			defer other.Close()
			s := &schedule{T: t, st: st, now: env.Now}
			s.plan("while nothing runs", -time.Hour)
			ctx, stop := context.WithCancel(t.Context())
			var group sync.WaitGroup
			defer group.Wait()
			defer stop()
			var looks atomic.Int64 // at the clock
			looking := env
			looking.Now = func() time.Time { looks.Add(1); return env.Now() }
			for _, st := range []*store.Store{st, other} {
				group.Go(func() { app.RunSchedule(ctx, looking, st) })
			}
			s.published("while nothing runs")
			s.plan("soon", 400*time.Millisecond)
			s.published("soon")
			s.plan("in the past", -time.Hour)
			s.published("in the past")
			s.plan("later", 3*time.Hour)
			s.plan("much later", 10*time.Hour)
			awaitRest(&looks) // nothing but the clock tells then that it was set
			moved.Store(int64(3*time.Hour + time.Second))
			s.published("later")
			moved.Store(0) // and back: what is planned by this clock comes first
			s.plan("after the clock went back", 300*time.Millisecond)
			s.published("after the clock went back")
			if more := s.after(); len(more) > 0 {
				t.Errorf("have %d publications more: %s", len(more), more[0].Payload)
			}
		})
	}
}

// awaitRest waits until nobody has looked at the clock for longer than a
// schedule rests between two looks at the database.
func awaitRest(looks *atomic.Int64) {
	const rest = 400 * time.Millisecond
	ticker := time.NewTicker(rest)
	defer ticker.Stop()
	for before := int64(-1); before != looks.Load(); <-ticker.C {
		before = looks.Load()
	}
}

// schedule plans pages and looks when they are published.
type schedule struct {
	*testing.T
	st       *store.Store
	now      func() time.Time
	position int64
	pages    int
}

func (s *schedule) plan(title string, in time.Duration) {
	s.Helper()
	at := s.now().Add(in)
	s.pages++
	err := s.st.DB.Write(s.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		p, err := s.st.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: title, Slug: fmt.Sprint("p", s.pages), Content: "x"}})
		if err == nil {
			_, err = s.st.Pages.Update(tx, p.ID, pagestore.Change{Publish: &octavo.OptTime{Value: &at}}, nil)
		}
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
}

// published fails the test unless the next publication is of that page alone,
// by the schedule, and on time.
func (s *schedule) published(title string) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), onTime)
	defer cancel()
	began := time.Now()
	for {
		known, err := s.st.Log.Last(ctx)
		if err != nil {
			s.Fatalf("%s: %v", title, err)
		}
		if list := s.after(); len(list) > 0 {
			var page octavo.Page
			if err := json.Unmarshal(list[0].Payload, &page); err != nil || len(list) != 1 || page.Title != title || list[0].Actor.ID != "schedule" {
				s.Fatalf("have %d publications, first of %q by %s, %v; want one of %q by schedule", len(list), page.Title, list[0].Actor.ID, err, title)
			}
			s.position = list[0].Position
			s.Logf("%s: after %s", title, time.Since(began))
			return
		}
		if err := s.st.Log.Await(ctx, known); err != nil {
			s.Fatalf("%s: not published after %s: %v", title, time.Since(began), err)
		}
	}
}

// after returns the publications that were not looked at yet.
func (s *schedule) after() (list []changelog.Change) {
	s.Helper()
	changes, err := s.st.Log.Changes(s.Context(), s.position, 100)
	if err != nil {
		s.Fatal(err)
	}
	for _, c := range changes {
		if c.Kind == octavo.PagePublished {
			list = append(list, c)
		}
	}
	return list
}
