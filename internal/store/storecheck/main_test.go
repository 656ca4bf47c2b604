package storecheck_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/testenv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Databases with the schema in place.
var (
	sqliteSchema   testenv.FileTemplate
	postgresSchema testenv.PostgresTemplate
)

// database is a store and a way around it.
type database struct {
	*store.Store
	db *sql.DB
}

// onDatabases runs a test on a new database of each kind.
func onDatabases(t *testing.T, test func(t *testing.T, st database)) {
	o := store.Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader)}
	for _, c := range []struct {
		name, driver string
		open         func(context.Context, string, store.Options) (*store.Store, error)
		prepare      func(t testing.TB, prepare func(string) error) (address string)
	}{
		{"sqlite", "sqlite", store.OpenSQLite, func(t testing.TB, p func(string) error) string { return sqliteSchema.Copy(t, "octavo.db", p) }},
		{"postgres", "pgx", store.OpenPostgres, func(t testing.TB, p func(string) error) string { return postgresSchema.Postgres(t, p) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			address := c.prepare(t, func(address string) error {
				st, err := c.open(context.Background(), address, o)
				if err != nil {
					return err
				}
				return st.Close()
			})
			st, err := c.open(t.Context(), address, o)
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			db, err := sql.Open(c.driver, address)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			test(t, database{st, db})
		})
	}
}

// execute runs a statement behind the back of the store.
func (d database) execute(t *testing.T, statement string) {
	t.Helper()
	if _, err := d.db.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// create creates a page.
func (d database) create(t *testing.T, slug string) (p octavo.Page) {
	t.Helper()
	err := d.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
		p, err = d.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: slug, Slug: slug, Content: "content of " + slug}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
