package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestImportThatIsInterrupted(t *testing.T) {
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
