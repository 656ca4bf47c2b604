package octavotest

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// Databases with the schema, shared by tests since migrating takes longer than most of
// them.
var (
	sqliteSchema   testenv.FileTemplate
	postgresSchema testenv.PostgresTemplate
)

// Postgres returns the URL of a PostgreSQL database with an empty schema. It is removed
// with the server of the tests.
func Postgres(t testing.TB) string {
	t.Helper()
	return postgresSchema.Postgres(t, func(url string) error { return prepare(store.OpenPostgres(t.Context(), url, bare())) })
}

func bare() store.Options {
	return store.Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader)}
}

// prepare closes a store that was opened for its schema.
func prepare(st *store.Store, err error) error {
	if err != nil {
		return err
	}
	return st.Close()
}
