package octavotest

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// Databases with the schema in place, which takes longer than most tests and,
// under the race detector, than most of all.
var (
	sqliteSchema   testenv.FileTemplate
	postgresSchema testenv.PostgresTemplate
)

// Postgres returns the URL of a PostgreSQL database in which nothing is but the
// schema. It goes with the server of the tests, not with the test.
func Postgres(t testing.TB) string {
	t.Helper()
	return postgresSchema.Postgres(t, func(url string) error { return prepare(store.OpenPostgres(t.Context(), url, bare())) })
}

func bare() store.Options {
	return store.Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader)}
}

// prepare closes what was opened for its schema alone.
func prepare(st *store.Store, err error) error {
	if err != nil {
		return err
	}
	return st.Close()
}
