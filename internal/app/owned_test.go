package app_test

import (
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
)

// TestOwnedMakesNoInstallation: whoever looks whose files there are leaves a
// database without an identifier as it is, since that is perhaps brought back.
func TestOwnedMakesNoInstallation(t *testing.T) {
	t.Parallel()
	env := app.Env{Now: time.Now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)}
	ids, dir := env.IDs(), t.TempDir()
	st, err := store.OpenSQLite(t.Context(), filepath.Join(dir, "octavo.db"), app.StoreOptions(env, ids, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	blobs, err := blob.OpenFolder(filepath.Join(dir, "files"))
	if err != nil {
		t.Fatal(err)
	}
	defer blobs.Close()
	files := app.Files{Blobs: blobs, Where: "the folder", Beside: true}
	if err := files.Owned(t.Context(), st); err == nil {
		t.Error("a database without an identifier has files of its own")
	}
	if secrets, err := st.Secrets(t.Context(), ""); err != nil || len(secrets) != 0 {
		t.Errorf("have %d secrets, %v; want none made", len(secrets), err)
	}
	if _, err := app.OpenCredentials(t.Context(), env, ids, st, "", ""); err != nil {
		t.Fatal(err)
	}
	if err := files.Owned(t.Context(), st); err != nil {
		t.Error(err)
	}
}
