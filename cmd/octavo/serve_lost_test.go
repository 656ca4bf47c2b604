package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/storage"
)

// run runs a command that has to end with a code and to say something, on
// whichever output.
func run(t *testing.T, code int, want string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // for a server that serves
	defer cancel()
	said := &strings.Builder{}
	if have := Run(ctx, args, strings.NewReader(""), said, said); have != code || !strings.Contains(said.String(), want) {
		t.Errorf("%v: have %d, %q; want %d, %q", args, have, said, code, want)
	}
}

// end waits for the exit code of a server that is about to end.
func (s *runningServer) end(t *testing.T) int {
	t.Helper()
	select {
	case code := <-s.ended:
		return code
	case <-time.After(30 * time.Second):
		t.Fatal("the server goes on")
		return 0
	}
}

// TestADatabaseThatIsReplaced: what SQLite keeps beside a database is not brought
// into the one that comes in its place, and stays where the other one is gone.
func TestADatabaseThatIsReplaced(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		want string
		left bool // whether the files are left where they were
	}{
		"replaced": {"what belongs to the file that was there and holds its latest writes is named ", false},
		"removed":  {"octavo.db-shm belong to the file that was there and hold its latest writes: move them away before another octavo.db is put there", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := filepath.Join(t.TempDir(), "d")
			in := func(name string) string { return filepath.Join(data, name) }
			first := startServer(t, data)
			first.stop()
			<-first.ended
			old, err := os.ReadFile(in(storage.DatabaseFile))
			if err == nil {
				err = os.WriteFile(in("backup"), old, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			s := startServer(t, data)
			for range 5 {
				run(t, exitDone, "", "keys", "create", "--data", data, "--name", "n", "--scopes", "pages:read")
			}
			if c.left {
				err = os.Remove(in(storage.DatabaseFile))
			} else {
				err = os.Rename(in("backup"), in(storage.DatabaseFile))
			}
			if err != nil {
				t.Fatal(err)
			}
			if code := s.end(t); code != exitFailed || !strings.Contains(s.said.String(), c.want) {
				t.Errorf("have %d, %q; want %d, %q", code, s.said, exitFailed, c.want)
			}
			aside, err := filepath.Glob(in("octavo.db-*.lost-*"))
			_, stat := os.Stat(in("octavo.db-wal"))
			if err != nil || (stat == nil) != c.left || (len(aside) == 0) != c.left {
				t.Errorf("have %v, %v aside and %v of octavo.db-wal", aside, err, stat)
			}
			if c.left {
				run(t, exitFailed, "octavo.db-shm away before a backup, which they would damage", "import", "--data", data, t.TempDir())
				return
			}
			run(t, exitDone, "nothing is wrong", "doctor", "--data", data)
			if wal := slices.IndexFunc(aside, func(path string) bool { return strings.Contains(path, "-wal.") }); wal < 0 {
				t.Errorf("have %v aside, want the writes among them", aside)
			} else if info, err := os.Stat(aside[wal]); err != nil || info.Size() == 0 {
				t.Errorf("have %v, %v aside, want writes in it", info, err)
			}
		})
	}
}

// TestALossIsLogged: what reads the log is told as of any other error.
func TestALossIsLogged(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "d")
	s := startServer(t, data, "--log-format", "json")
	if err := os.Rename(data, data+"-moved"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(data, nil, 0o600); err != nil { // no folder, but a file
		t.Fatal(err)
	}
	s.end(t)
	told := 0
	for line := range strings.Lines(s.said.String()) {
		if strings.HasPrefix(line, "{") && strings.Contains(line, `"level":"ERROR"`) && strings.Contains(line, "octavo.db was removed while the server worked on it") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("have %d lines of the log that tell of it in %q, want 1", told, s.said)
	}
}
