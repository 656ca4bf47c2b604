package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/testenv"
)

func TestImportInterrupted(t *testing.T) {
	tree := t.TempDir()
	if err := os.WriteFile(filepath.Join(tree, "a.md"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range [][]string{
		{"import", "--data", filepath.Join(t.TempDir(), "d"), tree},
		{"import", "--url", "http://127.0.0.1:1", "--token", "x", tree},
	} {
		var said strings.Builder
		code := Run(ctx, args, strings.NewReader(""), io.Discard, &said)
		if want := "octavo: interrupted; run the import again\n"; code != exitFailed || !strings.HasSuffix(said.String(), want) {
			t.Errorf("%q: have %d, %q, want %d, …%q", args, code, said.String(), exitFailed, want)
		}
	}
}

// A dry run does nothing in a database either: an empty one stays empty, and
// no data folder is made for it.
func TestDryRunIntoPostgres(t *testing.T) {
	url, folder, tree := testenv.Postgres(t), filepath.Join(t.TempDir(), "d"), t.TempDir()
	if err := os.WriteFile(filepath.Join(tree, "a.md"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	dry := func() {
		t.Helper()
		var out, said strings.Builder
		if code := Run(t.Context(), []string{"import", "--dry-run", "--data", folder, "--database-url", url, tree}, strings.NewReader(""), &out, &said); code != exitDone || out.String() != "created - a\n" {
			t.Errorf("have %d, %q, %q, want one page to create", code, out.String(), said.String())
		}
		if _, err := os.Stat(folder); err == nil {
			t.Errorf("%s was made", folder)
		}
	}
	dry()
	if _, err := store.OpenPostgres(t.Context(), url, store.Options{NoMigrate: true}); !errors.Is(err, sqldb.ErrEmpty) {
		t.Errorf("have %v, want an empty database", err)
	}
	if code := Run(t.Context(), []string{"migrate", "--database-url", url}, strings.NewReader(""), io.Discard, io.Discard); code != exitDone {
		t.Fatalf("migrate ends with %d", code)
	}
	dry()
}

func TestSourcesOfRedirects(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{"/a b": "/a%20b", "/spaces/KEY/pages/1/*": "/spaces/KEY/pages/1/*", "/a*b": "/a%2Ab"} {
		if have := escaped(from); have != want {
			t.Errorf("%q: have %q, want %q", from, have, want)
		}
	}
}
