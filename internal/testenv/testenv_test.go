package testenv

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestPostgresDatabasePerTest(t *testing.T) {
	ctx := t.Context()
	var first string
	t.Run("two databases", func(t *testing.T) {
		first = Postgres(t)
		for _, address := range []string{first, Postgres(t)} {
			connection, err := pgx.Connect(ctx, address)
			if err != nil {
				t.Fatalf("connecting: %v", err)
			}
			// Left open: dropping must not wait for it.
			t.Cleanup(func() { _ = connection.Close(ctx) })
			if _, err := connection.Exec(ctx, "CREATE TABLE pages (id text)"); err != nil {
				t.Errorf("the database is not empty and its own: %v", err)
			}
		}
	})
	if connection, err := pgx.Connect(ctx, first); err == nil {
		connection.Close(ctx)
		t.Errorf("the database outlives its test")
	}
}

func TestChromiumRuns(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), Chromium(t), "--version").Output()
	if err != nil || !strings.Contains(string(out), "Chrom") {
		t.Errorf("have %q, %v; want a version of Chromium", out, err)
	}
}

func TestMissing(t *testing.T) {
	for _, c := range []struct{ require, what, want string }{
		{"", "postgres", "skip"},
		{"chromium", "postgres", "skip"},
		{"postgres", "postgres", "fatal"},
		{"chromium,postgres", "postgres", "fatal"},
		{"postgresql", "postgres", "skip"},
	} {
		t.Setenv("OCTAVO_TEST_REQUIRE", c.require)
		r := &recorder{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			missing(r, c.what, "do this")
		}()
		<-done
		if !strings.HasPrefix(r.said, c.want) || !strings.Contains(r.said, "do this") {
			t.Errorf("require %q, missing %q: have %q, want %s and the remedy", c.require, c.what, r.said, c.want)
		}
	}
}

// A recorder notes how a test would have ended.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Fatalf(format string, args ...any) { r.end("fatal", format, args) }
func (r *recorder) Skipf(format string, args ...any)  { r.end("skip", format, args) }

func (r *recorder) end(how, format string, args []any) {
	r.said = how + ": " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// TestAsNobodyPermissions shows that what nobody may write is not
// written, as it would be by root.
func TestAsNobodyPermissions(t *testing.T) {
	if AsNobody(t) {
		return
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "before"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Chmod(folder, 0o700); err != nil { // so that it can be removed
			t.Error(err)
		}
	})
	if err := os.WriteFile(filepath.Join(folder, "after"), nil, 0o600); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("have %v, want it refused", err)
	}
}
