package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storetest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestPostgresFollowStuck: a transaction that took its number early and
// commits late stalls no follower, and is not passed over.
func TestPostgresFollowStuck(t *testing.T) {
	url := testenv.Postgres(t)
	one, other := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url), storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url)
	defer one.Close()
	defer other.Close()
	r := newRecord()
	_, stop := follow(t, other, changelog.FollowerOptions{Handle: r.add})
	defer stop()
	written, commit, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		done <- one.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			_, err := one.Pages.Create(tx, storetest.NewPage("stuck"))
			close(written)
			<-commit
			return err
		})
	}()
	<-written
	const others = 20
	for i := range others {
		if _, err := storetest.Create(t.Context(), []*store.Store{one, other}[i%2], storetest.NewPage(fmt.Sprint("p", i))); err != nil {
			t.Fatal(err)
		}
	}
	checkLog(t, "while it is stuck", r.wait(t, others), others)
	close(commit)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	list := r.wait(t, others+1)
	checkLog(t, "afterwards", list, others+1)
	stuck, _, err := one.Pages.BySlug(t.Context(), octavo.Audience{}, "stuck")
	if err != nil || list[others].Page != stuck.ID {
		t.Errorf("have page %s last, error %v, want the stuck one", list[others].Page, err)
	}
}

// listeners counts, or ends, the connections that listen.
func listeners(t *testing.T, url, what string) (n int) {
	t.Helper()
	link, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer link.Close(t.Context())
	err = link.QueryRow(t.Context(), `SELECT COUNT(`+what+`) FROM pg_stat_activity
		WHERE datname = current_database() AND query LIKE 'LISTEN%'`).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPostgresFollowDeaf: a follower without notifications is late but misses nothing, and
// later gets notifications again.
func TestPostgresFollowDeaf(t *testing.T) {
	url := testenv.Postgres(t)
	one, other := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url), storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url)
	defer one.Close()
	defer other.Close()
	r := newRecord()
	_, stop := follow(t, other, changelog.FollowerOptions{Handle: r.add})
	defer stop()
	hears := func() {
		t.Helper()
		storetest.Until(t, "somebody listens", func() bool { return listeners(t, url, "*") > 0 })
	}
	for round := range 3 {
		hears()
		if n := listeners(t, url, "pg_terminate_backend(pid)"); n != 1 {
			t.Fatalf("ended %d connections that listen, want 1", n)
		}
		for i := range 5 {
			if _, err := storetest.Create(t.Context(), one, storetest.NewPage(fmt.Sprint("p", round, "-", i))); err != nil {
				t.Fatal(err)
			}
		}
		checkLog(t, "deaf", r.wait(t, 5*(round+1)), 5*(round+1))
	}
	hears()
}

// TestPostgresFollowKilled: changes of a writer that died before it could give
// them a position, or tell of them, are followed.
func TestPostgresFollowKilled(t *testing.T) {
	url := testenv.Postgres(t)
	st := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url)
	defer st.Close()
	r := newRecord()
	_, stop := follow(t, st, changelog.FollowerOptions{Handle: r.add})
	defer stop()
	execute(t, url, `INSERT INTO changes (event_id, time, kind, subject, version, actor_id, actor_name, trace_id, public, payload)
		SELECT 'evt_' || n, 0, 'page.updated', 'page_x', n, '', '', '', FALSE, '{}' FROM generate_series(1, 2500) n`)
	checkLog(t, "unplaced", r.wait(t, 2500), 2500)
}
