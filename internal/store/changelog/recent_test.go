package changelog_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// remember makes a store keep new changes in memory, like a waiting reader.
func remember(t testing.TB, st *store.Store) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = st.Log.Await(ctx, 1<<60)
	if _, _, err := st.Log.Events(t.Context(), changelog.EventQuery{After: -1, Types: octavo.DefaultEventTypes(), Limit: 1}); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := changelog.Remembered(st.Log); !ok {
		t.Fatal("nothing is kept in memory")
	}
}

// TestMemoryAgreesWithDatabase compares events from memory with those from the database,
// for each audience and any position.
func TestMemoryAgreesWithDatabase(t *testing.T) {
	for name, open := range map[string]storetest.Opener{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var moved atomic.Int64
			o := storetest.Options(time.Now)
			o.Now = func() time.Time { return time.Unix(1_800_000_000, 0).Add(time.Duration(moved.Load())) }
			st := open(t, o)
			defer st.Close()
			random := rand.New(rand.NewPCG(1, 2))
			m := &mutator{st: st, random: random, move: func(d time.Duration) { moved.Add(int64(d)) }}
			if _, err := storetest.Create(t.Context(), st, storetest.NewPage("first")); err != nil {
				t.Fatal(err)
			}
			remember(t, st)
			for step := range 200 {
				what := m.step(t, step)
				remember(t, st) // or the clock, which moves by weeks, would have it forget
				sameEvents(t, st, random, fmt.Sprint("step ", step, ", ", what))
				if t.Failed() {
					return
				}
			}
			if start, end, _ := changelog.Remembered(st.Log); end-start < 100 {
				t.Errorf("the memory reaches from %d to %d, which shows nothing", start, end)
			}
		})
	}
}

// sameEvents compares memory and database at a few positions.
func sameEvents(t *testing.T, st *store.Store, random *rand.Rand, when string) {
	t.Helper()
	start, end, _ := changelog.Remembered(st.Log)
	kinds := []octavo.EventType{octavo.PagePublished, octavo.PageDeleted, octavo.PageUpdated, octavo.PagePurged}
	for range 6 {
		q := changelog.EventQuery{
			After: start + random.Int64N(end-start+1), Types: kinds[random.IntN(2) : 2+random.IntN(3)],
			Public: random.IntN(2) == 0, Limit: 1 + random.IntN(40), Bytes: random.IntN(2) * 1500,
		}
		have, next, haveErr := st.Log.Events(t.Context(), q)
		want, wantNext, wantErr := changelog.EventsFromDatabase(t.Context(), st.Log, q)
		var truncated *changelog.TruncatedError
		if errors.As(wantErr, &truncated) {
			if !errors.As(haveErr, &truncated) {
				t.Errorf("%s, %+v: have %v, want %v", when, q, haveErr, wantErr)
			}
			continue
		}
		h, _ := json.Marshal(have)
		w, _ := json.Marshal(want)
		if haveErr != nil || wantErr != nil || string(h) != string(w) || next != wantNext {
			t.Errorf("%s, %+v:\nhave %d %s %v\nwant %d %s %v", when, q, next, h, haveErr, wantNext, w, wantErr)
		}
	}
}

// mutator does something to pages at random.
type mutator struct {
	st     *store.Store
	random *rand.Rand
	move   func(time.Duration)
	pages  []octavo.ID
}

func (m *mutator) step(t *testing.T, step int) (what string) {
	t.Helper()
	statuses := []octavo.PageStatus{octavo.Draft, octavo.Published, octavo.Published, octavo.Archived}
	status := statuses[m.random.IntN(len(statuses))]
	some := func() octavo.ID {
		if len(m.pages) == 0 {
			return ""
		}
		return m.pages[m.random.IntN(len(m.pages))]
	}
	if m.random.IntN(60) == 0 {
		m.move(20 * 24 * time.Hour)
		if _, err := m.st.Sweep(t.Context(), octavo.Actor{}); err != nil {
			t.Fatal(err)
		}
		return "sweep"
	}
	err := m.st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		switch id := some(); m.random.IntN(8) {
		case 0, 1, 2:
			what = "create"
			n := storetest.NewPage(fmt.Sprint("p-", step))
			n.Status, n.ParentID = status, id
			page, err := m.st.Pages.Create(tx, n)
			if err == nil {
				m.pages = append(m.pages, page.ID)
			}
			return err
		case 3, 4, 5:
			what = "change " + string(status)
			_, err := m.st.Pages.Update(tx, id, pagestore.Change{Status: &status}, nil)
			return err
		case 6:
			what = "delete"
			return m.st.Pages.Delete(tx, id, pagestore.ChildrenReparent, nil)
		default:
			what = "restore"
			_, err := m.st.Pages.Restore(tx, id)
			return err
		}
	})
	var refused *octavo.Error
	if err != nil && !errors.As(err, &refused) { // such as a page that is deleted
		t.Fatal(err)
	}
	return what
}

// The memory is bounded: a reader too far behind reads from the database.
func TestMemoryLimit(t *testing.T) {
	st := storetest.OpenSQLite(t, storetest.Options(time.Now))
	defer st.Close()
	remember(t, st)
	large := storetest.NewPage("large")
	large.Content = strings.Repeat("x", 1<<20)
	q := changelog.EventQuery{Types: octavo.DefaultEventTypes(), Limit: 100}
	for i := range 12 {
		large.Slug, large.Status = fmt.Sprint("large-", i), octavo.Published
		if _, err := storetest.Create(t.Context(), st, large); err != nil {
			t.Fatal(err)
		}
		events, next, err := st.Log.Events(t.Context(), q)
		if err != nil || len(events) != 1 || len(events[0].Payload) < 1<<20 {
			t.Fatalf("have %d events behind %d, %v", len(events), q.After, err)
		}
		q.After = next
	}
	if start, end, ok := changelog.Remembered(st.Log); !ok || start < 8 || start > 16 || end != 24 {
		t.Errorf("12 pages of 1 MiB: the memory reaches from %d to %d of 24, want about the last 8 MiB", start, end)
	}
}

// Many followers cost the database about as much as few.
func TestReadersShareReads(t *testing.T) {
	for name, open := range map[string]storetest.Opener{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		t.Run(name, func(t *testing.T) {
			const readers, events = 500, 20
			st := open(t, storetest.Options(time.Now))
			defer st.Close()
			remember(t, st)
			statements := changelog.CountStatements(st.Log)
			told := make(chan struct{}, readers)
			var group sync.WaitGroup
			for i := range readers {
				group.Go(func() {
					q := changelog.EventQuery{Types: octavo.DefaultEventTypes(), Public: i%2 == 0, Limit: 100}
					for n := 0; n <= events; {
						list, next, err := st.Log.Events(t.Context(), q)
						if err == nil && len(list) == 0 {
							err = st.Log.Await(t.Context(), next)
						}
						if err != nil {
							t.Error(err)
							return
						}
						q.After = next
						for range list {
							n++
							told <- struct{}{}
						}
					}
				})
			}
			first := int64(0)
			for i := range events + 1 {
				n := storetest.NewPage(fmt.Sprint("p", i))
				n.Status = octavo.Published
				if _, err := storetest.Create(t.Context(), st, n); err != nil {
					t.Fatal(err)
				}
				for range readers {
					<-told
				}
				if i == 0 { // which the database told, while readers began
					first = statements.Load()
				}
			}
			group.Wait()
			have := statements.Load() - first
			t.Logf("%d readers of %d events: %d statements", readers, events, have)
			if most := int64(readers * events); have > most { // without memory it would be four times that
				t.Errorf("%d readers of %d events: have %d statements, want at most %d", readers, events, have, most)
			}
		})
	}
}

// BenchmarkFeedReaders measures the events per second that all followers of the feed
// receive together, while pages are published one after another.
func BenchmarkFeedReaders(b *testing.B) {
	for name, open := range map[string]storetest.Opener{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		for _, readers := range []int{1, 100, 1000} {
			b.Run(fmt.Sprintf("%s/%d", name, readers), func(b *testing.B) {
				st := open(b, storetest.Options(time.Now))
				defer st.Close()
				remember(b, st)
				statements := changelog.CountStatements(st.Log)
				var group sync.WaitGroup
				for i := range readers {
					group.Go(func() {
						q := changelog.EventQuery{Types: octavo.DefaultEventTypes(), Public: i%2 == 0, Limit: 100}
						for n := 0; n < b.N; {
							list, next, err := st.Log.Events(b.Context(), q)
							if err == nil && len(list) == 0 {
								err = st.Log.Await(b.Context(), next)
							}
							if err != nil {
								b.Error(err)
								return
							}
							q.After = next
							n += len(list)
						}
					})
				}
				b.ResetTimer()
				for i := range b.N {
					n := storetest.NewPage(fmt.Sprint("p", i))
					n.Status, n.Content = octavo.Published, strings.Repeat("Some words of text. ", 50)
					if _, err := storetest.Create(b.Context(), st, n); err != nil {
						b.Fatal(err)
					}
				}
				group.Wait()
				b.ReportMetric(float64(b.N*readers)/b.Elapsed().Seconds(), "events/s")
				b.ReportMetric(float64(statements.Load())/float64(b.N), "statements/event")
			})
		}
	}
}
