package app_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// A server with a new secret key encrypts secrets stored without one, logs that, and still
// accepts credentials issued before.
func TestSealSecrets(t *testing.T) {
	for name, open := range map[string]func(context.Context, *testing.T, store.Options) (*store.Store, error){
		"sqlite": func(ctx context.Context, t *testing.T, o store.Options) (*store.Store, error) {
			return store.OpenSQLite(ctx, filepath.Join(t.TempDir(), "octavo.db"), o)
		},
		"postgres": func(ctx context.Context, t *testing.T, o store.Options) (*store.Store, error) {
			return store.OpenPostgres(ctx, testenv.Postgres(t), o)
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, key := t.Context(), strings.Repeat("k", 32)
			var log strings.Builder
			env := app.Env{Now: time.Now, Random: rand.Reader, Log: slog.New(slog.NewTextHandler(&log, nil))}
			ids := env.IDs()
			st, err := open(ctx, t, app.StoreOptions(env, ids, ""))
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			plain, err := app.OpenCredentials(ctx, env, ids, st, "", "")
			if err != nil {
				t.Fatal(err)
			}
			token, err := plain.Tokens.Issue(ctx, auth.Grant{Subject: "cli", Scopes: octavo.ScopeRead})
			if err != nil {
				t.Fatal(err)
			}
			before, err := st.Accounts.Secrets.All(ctx, "signing/")
			if err != nil {
				t.Fatal(err)
			}
			if replaced, err := st.Accounts.Secrets.Replace(ctx, before[0].Name, []byte("other"), []byte("new")); replaced || err != nil {
				t.Errorf("ReplaceSecret of a value that is not there = %t, %v; want false", replaced, err)
			}
			if _, err := app.OpenCredentials(ctx, env, ids, st, key, ""); err == nil {
				t.Error("plain secrets are opened with a key")
			}
			if err := app.SealSecrets(ctx, env, st, key); err != nil || !strings.Contains(log.String(), "encrypted now") {
				t.Fatalf("SealSecrets: %v; the log is %q", err, log.String())
			}
			after, err := st.Accounts.Secrets.All(ctx, "signing/")
			if err != nil || len(after) != 1 || !after[0].CreatedAt.Equal(before[0].CreatedAt) || string(after[0].Value) == string(before[0].Value) {
				t.Errorf("after SealSecrets the keys are %v, %v; want %v, encrypted", after, err, before)
			}
			sealed, err := app.OpenCredentials(ctx, env, ids, st, key, "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := sealed.Auth.Verify(ctx, auth.Credential{Kind: auth.Bearer, Secret: token}); err != nil {
				t.Errorf("a token from before: %v", err)
			}
		})
	}
}
