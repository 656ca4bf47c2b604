package faulttest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// use has the resources used by a process.
type use struct {
	resident   int // bytes
	handles    int // open files and connections
	goroutines int
	heap       int // bytes in use that are not kept for readers
}

// use measures the server.
func (s *server) use(t testing.TB) use {
	t.Helper()
	var u use
	handles, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.pid()))
	if err != nil {
		t.Fatal(err)
	}
	u.handles = len(handles)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid()))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := bytes.Cut(status, []byte("VmRSS:"))
	if _, err := fmt.Sscanf(string(text), "%d kB", &u.resident); err != nil {
		t.Fatal(err)
	}
	u.resident <<= 10
	profile, err := s.operation(t, "/debug/pprof/goroutine?debug=1")
	if err == nil {
		_, err = fmt.Sscanf(profile, "goroutine profile: total %d", &u.goroutines)
	}
	if err != nil {
		t.Fatal(err)
	}
	u.heap = s.figure(t, "/debug/pprof/heap?gc=1&debug=1", "# HeapAlloc = ") - s.figure(t, "/metrics", "\noctavo_page_cache_bytes ")
	return u
}

// figure reads a number from a response of the operations address.
func (s *server) figure(t testing.TB, path, before string) int {
	t.Helper()
	text, err := s.operation(t, path)
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(text, before)
	var number float64
	if _, err := fmt.Sscan(text, &number); err != nil || !found {
		t.Fatalf("%s: no number behind %q: %v", path, before, err)
	}
	return int(number)
}

// operation reads from the operations address, without leaving a connection.
func (s *server) operation(t testing.TB, path string) (string, error) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.ops+path, nil)
	if err != nil {
		return "", err
	}
	r.Close = true
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return string(text), err
}

// A few handles and goroutines vary: connections of the database and of this test.
const (
	slack     = 12
	slackHeap = 8 << 20 // statements, windows of quotas, events of the last minute
)

// withoutMemory disables the page cache, which would grow in a long run.
var withoutMemory = []string{"--page-cache", "0", "--process-roles", "api,worker,auth"}

// flat returns nil if the server uses no more than before.
func (s *server) flat(t testing.TB, before use) error {
	have := s.use(t)
	if have.handles > before.handles+slack || have.goroutines > before.goroutines+slack || have.heap > before.heap+slackHeap {
		return fmt.Errorf("the server holds %+v, before it was %+v", have, before)
	}
	return nil
}

// warm runs all writers for a while, and measures the resources that the server needs for
// them.
func (s *server) warm(t testing.TB, list []*writer) use {
	t.Helper()
	var group sync.WaitGroup
	for _, w := range list {
		group.Go(func() {
			for range 20 {
				if err := w.work(t.Context()); err != nil {
					t.Errorf("before the fault: %v", err)
				}
			}
		})
	}
	group.Wait()
	return s.use(t)
}

// busy returns nil when the server has n more connections.
func (s *server) busy(t testing.TB, before use, n int) error {
	have := s.use(t)
	if have.handles < before.handles+n || have.goroutines < n { // those of before may have ended
		return fmt.Errorf("the server holds %+v, before it was %+v, want %d more", have, before, n)
	}
	return nil
}

// newBystander returns a client with ordinary requests, after the server has allocated
// what it needs for them.
func newBystander(t testing.TB, a *api) *writer {
	t.Helper()
	w := newWriters(a, 7, 1, &figures{t: t})[0]
	bystand(t, w)
	return w
}

// bystand runs a bystander for a while, and returns the longest response time.
func bystand(t testing.TB, w *writer) (slowest time.Duration) {
	t.Helper()
	const requests, most = 50, 5 * time.Second
	for range requests {
		start := time.Now()
		if err := w.work(t.Context()); err != nil {
			t.Errorf("a bystander: %v", err)
		}
		if err := health(t.Context(), w.api); err != nil {
			t.Errorf("a bystander: %v", err)
		}
		slowest = max(slowest, time.Since(start))
	}
	if slowest > most {
		t.Errorf("a bystander waited for %s, want at most %s", slowest, most)
	}
	return slowest.Round(time.Millisecond)
}
