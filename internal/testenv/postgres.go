package testenv

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"sync"
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
	server, address := postgresServer(t)
	name := databaseName()
	execute(t, server, "CREATE DATABASE "+name+" TEMPLATE template0")
	t.Cleanup(func() { execute(t, server, "DROP DATABASE "+name+" WITH (FORCE)") })
	address.Path = "/" + name
	return address.String()
}

// postgresServer returns the address of the server, as it is and taken apart.
func postgresServer(t testing.TB) (server string, address *url.URL) {
	t.Helper()
	server = os.Getenv("OCTAVO_TEST_POSTGRES")
	if server == "" {
		missing(t, "postgres", "run the tests by scripts/with-postgres go test ...")
	}
	address, err := url.Parse(server)
	if err != nil {
		t.Fatalf("OCTAVO_TEST_POSTGRES is not a URL: %v", err)
	}
	return server, address
}

// databaseName has letters and digits only, so it needs no quotes.
func databaseName() string { return "octavo_test_" + strings.ToLower(rand.Text()) }

// PostgresTemplate is a database that copies are made of. Its zero value is
// none yet.
type PostgresTemplate struct {
	once sync.Once
	name string
}

// Postgres is [Postgres] with what prepare has made of an empty database at the
// first call; it must leave no connection open. Neither the template nor its
// copies are dropped, which would take as long as most tests that use them:
// they go with the server.
func (p *PostgresTemplate) Postgres(t testing.TB, prepare func(url string) error) string {
	t.Helper()
	server, address := postgresServer(t) // before the once: another test may still be able to run it
	p.once.Do(func() {
		name := databaseName()
		execute(t, server, "CREATE DATABASE "+name+" TEMPLATE template0")
		address.Path = "/" + name
		if err := prepare(address.String()); err != nil {
			t.Fatal(err)
		}
		p.name = name
	})
	if p.name == "" {
		t.Fatal("the database that copies are made of could not be prepared")
	}
	name := databaseName()
	execute(t, server, "CREATE DATABASE "+name+" TEMPLATE "+p.name)
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
