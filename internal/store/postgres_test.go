package store_test

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storetest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

func TestPostgresNewerSchema(t *testing.T) {
	url := testenv.Postgres(t)
	reopenNewer(t, store.OpenPostgres, url, func(statement string) { execute(t, url, statement) })
}

// execute runs a statement as another program would.
func execute(t *testing.T, url, statement string) {
	t.Helper()
	link, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer link.Close(t.Context())
	if _, err := link.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// TestPostgresAlone: what must work on the database alone is refused beside a
// server, also at once after that has lost its connections, and keeps others away.
func TestPostgresAlone(t *testing.T) {
	t.Parallel()
	url := testenv.Postgres(t)
	o := storetest.Options(time.Now)
	other := storetest.Open(t, o, store.OpenPostgres, url)
	defer other.Close()
	refused := func() {
		t.Helper()
		if release, err := other.DB.Alone(t.Context()); err == nil {
			release()
			t.Error("have no error beside another process")
		}
	}
	o.Serving = true
	server := storetest.Open(t, o, store.OpenPostgres, url)
	refused()
	execute(t, url, `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = `+fmt.Sprint(sqldb.LockSpace)+
		` AND objid = `+fmt.Sprint(sqldb.ServingLock)+` AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
	refused()
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	release, err := other.DB.Alone(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	refused()
	if st, err := store.OpenPostgres(t.Context(), url, o); err == nil {
		st.Close()
		t.Error("a server starts beside what works alone")
	}
}

// TestPostgresDeadlock lets two transactions lock two pages in opposite order.
// PostgreSQL ends one of them, which then runs again.
func TestPostgresDeadlock(t *testing.T) {
	st := storetest.OpenPostgres(t, storetest.Options(time.Now))
	defer st.Close()
	var pages [2]octavo.Page
	for i, slug := range []string{"a", "b"} {
		p, err := storetest.Create(t.Context(), st, storetest.NewPage(slug))
		if err != nil {
			t.Fatal(err)
		}
		pages[i] = p
	}
	var runs atomic.Int32
	var wg sync.WaitGroup
	var both sync.WaitGroup // ends when both hold their first lock
	both.Add(2)
	for i := range 2 {
		wg.Go(func() {
			first := true
			err := st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
				runs.Add(1)
				for _, p := range []octavo.Page{pages[i], pages[1-i]} {
					now, err := st.Pages.Load(tx, p.ID)
					if err != nil {
						return err
					}
					title := now.Title + "x"
					if _, err := st.Pages.Update(tx, p.ID, pagestore.Change{Title: &title}, nil); err != nil {
						return err
					}
					if first {
						first = false
						both.Done()
						both.Wait()
					}
				}
				return nil
			})
			if err != nil {
				t.Errorf("write %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	if n := runs.Load(); n < 3 { // more where PostgreSQL ends a transaction again
		t.Errorf("have %d runs of two transactions, want 3 at least", n)
	}
	for _, p := range pages {
		now, err := st.Pages.Get(t.Context(), octavo.Audience{}, p.ID)
		if err != nil || now.Title != p.Title+"xx" || now.Version != 3 {
			t.Errorf("have title %q, version %d, error %v, want both changes", now.Title, now.Version, err)
		}
	}
}

// TestPostgresLateCommit: a change that commits after younger ones were read is
// not passed over.
func TestPostgresLateCommit(t *testing.T) {
	st := storetest.OpenPostgres(t, storetest.Options(time.Now))
	defer st.Close()
	written, commit := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	go func() {
		done <- st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			_, err := st.Pages.Create(tx, storetest.NewPage("slow"))
			close(written)
			<-commit
			return err
		})
	}()
	<-written
	fast, err := storetest.Create(t.Context(), st, storetest.NewPage("fast"))
	if err != nil {
		t.Fatal(err)
	}
	first, err := st.Log.Changes(t.Context(), 0, 10)
	if err != nil || len(first) != 1 || first[0].Page != fast.ID {
		t.Fatalf("have changes %+v, error %v, want that of the fast write", first, err)
	}
	close(commit)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	second, err := st.Log.Changes(t.Context(), first[0].Position, 10)
	if err != nil || len(second) != 1 || second[0].Page == fast.ID {
		t.Errorf("have changes %+v, error %v, want that of the slow write", second, err)
	}
}

// TestPostgresKeyInProgress: two processes do not act on one Idempotency-Key at
// the same time.
func TestPostgresKeyInProgress(t *testing.T) {
	url := testenv.Postgres(t)
	one, other := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url), storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url)
	defer one.Close()
	defer other.Close()
	claim := func() *sqldb.Claim {
		return &sqldb.Claim{Owner: "o", Key: "k", Response: func() sqldb.Response { return sqldb.Response{Status: 201} }}
	}
	acts := 0
	act := func(st *store.Store, inside func()) error {
		return st.DB.Write(t.Context(), sqldb.Cause{Claim: claim()}, func(*sqldb.Tx) error {
			acts++
			inside()
			return nil
		})
	}
	err := act(one, func() { storetest.WantType(t, act(other, func() {}), octavo.Conflict) })
	if err != nil {
		t.Error(err)
	}
	var replay *sqldb.ReplayError
	if err := act(other, func() {}); !errors.As(err, &replay) {
		t.Errorf("have error %v, want a replay", err)
	}
	if acts != 1 {
		t.Errorf("the request was acted on %d times", acts)
	}
}

// TestPostgresGone: a server that cannot be reached is Unavailable, at the
// start and later.
func TestPostgresGone(t *testing.T) {
	_, err := store.OpenPostgres(t.Context(), "postgres://nobody:secret@127.0.0.1:1/none", storetest.Options(time.Now))
	storetest.WantType(t, err, octavo.Unavailable)

	url := testenv.Postgres(t)
	st := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url)
	defer st.Close()
	err = st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		execute(t, url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		return tx.Each(func(tx *sqldb.Tx) error {
			_, err := st.Pages.Create(tx, storetest.NewPage("a"))
			return err
		})
	})
	storetest.WantType(t, err, octavo.Unavailable)
	if _, err := storetest.Create(t.Context(), st, storetest.NewPage("a")); err != nil {
		t.Errorf("after the connection was lost: %v", err)
	}
}

func TestPostgresBadURL(t *testing.T) {
	st, err := store.OpenPostgres(t.Context(), "postgres://a:secret@[bad", storetest.Options(time.Now))
	if err == nil {
		st.Close()
		t.Fatal("a bad URL was accepted")
	}
}

// JIT compilation is off: compiling a statement with many parts takes seconds, more than a
// read may take. An explicit setting for Octavo's connections is respected.
func TestPostgresInterprets(t *testing.T) {
	url := testenv.Postgres(t)
	more := "?"
	if strings.Contains(url, "?") {
		more = "&"
	}
	for _, c := range []struct{ url, want string }{{url, "off"}, {url + more + "jit=on", "on"}} {
		st := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, c.url)
		if have := settings(t, st, "jit"); !slices.Equal(have, []string{c.want, c.want}) {
			t.Errorf("jit is %q on the connections of the two pools, want %q", have, c.want)
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestPostgresReadCommitted: a stricter default of the role or of the
// database would have statements fail that wait for others.
func TestPostgresReadCommitted(t *testing.T) {
	address := testenv.Postgres(t)
	strict := with(t, address, func(u *url.URL) {
		query := u.Query()
		query.Set("default_transaction_isolation", "serializable")
		u.RawQuery = query.Encode()
	})
	st := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, strict)
	defer st.Close()
	want := []string{"read committed", "read committed"}
	if have := settings(t, st, "default_transaction_isolation"); !slices.Equal(have, want) {
		t.Errorf("have %q on the connections of the two pools, want %q", have, want)
	}
}

// TestPostgresWithoutAnEnd: a log whose end the database does not tell, as while
// a copy is being brought back, is not taken for an empty one.
func TestPostgresWithoutAnEnd(t *testing.T) {
	address := testenv.Postgres(t)
	st := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, address)
	defer st.Close()
	if _, err := storetest.Create(t.Context(), st, storetest.NewPage("a")); err != nil {
		t.Fatal(err)
	}
	execute(t, address, `DELETE FROM change_position`)
	if reach, err := st.Log.Reach(t.Context()); err == nil || !strings.Contains(err.Error(), "change_position is empty") {
		t.Errorf("have %+v, %v, want that the end is not told", reach, err)
	}
}

// settings returns what a setting of PostgreSQL is on a connection of each pool.
func settings(t *testing.T, st *store.Store, name string) []string {
	t.Helper()
	have := make([]string, 2)
	for i, c := range []sqldb.Conn{st.DB.Read(), st.DB.LogReader()} {
		if _, err := c.Row(t.Context(), []any{&have[i]}, "SELECT current_setting($1)", name); err != nil {
			t.Fatal(err)
		}
	}
	return have
}
