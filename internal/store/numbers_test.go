package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/storetest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

func TestSQLiteNumbers(t *testing.T) {
	numbers(t, func(o store.Options) *store.Store { return storetest.OpenSQLite(t, o) })
}

func TestPostgresNumbers(t *testing.T) {
	url := testenv.Postgres(t)
	numbers(t, func(o store.Options) *store.Store { return storetest.Open(t, o, store.OpenPostgres, url) })
}

func numbers(t *testing.T, opened func(store.Options) *store.Store) {
	t.Helper()
	var mu sync.Mutex
	var commits, writes int
	o := storetest.Options(time.Now)
	o.Committed = func(n int, took time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		commits, writes = commits+1, writes+n
		if took <= 0 || took > time.Minute {
			t.Errorf("a commit took %v", took)
		}
	}
	st := opened(o)
	defer st.Close()

	// One follower handles the first change and is held up at the second.
	handled, hold := make(chan struct{}, 1), make(chan struct{})
	follow := func(name string) (stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		f := st.Log.NewFollower(changelog.FollowerOptions{Name: name, Batch: 1, Handle: func(context.Context, []changelog.Change) error {
			handled <- struct{}{}
			<-hold
			return nil
		}})
		group.Go(func() { f.Run(ctx) }) //nolint:errcheck // it ends with ctx
		return func() { cancel(); group.Wait() }
	}
	stop := follow("f")
	if _, err := storetest.Create(t.Context(), st, storetest.NewPage("a")); err != nil {
		t.Fatal(err)
	}
	<-handled
	if _, err := storetest.Create(t.Context(), st, storetest.NewPage("a")); err == nil {
		t.Error("a slug was given twice")
	}
	if _, err := storetest.Create(t.Context(), st, storetest.NewPage("b")); err != nil {
		t.Fatal(err)
	}
	have := read(t, st)
	for len(have.Followers) == 1 && have.Followers[0].Lag < 2 { // until its end is looked for
		have = read(t, st)
	}
	if len(have.Followers) != 1 || have.Followers[0] != (changelog.FollowerNumbers{Name: "f", Position: 0, Lag: 2}) {
		t.Errorf("have followers %+v, want one that has two to go", have.Followers)
	}
	if have.Position != 2 || have.Errors != 0 {
		t.Errorf("have position %d and %d errors, want 2 and none: a conflict is no failure", have.Position, have.Errors)
	}
	if len(have.Pools) != 2 || have.Pools[0].MaxOpenConnections < 1 || have.Pools[0].OpenConnections < 1 {
		t.Errorf("have pools %+v, want two, in use", have.Pools)
	}
	close(hold)
	<-handled
	stop()
	if have := read(t, st); len(have.Followers) != 0 {
		t.Errorf("have followers %+v after they stopped, want none", have.Followers)
	}
	mu.Lock()
	if commits < 2 || writes < commits {
		t.Errorf("have %d commits of %d writes, want at least the two that were answered", commits, writes)
	}
	mu.Unlock()
	failed(t, st)
}

// failed checks that failing statements are counted.
func failed(t *testing.T, st *store.Store) {
	t.Helper()
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer cancel()
	if _, err := st.Pages.Get(ctx, octavo.Audience{}, "page_1"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("reading without time: %v", err)
	}
	if have := read(t, st).Errors; have != 1 {
		t.Errorf("have %d errors, want 1", have)
	}
	n, err := st.Numbers(ctx)
	if err == nil || n.Pools == nil {
		t.Errorf("have %+v %v, want an error and what is known without the database", n, err)
	}
}

func read(t *testing.T, st *store.Store) store.Numbers {
	t.Helper()
	n, err := st.Numbers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}
