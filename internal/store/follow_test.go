package store_test

import (
	"context"
	"errors"
	"fmt"
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

// record gathers what a follower was handed.
type record struct {
	mu      sync.Mutex
	changes []changelog.Change
	more    chan struct{} // has room for one
}

func newRecord() *record { return &record{more: make(chan struct{}, 1)} }

// add is a Handle.
func (r *record) add(_ context.Context, batch []changelog.Change) error {
	r.mu.Lock()
	r.changes = append(r.changes, batch...)
	r.mu.Unlock()
	select {
	case r.more <- struct{}{}:
	default:
	}
	return nil
}

// wait waits until n changes were handed over and returns all that were.
func (r *record) wait(t *testing.T, n int) []changelog.Change {
	t.Helper()
	end := time.After(time.Minute)
	for {
		r.mu.Lock()
		list := r.changes
		r.mu.Unlock()
		if len(list) >= n {
			return list
		}
		select {
		case <-r.more:
		case <-end:
			t.Fatalf("have %d changes, want %d", len(list), n)
		}
	}
}

// follow runs a follower until the test or stop ends it.
func follow(t *testing.T, st *store.Store, o changelog.FollowerOptions) (f *changelog.Follower, stop func()) {
	t.Helper()
	f = st.Log.NewFollower(o)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("follower %q ended: %v", o.Name, err)
		}
	})
	t.Cleanup(stop)
	return f, stop
}

// TestFollowWriters: 16 writers in two processes; followers in both of them
// that are quick, slow, failing, restarted and late are handed the same
// changes in the same order, each once.
func TestFollowWriters(t *testing.T) {
	const writers, edits = 16, 12
	const total = writers * (1 + edits)
	storetest.OnBoth(t, time.Now, func(t *testing.T, open func() *store.Store) {
		stores := []*store.Store{open(), open()}
		records := map[string]*record{}
		start := func(name string, st *store.Store, batch int, wrap func(*record) func(context.Context, []changelog.Change) error) func() {
			if records[name] == nil {
				records[name] = newRecord()
			}
			_, stop := follow(t, st, changelog.FollowerOptions{Name: name, Batch: batch, Handle: wrap(records[name])})
			return stop
		}
		quick := func(r *record) func(context.Context, []changelog.Change) error { return r.add }
		for i, st := range stores {
			start(fmt.Sprint("quick", i), st, 0, quick)
		}
		start("slow", stores[0], 3, func(r *record) func(context.Context, []changelog.Change) error {
			return func(ctx context.Context, batch []changelog.Change) error {
				time.Sleep(time.Millisecond) // being slow is what it is for
				return r.add(ctx, batch)
			}
		})
		start("failing", stores[1], 7, func(r *record) func(context.Context, []changelog.Change) error {
			tries := 0
			return func(ctx context.Context, batch []changelog.Change) error {
				switch tries++; {
				case tries%8 == 1:
					return errors.New("failed as told")
				case tries%8 == 4:
					panic(fmt.Sprint("panicked as told at ", batch[len(batch)/2].Position))
				}
				return r.add(ctx, batch)
			}
		})
		stopFirst := start("restarted", stores[0], 5, quick)

		var wg sync.WaitGroup
		var count atomic.Int64
		for w := range writers {
			wg.Go(func() {
				st := stores[w%2]
				p, err := storetest.Create(t.Context(), st, storetest.NewPage(fmt.Sprint("w", w)))
				for i := 0; i < edits && err == nil; i++ {
					if count.Add(1) == total/2 {
						stopFirst()
					}
					err = st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
						title := fmt.Sprint("title ", i)
						_, err := st.Pages.Update(tx, p.ID, pagestore.Change{Title: &title}, nil)
						return err
					})
				}
				if err != nil {
					t.Errorf("writer %d: %v", w, err)
				}
			})
		}
		wg.Wait()
		start("restarted", stores[1], 5, quick) // now in the other process
		start("late", stores[1], 50, quick)
		var first []changelog.Change
		for name, r := range records {
			list := r.wait(t, total)
			checkLog(t, name, list, total)
			if first == nil {
				first = list
			}
			for i := range min(len(list), len(first)) {
				if list[i].EventID != first[i].EventID {
					t.Fatalf("%s: have event %s at %d, others have %s", name, list[i].EventID, i+1, first[i].EventID)
				}
			}
		}
	})
}

// checkLog checks that the changes are the whole log, in order.
func checkLog(t *testing.T, name string, list []changelog.Change, want int) {
	t.Helper()
	if len(list) != want {
		t.Errorf("%s: have %d changes, want %d", name, len(list), want)
	}
	versions := map[octavo.ID]int64{}
	for i, c := range list {
		if c.Position != int64(i+1) {
			t.Fatalf("%s: have position %d, want %d", name, c.Position, i+1)
		}
		if versions[c.Page]++; c.Version != versions[c.Page] {
			t.Errorf("%s: have version %d of page %s at %d, want %d", name, c.Version, c.Page, c.Position, versions[c.Page])
		}
	}
}

// TestFollowClose: Close lets a follower finish its batch and saves that.
func TestFollowClose(t *testing.T) {
	storetest.OnBoth(t, time.Now, func(t *testing.T, open func() *store.Store) {
		st := open()
		if _, err := storetest.Create(t.Context(), st, storetest.NewPage("a")); err != nil {
			t.Fatal(err)
		}
		began := make(chan struct{})
		var finished atomic.Bool
		f := st.Log.NewFollower(changelog.FollowerOptions{Name: "f", Handle: func(ctx context.Context, _ []changelog.Change) error {
			close(began)
			<-ctx.Done()
			finished.Store(true)
			return nil
		}})
		done := make(chan error, 1)
		go func() { done <- f.Run(t.Context()) }()
		<-began
		if err := st.Close(); err != nil || !finished.Load() {
			t.Errorf("close: have error %v, finished %v", err, finished.Load())
		}
		storetest.WantType(t, <-done, octavo.Unavailable)
		storetest.WantType(t, f.Run(t.Context()), octavo.Unavailable)
		r := newRecord()
		again := open()
		follow(t, again, changelog.FollowerOptions{Name: "f", Handle: r.add})
		if _, err := storetest.Create(t.Context(), again, storetest.NewPage("b")); err != nil {
			t.Fatal(err)
		}
		if list := r.wait(t, 1); list[0].Position != 2 {
			t.Errorf("have position %d after a restart, want 2", list[0].Position)
		}
	})
}

// TestFollowLag: the lag of a follower that is held up is what was written since.
func TestFollowLag(t *testing.T) {
	storetest.OnBoth(t, time.Now, func(t *testing.T, open func() *store.Store) {
		st := open()
		began, finish := make(chan struct{}), make(chan struct{})
		r := newRecord()
		f, _ := follow(t, st, changelog.FollowerOptions{Batch: 1, Handle: func(ctx context.Context, batch []changelog.Change) error {
			if batch[0].Position == 1 {
				close(began)
				<-finish
			}
			return r.add(ctx, batch)
		}})
		quick := newRecord()
		follow(t, st, changelog.FollowerOptions{Handle: quick.add})
		for i := range 3 {
			if _, err := storetest.Create(t.Context(), st, storetest.NewPage(fmt.Sprint("p", i))); err != nil {
				t.Fatal(err)
			}
		}
		<-began
		quick.wait(t, 3) // so 3 is known, or about to be: a reading may be ahead of the look that tells it
		storetest.Until(t, "the lag is 3 while it is held up", func() bool { return f.Lag() == 3 })
		close(finish)
		r.wait(t, 3)
	})
}
