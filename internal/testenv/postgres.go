package testenv

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// serverTimeout bounds the making and the dropping of a database.
const serverTimeout = 30 * time.Second

// Postgres returns the URL of a new, empty database on the server that
// OCTAVO_TEST_POSTGRES names. The database is dropped when the test ends,
// whatever is still connected to it.
func Postgres(t testing.TB) string {
	t.Helper()
	server := os.Getenv("OCTAVO_TEST_POSTGRES")
	if server == "" {
		missing(t, "postgres", "run the tests by scripts/with-postgres go test ...")
	}
	address, err := url.Parse(server)
	if err != nil {
		t.Fatalf("OCTAVO_TEST_POSTGRES is not a URL: %v", err)
	}

	// Letters and digits only, so it needs no quotes.
	name := "octavo_test_" + strings.ToLower(rand.Text())
	execute(t, server, "CREATE DATABASE "+name+" TEMPLATE template0")
	t.Cleanup(func() { execute(t, server, "DROP DATABASE "+name+" WITH (FORCE)") })

	address.Path = "/" + name
	return address.String()
}

// execute runs one statement on a connection of its own. It takes no context
// from the test, which is cancelled by the time the database is dropped.
func execute(t testing.TB, server, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), serverTimeout)
	defer cancel()
	connection, err := pgx.Connect(ctx, server)
	if err != nil {
		t.Fatalf("connecting to the test server: %v", err)
	}
	defer connection.Close(ctx)
	if _, err := connection.Exec(ctx, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
