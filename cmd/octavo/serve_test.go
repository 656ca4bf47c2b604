package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// Stopping a server during its start is no error.
func TestServeStoppedAtStart(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var said strings.Builder
	code := Run(ctx, []string{"serve", "--addr", "127.0.0.1:0", "--ops-addr=", "--data", filepath.Join(t.TempDir(), "d")}, strings.NewReader(""), io.Discard, &said)
	if code != exitDone || !strings.Contains(said.String(), "stopped before anything was served") || strings.Contains(said.String(), "listening") {
		t.Errorf("have %d, %q, want %d and that nothing was served", code, said.String(), exitDone)
	}
}

func TestArgumentsInUTF8(t *testing.T) {
	var said strings.Builder
	code := Run(t.Context(), []string{"migrate", "--data", filepath.Join(t.TempDir(), "d\xff")}, strings.NewReader(""), io.Discard, &said)
	if code != exitUsage || !strings.Contains(said.String(), `d\xff" is not UTF-8`) {
		t.Errorf("have %d, %q, want %d and which argument is not UTF-8", code, said.String(), exitUsage)
	}
}
