package store_test

import (
	"crypto/rand"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storetest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// with returns an address that is changed.
func with(t *testing.T, address string, change func(*url.URL)) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	change(u)
	return u.String()
}

// readOnly has every transaction of the connection only read, as on a standby.
func readOnly(u *url.URL) {
	query := u.Query()
	query.Set("default_transaction_read_only", "on")
	u.RawQuery = query.Encode()
}

// TestPostgresRefused: a database that cannot be worked on is refused with what
// mends it, also where nothing has to be migrated.
func TestPostgresRefused(t *testing.T) {
	t.Parallel()
	address := testenv.Postgres(t)
	role := "octavo_role_" + strings.ToLower(rand.Text())
	execute(t, address, "CREATE ROLE "+role+" LOGIN PASSWORD 'secret'")
	defer execute(t, address, "DROP ROLE "+role)
	poor := with(t, address, func(u *url.URL) { u.User = url.UserPassword(role, "secret") })
	refused := func(address, want string) {
		t.Helper()
		st, err := store.OpenPostgres(t.Context(), address, storetest.Options(time.Now))
		if err == nil {
			err = st.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("have %v, want %q", err, want)
		}
	}
	refused(poor, "make it the owner of the database")
	refused(with(t, address, readOnly), "name the primary server")
	if err := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, address).Close(); err != nil {
		t.Fatal(err)
	}
	refused(with(t, address, readOnly), "name the primary server")
	look := storetest.Options(time.Now)
	look.NoMigrate = true
	if err := storetest.Open(t, look, store.OpenPostgres, with(t, address, readOnly)).Close(); err != nil {
		t.Errorf("who only looks: %v", err)
	}
}

// TestPostgresTurnsReadOnly: a server that has become read-only, since another one has
// taken over, counts as unavailable.
func TestPostgresTurnsReadOnly(t *testing.T) {
	t.Parallel()
	address := testenv.Postgres(t)
	if err := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, address).Close(); err != nil {
		t.Fatal(err)
	}
	look := storetest.Options(time.Now)
	look.NoMigrate = true
	st := storetest.Open(t, look, store.OpenPostgres, with(t, address, readOnly))
	defer st.Close()
	_, err := storetest.Create(t.Context(), st, storetest.NewPage("a"))
	var told *octavo.Error
	if !errors.As(err, &told) || told.Type != octavo.Unavailable || told.RetryAfter <= 0 {
		t.Errorf("have %v, want Unavailable with a time to try again", err)
	}
}
