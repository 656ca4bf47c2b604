package changelog_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// Many who follow get the same events, in order, and cost the database about as much as few.
func TestReadersShareReads(t *testing.T) {
	for name, open := range map[string]storetest.Opener{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		t.Run(name, func(t *testing.T) {
			const readers, events = 500, 20
			st := open(t, storetest.Options(time.Now))
			defer st.Close()
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
						for _, c := range list {
							if !strings.Contains(string(c.Payload), fmt.Sprintf(`"slug":"p%d"`, n)) {
								t.Errorf("reader %d: event %d is %s", i, n, c.Payload)
							}
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
				if i == 0 { // while readers began
					first = statements.Load()
				}
			}
			group.Wait()
			have := statements.Load() - first
			t.Logf("%d readers of %d events: %d statements", readers, events, have)
			if most := int64(readers * events); have > most { // each on its own would take four times that
				t.Errorf("%d readers of %d events: have %d statements, want at most %d", readers, events, have, most)
			}
		})
	}
}

// BenchmarkFeedReaders measures how many events a second all who follow the
// feed are told together, while pages are published one after another.
func BenchmarkFeedReaders(b *testing.B) {
	for name, open := range map[string]storetest.Opener{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		for _, readers := range []int{1, 100, 1000} {
			b.Run(fmt.Sprintf("%s/%d", name, readers), func(b *testing.B) {
				st := open(b, storetest.Options(time.Now))
				defer st.Close()
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
