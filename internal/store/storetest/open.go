package storetest

import (
	"context"
	"crypto/rand"
	"path/filepath"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// Databases with the schema in place, which takes longer than most tests.
var (
	sqliteSchema   testenv.FileTemplate
	postgresSchema testenv.PostgresTemplate
)

// OpenFunc opens a store at an address.
type OpenFunc func(context.Context, string, store.Options) (*store.Store, error)

// OpenSQLite opens a new store on SQLite.
func OpenSQLite(t testing.TB, o store.Options) *store.Store {
	t.Helper()
	return Open(t, o, store.OpenSQLite, sqliteSchema.Copy(t, "octavo.db", prepare(store.OpenSQLite, o)))
}

// OpenPostgres opens a new store on PostgreSQL.
func OpenPostgres(t testing.TB, o store.Options) *store.Store {
	t.Helper()
	return Open(t, o, store.OpenPostgres, postgresSchema.Postgres(t, prepare(store.OpenPostgres, o)))
}

// prepare returns what makes the schema of a database.
func prepare(open OpenFunc, o store.Options) func(address string) error {
	return func(address string) error {
		st, err := open(context.Background(), address, o)
		if err != nil {
			return err
		}
		return st.Close()
	}
}

// Open opens a store, or ends the test.
func Open(t testing.TB, o store.Options, open OpenFunc, address string) *store.Store {
	t.Helper()
	st, err := open(t.Context(), address, o)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// Options are those of a store by a clock.
func Options(now func() time.Time) store.Options {
	return store.Options{Now: now, IDs: octavo.NewIDSource(now, rand.Reader)}
}

// NewPage is a page to be created.
func NewPage(slug string) pagestore.NewPage {
	return pagestore.NewPage{PageCreate: octavo.PageCreate{Title: slug, Slug: slug, Content: "content of " + slug}}
}

// Create creates a page; the slug tells which when it fails.
func Create(ctx context.Context, st *store.Store, n pagestore.NewPage) (p octavo.Page, err error) {
	err = st.DB.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
		p, err = st.Pages.Create(tx, n)
		return err
	})
	return p, octavo.Wrapf(err, "create %s", n.Slug)
}

// Execute runs a statement that the store has no method for.
func Execute(ctx context.Context, st *store.Store, statement string) error {
	return st.DB.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		_, err := tx.Exec(statement)
		return err
	})
}

// Analyze does at once what PostgreSQL does by itself after a minute or so:
// without figures about its tables it plans as if they were empty.
func Analyze(t testing.TB, st *store.Store) {
	t.Helper()
	if !st.DB.Shared() {
		return
	}
	if _, err := st.DB.Read().Exec(context.Background(), "ANALYZE"); err != nil {
		t.Fatal(err)
	}
}

// Until waits until something holds that nothing tells of.
func Until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	late := time.After(time.Minute)
	for !holds() {
		select {
		case <-look.C:
		case <-late:
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// OnBoth runs a test on both databases. Each call of again opens the same one,
// as another process would.
func OnBoth(t *testing.T, now func() time.Time, test func(t *testing.T, again func() *store.Store)) {
	run := func(open OpenFunc, address string) func(*testing.T) {
		return func(t *testing.T) {
			test(t, func() *store.Store {
				st := Open(t, Options(now), open, address)
				t.Cleanup(func() { st.Close() }) // those that the test closes are closed
				return st
			})
		}
	}
	t.Run("sqlite", func(t *testing.T) { run(store.OpenSQLite, filepath.Join(t.TempDir(), "octavo.db"))(t) })
	t.Run("postgres", func(t *testing.T) { run(store.OpenPostgres, testenv.Postgres(t))(t) })
}

// WantType checks of what type an error is.
func WantType(t *testing.T, err error, want octavo.ProblemType) {
	t.Helper()
	if !octavo.IsType(err, want) {
		t.Errorf("have error %v, want one of type %s", err, want)
	}
}
