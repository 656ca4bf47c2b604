package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/storage"
)

// runningServer is octavo serve on a data folder.
type runningServer struct {
	url, ops string
	stop     context.CancelFunc
	ended    chan int // its exit code
	said     *strings.Builder
}

// startServer returns when the server listens. What it said may be read once it
// has ended.
func startServer(t *testing.T, data string, args ...string) *runningServer {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	lines, stderr := io.Pipe()
	s := &runningServer{stop: stop, ended: make(chan int, 1), said: &strings.Builder{}}
	go func() {
		code := Run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0", "--ops-addr", "127.0.0.1:0", "--data", data}, args...), strings.NewReader(""), io.Discard, stderr)
		stderr.Close() //nolint:errcheck // it never fails
		s.ended <- code
	}()
	read := bufio.NewScanner(lines)
	for s.url == "" {
		if !read.Scan() {
			t.Fatalf("octavo serve ended before it listened:\n%s", s.said)
		}
		fmt.Fprintln(s.said, read.Text())
		if url, ok := strings.CutPrefix(read.Text(), "octavo: operations on "); ok {
			s.ops = url
		}
		if url, ok := strings.CutPrefix(read.Text(), "octavo: listening on "); ok {
			s.url = url
		}
	}
	told := make(chan int, 1)
	go func() {
		for read.Scan() {
			fmt.Fprintln(s.said, read.Text())
		}
		told <- <-s.ended
	}()
	return &runningServer{s.url, s.ops, stop, told, s.said}
}

// answers reports whether something is served at an address.
func answers(t *testing.T, url string) bool {
	t.Helper()
	conn, err := net.DialTimeout("tcp", strings.TrimPrefix(url, "http://"), time.Second)
	if err != nil {
		return false
	}
	conn.Close() //nolint:errcheck // nothing was sent
	return true
}

// TestAServerWhoseFolderIsLost: a server from which its data folder is taken, or
// what it knows that by, answers nobody any more, however long it may take for
// requests, and says why.
func TestAServerWhoseFolderIsLost(t *testing.T) {
	for name, c := range map[string]struct {
		take func(data string) error
		want string // of what it says
	}{
		"the folder is removed":    {os.RemoveAll, "octavo.db was removed while the server worked on it"},
		"the folder is moved":      {func(data string) error { return os.Rename(data, data+"-moved") }, "octavo.db was removed while"},
		"the lock is removed":      {func(data string) error { return os.Remove(filepath.Join(data, storage.LockFile)) }, "octavo.lock was removed while"},
		"the lock is another file": {func(data string) error { return replace(filepath.Join(data, storage.LockFile)) }, "octavo.lock was replaced while"},
		"the database is removed":  {func(data string) error { return os.Remove(filepath.Join(data, storage.DatabaseFile)) }, "octavo.db was removed while"},
		"the database is a link": {func(data string) error {
			elsewhere, path := data+"-disk", filepath.Join(data, storage.DatabaseFile)
			return errors.Join(os.Rename(path, elsewhere), os.Symlink(elsewhere, path))
		}, "octavo.db was replaced while"},
		// SQLite may have begun new ones in their place before the server looks.
		"its log is removed":    {func(data string) error { return os.Remove(filepath.Join(data, storage.DatabaseFile+"-wal")) }, "octavo.db-wal was re"},
		"its index is removed":  {func(data string) error { return os.Remove(filepath.Join(data, storage.DatabaseFile+"-shm")) }, "octavo.db-shm was re"},
		"the files are removed": {func(data string) error { return os.RemoveAll(filepath.Join(data, storage.FilesFolder)) }, "files was removed while"},
		"the files are others": {func(data string) error {
			path := filepath.Join(data, storage.FilesFolder)
			return errors.Join(os.Rename(path, path+"-moved"), os.Mkdir(path, 0o700))
		}, "files was replaced while"},
		"the database is a copy": {func(data string) error { return replace(filepath.Join(data, storage.DatabaseFile)) }, "octavo.db was replaced while"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := filepath.Join(t.TempDir(), "d")
			s := startServer(t, data, "--drain", "1h", "--shutdown-timeout", "1h")
			if !answers(t, s.url) || !answers(t, s.ops) {
				t.Fatal("nothing is served")
			}
			if err := c.take(data); err != nil {
				t.Fatal(err)
			}
			select {
			case code := <-s.ended:
				if code != exitFailed {
					t.Errorf("have exit code %d, want %d", code, exitFailed)
				}
			case <-time.After(30 * time.Second):
				t.Fatal("the server goes on")
			}
			if !strings.Contains(s.said.String(), c.want) {
				t.Errorf("have %q, want %q in it", s.said, c.want)
			}
			if answers(t, s.url) || answers(t, s.ops) {
				t.Error("the address is still served")
			}
		})
	}
}

// replace puts a copy in the place of a file.
func replace(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// TestAServerWhoseFolderIsAnother: what has come in place of the folder is left as
// it is by the server that loses it, and serves at once.
func TestAServerWhoseFolderIsAnother(t *testing.T) {
	data := filepath.Join(t.TempDir(), "d")
	first := startServer(t, data)
	if err := os.Rename(data, data+"-moved"); err != nil {
		t.Fatal(err)
	}
	second := startServer(t, data)
	if code := <-first.ended; code != exitFailed || !strings.Contains(first.said.String(), "while the server worked on it") {
		t.Errorf("the first: have %d, %q, want %d and why it ended", code, first.said, exitFailed)
	}
	pid, err := os.ReadFile(filepath.Join(data, storage.LockFile))
	if err != nil || strings.TrimSpace(string(pid)) != fmt.Sprint(os.Getpid()) {
		t.Errorf("the lock of the second names the process %q (%v), want %d", pid, err, os.Getpid())
	}
	select {
	case code := <-second.ended:
		t.Errorf("the second has ended with %d: %q", code, second.said)
	case <-time.After(2 * time.Second): // it has looked by now, and goes on
	}
	resp, err := http.Get(second.ops + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close() //nolint:errcheck // its status is what counts
	if resp.StatusCode != http.StatusOK {
		t.Errorf("the second: have %s, want 200", resp.Status)
	}
	second.stop()
	if code := <-second.ended; code != exitDone {
		t.Errorf("the second: have %d, %q, want %d", code, second.said, exitDone)
	}
	if _, err := os.Stat(filepath.Join(data, storage.DatabaseFile)); err != nil {
		t.Error(err)
	}
}

// TestOptionsOfTheServer: net/http does not answer OPTIONS * in place of the API.
func TestOptionsOfTheServer(t *testing.T) {
	s := startServer(t, filepath.Join(t.TempDir(), "d"))
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // all was read
	fmt.Fprint(conn, "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: http.MethodOptions})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // it is empty
	if resp.StatusCode != http.StatusNoContent || resp.Header.Get("X-Request-Id") == "" {
		t.Errorf("have %s and %v, want 204 and X-Request-Id", resp.Status, resp.Header)
	}
	s.stop()
	<-s.ended
}
