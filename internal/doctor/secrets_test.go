package doctor

import (
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/store"
)

// TestFindRemovedSecrets finds secrets that were removed, but none that never existed.
func TestFindRemovedSecrets(t *testing.T) {
	t.Parallel()
	const named, signed = "an installation keeps its identifier", "an installation keeps a key that signs its tokens"
	for _, c := range []struct {
		name   string
		cursor bool // as once a server has run
		remove func(name string) bool
		want   []string
	}{
		{"a command", false, func(string) bool { return false }, nil},
		{"a server", true, func(string) bool { return false }, nil},
		{"nothing", false, func(string) bool { return true }, nil},
		{"no identifier", false, func(name string) bool { return name == "installation" }, []string{named}},
		{"no signing key", true, auth.SignsTokens, []string{signed}},
		{"no cursor key", true, func(name string) bool { return name == "cursor-key" }, nil}, // made again, and missed by nobody
		{"the cursor key alone", true, func(name string) bool { return name != "cursor-key" }, []string{named, signed}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			env := app.Env{Now: time.Now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)}
			ids := env.IDs()
			st, err := store.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "octavo.db"), app.StoreOptions(env, ids, ""))
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			if _, err := app.OpenCredentials(t.Context(), env, ids, st, "", ""); err != nil {
				t.Fatal(err)
			}
			if c.cursor {
				if _, err := st.Accounts.Secrets.PutIfAbsent(t.Context(), "cursor-key", []byte("k")); err != nil {
					t.Fatal(err)
				}
			}
			secrets, err := st.Accounts.Secrets.All(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range secrets {
				if c.remove(s.Name) {
					if err := st.Accounts.Secrets.Delete(t.Context(), s.Name); err != nil {
						t.Fatal(err)
					}
				}
			}
			findings, err := checkKept(t.Context(), st)
			var have []string
			for _, f := range findings {
				have = append(have, f.Rule)
			}
			if err != nil || !slices.Equal(have, c.want) {
				t.Errorf("have %q, %v; want %q", have, err, c.want)
			}
		})
	}
}
