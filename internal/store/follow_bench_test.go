package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/storetest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// BenchmarkFollow measures the time from the return of a write to the moment
// when a follower is handed its change, in the same process and in another.
func BenchmarkFollow(b *testing.B) {
	for _, db := range []struct {
		name    string
		opener  storetest.OpenFunc
		address func(testing.TB) string
	}{
		{"sqlite", store.OpenSQLite, func(t testing.TB) string { return filepath.Join(t.TempDir(), "octavo.db") }},
		{"postgres", store.OpenPostgres, testenv.Postgres},
	} {
		for _, place := range []string{"here", "elsewhere"} {
			b.Run(db.name+"/"+place, func(b *testing.B) {
				address := db.address(b)
				writer := storetest.Open(b, storetest.Options(time.Now), db.opener, address)
				defer writer.Close()
				reader := writer
				if place == "elsewhere" {
					reader = storetest.Open(b, storetest.Options(time.Now), db.opener, address)
					defer reader.Close()
				}
				followLatency(b, writer, reader)
			})
		}
	}
}

func followLatency(b *testing.B, writer, reader *store.Store) {
	handed := make(chan time.Time, 1)
	f := reader.Log.NewFollower(changelog.FollowerOptions{Handle: func(_ context.Context, batch []changelog.Change) error {
		for range batch {
			handed <- time.Now()
		}
		return nil
	}})
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	defer func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			b.Error(err)
		}
	}()
	var waits []time.Duration
	for i := 0; b.Loop(); i++ {
		if _, err := storetest.Create(ctx, writer, storetest.NewPage(fmt.Sprint("p", i))); err != nil {
			b.Fatal(err)
		}
		committed := time.Now()
		waits = append(waits, max(0, (<-handed).Sub(committed)))
	}
	slices.Sort(waits)
	b.ReportMetric(float64(waits[len(waits)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkCreateFollowed is BenchmarkCreate with a follower that saves its
// position.
func BenchmarkCreateFollowed(b *testing.B) {
	for name, open := range map[string]func(testing.TB, store.Options) *store.Store{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		b.Run(name, func(b *testing.B) {
			st := open(b, storetest.Options(time.Now))
			var seen atomic.Int64
			f := st.Log.NewFollower(changelog.FollowerOptions{Name: "f", Handle: func(_ context.Context, batch []changelog.Change) error {
				seen.Add(int64(len(batch)))
				return nil
			}})
			done := make(chan error, 1)
			go func() { done <- f.Run(b.Context()) }()
			createMany(b, st)
			b.ReportMetric(float64(f.Lag()), "lag-at-end")
			if err := st.Close(); err != nil {
				b.Error(err)
			}
			if err := <-done; err == nil {
				b.Error("the follower outlived its store without an error")
			}
		})
	}
}
