package store_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/quota"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storetest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// take sends n requests of the key and returns how many are answered.
func take(l *quota.Limiter, key quota.Key, limit, n int) (taken int) {
	for range n {
		if _, ok := l.Take(context.Background(), key, limit); ok {
			taken++
		}
	}
	return taken
}

// limiters returns n limiters, each of a store of its own on the database.
func limiters(t *testing.T, url string, n int, window time.Duration) []*quota.Limiter {
	t.Helper()
	list := make([]*quota.Limiter, n)
	for i := range list {
		st := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url)
		t.Cleanup(func() { st.Close() })
		list[i] = quota.New(quota.Options{Now: time.Now, Window: window, Wait: time.Minute, Source: st.Quotas()})
	}
	return list
}

// TestPostgresSharedQuota lets four processes spend one limit, each with 16
// goroutines.
func TestPostgresSharedQuota(t *testing.T) {
	t.Parallel()
	key := quota.Key{Kind: "credential", ID: "key_1"}
	list := limiters(t, testenv.Postgres(t), 4, time.Hour)
	for _, limit := range []int{1, 10, 600, 5000} {
		key.ID += "x"
		var taken atomic.Int64
		var group sync.WaitGroup
		for _, l := range list {
			for range 16 {
				group.Go(func() { taken.Add(int64(take(l, key, limit, limit/8+1))) })
			}
		}
		group.Wait()
		// Each asked for more than there is, so each was refused: nobody holds
		// a lease that it did not use.
		if taken.Load() != int64(limit) {
			t.Errorf("limit %d: have %d answered, want all of it and no more", limit, taken.Load())
		}
	}
	for i, l := range list {
		c := l.Counts()
		if c.Failed != 0 || c.Leases > 800 {
			t.Errorf("process %d: have %+v, want few leases and none that failed", i, c)
		}
		if take(l, key, 5000, 100) != 0 || l.Counts().Leases != c.Leases {
			t.Errorf("process %d: a spent key is answered, or asked for again", i)
		}
	}
}

// TestPostgresQuotaHeldElsewhere shows the bound of the error: what the others
// hold is refused to the last one, and no more.
func TestPostgresQuotaHeldElsewhere(t *testing.T) {
	t.Parallel()
	const limit = 600
	key := quota.Key{Kind: "credential", ID: "key_1"}
	list := limiters(t, testenv.Postgres(t), 4, time.Hour)
	taken := 0
	for _, l := range list[1:] {
		taken += take(l, key, limit, 64) // right after it leased the next part
	}
	taken += take(list[0], key, limit, limit)
	if least := limit - 3*limit/8; taken < least || taken > limit {
		t.Errorf("have %d answered, want %d to %d", taken, least, limit)
	}
	for _, l := range list[1:] {
		taken += take(l, key, limit, limit)
	}
	if taken != limit {
		t.Errorf("have %d answered when all was used, want %d", taken, limit)
	}
}

func TestPostgresQuotaWindowEnds(t *testing.T) {
	t.Parallel()
	const limit, window = 20, 300 * time.Millisecond
	key := quota.Key{Kind: "address", ID: "192.0.2.1"}
	url := testenv.Postgres(t)
	list := limiters(t, url, 2, window)
	begun := time.Now()
	var ends []time.Time
	for total := 0; total < 3*limit; {
		for _, l := range list {
			if q, ok := l.Take(t.Context(), key, limit); ok {
				total++
				ends = append(ends, time.Now().Add(q.Reset))
			}
		}
	}
	// The third window cannot have begun before two have passed.
	if took := time.Since(begun); took < 2*window-5*time.Millisecond {
		t.Errorf("three limits were answered in %v, want at least %v", took, 2*window)
	}
	for _, end := range ends {
		if time.Until(end) > window {
			t.Errorf("a window ends in %v, want at most %v", time.Until(end), window)
		}
	}
	// Sweep removes it, once it has ended, and not before.
	st := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url)
	defer st.Close()
	lease := func() quota.Lease {
		l, err := st.Quotas().LeaseQuota(t.Context(), "k", 8, 8, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	first := lease()
	if have := quotas(t, url); have != 2 {
		t.Errorf("have %d quotas, want 2", have)
	}
	for over := false; !over; { // the last sweep begins behind the end
		over = time.Now().After(ends[len(ends)-1].Add(window))
		if _, err := st.Sweep(t.Context(), octavo.Actor{}); err != nil {
			t.Fatal(err)
		}
	}
	if have := quotas(t, url); have != 1 {
		t.Errorf("have %d quotas after the sweep, want the one whose window runs", have)
	}
	if again := lease(); first.Granted != 1 || first.Left != 7 || again.Granted != 1 || again.Left != 6 || again.Window != first.Window {
		t.Errorf("have leases %+v and %+v, want one of 7 and one of 6 left in the same window", first, again)
	}
}

// TestPostgresQuotaWithClockSetBack: a window that was begun by a clock which
// has been set back since is over, but not one that is ahead by what a statement
// may have waited.
func TestPostgresQuotaWithClockSetBack(t *testing.T) {
	t.Parallel()
	url := testenv.Postgres(t)
	st := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url)
	defer st.Close()
	link := connect(t, url)
	lease := func() quota.Lease {
		l, err := st.Quotas().LeaseQuota(t.Context(), "k", 8, 8, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	spend := func() (left int) {
		for l := lease(); l.Granted > 0; l = lease() {
			left = l.Left
		}
		return left
	}
	for _, c := range []struct {
		back time.Duration
		over bool
	}{{0, false}, {30 * time.Second, false}, {3 * time.Hour, true}, {-time.Minute, true}} {
		if left := spend(); left != 0 {
			t.Fatalf("have %d left of a window that is spent", left)
		}
		if _, err := link.Exec(t.Context(), `UPDATE quotas SET ends = ends + $1`, c.back.Milliseconds()); err != nil {
			t.Fatal(err)
		}
		if have := lease(); (have.Granted == 1) != c.over || have.Ends > 2*time.Minute {
			t.Errorf("the clock was set back by %s: have %+v, want a new window: %v", c.back, have, c.over)
		}
	}
}

// connect connects to the database for as long as the test lasts.
func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	link, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = link.Close(context.Background()) })
	return link
}

// quotas counts the windows in the database.
func quotas(t *testing.T, url string) (n int) {
	t.Helper()
	link := connect(t, url)
	if err := link.QueryRow(t.Context(), `SELECT COUNT(*) FROM quotas`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPostgresQuotaWithoutDatabase: an eighth of the limit is answered on
// credit while the database does not answer.
func TestPostgresQuotaWithoutDatabase(t *testing.T) {
	t.Parallel()
	key := quota.Key{Kind: "credential", ID: "key_1"}
	st := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, testenv.Postgres(t))
	l := quota.New(quota.Options{Now: time.Now, Source: st.Quotas()})
	if n := take(l, key, 80, 3); n != 3 { // leased are 1 and 2
		t.Errorf("have %d answered, want 3", n)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if n := take(l, key, 80, 80); n != 10 {
		t.Errorf("have %d answered without the database, want 10", n)
	}
}
