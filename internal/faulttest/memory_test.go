package faulttest

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
)

// What the server is told to take of memory, and what it may take beside that:
// the program itself, 45 MiB, the database's memory, and what the garbage collector has
// not yet collected on a busy machine. 220 to 278 MiB in all have been seen.
const (
	memory       = 192 << 20
	memoryMargin = 96 << 20
)

// peak is the most memory that the process had at any time.
func (s *server) peak(t testing.TB) (bytesResident int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid()))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := bytes.Cut(status, []byte("VmHWM:"))
	if _, err := fmt.Sscanf(string(text), "%d kB", &bytesResident); err != nil {
		t.Fatal(err)
	}
	return bytesResident << 10
}

// bounded starts a server with little memory.
func bounded(t testing.TB) (*server, *api, string) {
	in := onSQLite(t)
	s := in.serve(t, "--max-memory", fmt.Sprint(memory), "--page-cache", "16MiB")
	token := in.token(t)
	return s, newAPI(t, s.url, token), token
}

func (s *server) staysBounded(t testing.TB) {
	t.Helper()
	have, most := s.peak(t), memory+memoryMargin
	if have > most {
		t.Errorf("the server took %d MiB, want at most %d", have>>20, most>>20)
	}
	t.Logf("the server took %d MiB at most, of %d", have>>20, memory>>20)
}

// Many large bodies at once are worked on as memory bears, and refused beyond.
func TestLargeBodiesAtOnce(t *testing.T) {
	t.Parallel()
	const clients, rounds = 48, 2
	s, a, _ := bounded(t)
	other := newBystander(t, a)
	content := strings.Repeat("word [a](b.md) # x\n"+strings.Repeat("y", 170)+"\n", 9_000) // links take long to write
	var mu sync.Mutex
	statuses := map[int]int{}
	var group sync.WaitGroup
	for client := range clients {
		group.Go(func() {
			for round := range rounds {
				res, err := a.do(t.Context(), call{method: http.MethodPost, path: "/pages", body: object{
					"title": "Large", "slug": fmt.Sprintf("large-%d-%d", client, round), "content": content,
				}})
				if err != nil || res.status != http.StatusCreated && (res.status != http.StatusServiceUnavailable || res.header.Get("Retry-After") == "") {
					t.Errorf("have %s, %v, want 201, or 503 with Retry-After", res, err)
				}
				mu.Lock()
				statuses[res.status]++
				mu.Unlock()
			}
		})
	}
	slowest := bystand(t, other)
	group.Wait()
	if statuses[http.StatusCreated] == 0 {
		t.Errorf("have the statuses %v, want some of 201", statuses)
	}
	s.staysBounded(t)
	t.Logf("statuses %v, slowest of other requests %s", statuses, slowest)
}

// Lists of large pages that nobody reads take no more than their share.
func TestUnreadLargeLists(t *testing.T) {
	t.Parallel()
	const conns, pages, size = 40, 40, 1_900_000
	s, a, token := bounded(t)
	for i := range pages {
		res, err := a.do(t.Context(), call{method: http.MethodPost, path: "/pages", body: object{
			"title": "Large", "slug": fmt.Sprint("large-", i), "content": strings.Repeat("a", size),
		}})
		if err != nil || res.status != http.StatusCreated {
			t.Fatalf("have %s, %v", res, err)
		}
	}
	other := newBystander(t, a)
	before := s.use(t)
	var list []*wire
	for range conns {
		w := s.dial(t)
		if err := w.Conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
			t.Fatal(err)
		}
		w.send("GET /v1/pages?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\n\r\n")
		list = append(list, w)
	}
	slowest := bystand(t, other)
	s.staysBounded(t)
	for _, w := range list {
		abort(w.Conn)
	}
	until(t, "wait until they are forgotten", func() error { return s.flat(t, before) })
	readToEnd(t, a, pages)
	t.Logf("slowest of other requests %s", slowest)
}

// readToEnd reads the list to its end: large pages come a few at a time, and all.
func readToEnd(t testing.TB, a *api, want int) {
	t.Helper()
	seen, cursor := 0, ""
	for more := true; more; {
		res, err := a.do(t.Context(), call{method: http.MethodGet, path: "/pages?limit=100" + cursor})
		if err != nil || res.status != http.StatusOK {
			t.Fatalf("have %s, %v", res, err)
		}
		seen += bytes.Count(res.body, []byte(`"slug":"large-`))
		_, next, found := bytes.Cut(res.body[len(res.body)-min(len(res.body), 1000):], []byte(`"cursor":"`))
		more = found
		next, _, _ = bytes.Cut(next, []byte(`"`))
		cursor = "&cursor=" + string(next)
	}
	if seen != want {
		t.Errorf("the list has %d large pages, want %d", seen, want)
	}
}

// Short changes of a large page, each of which is answered with the page, take
// no more than their share: too many in one request are refused.
func TestLargeBulksAtOnce(t *testing.T) {
	t.Parallel()
	const clients, size = 16, 1_900_000
	s, a, _ := bounded(t)
	for i := range 5 { // which the bystander's lists begin with: a list of the large page needs room itself
		if _, err := a.do(t.Context(), call{method: http.MethodPost, path: "/pages", body: object{
			"title": "Small", "slug": fmt.Sprint("small-", i), "content": "a",
		}}); err != nil {
			t.Fatal(err)
		}
	}
	made, err := a.do(t.Context(), call{method: http.MethodPost, path: "/pages", body: object{
		"title": "Large", "slug": "large", "content": strings.Repeat("a", size),
	}})
	if err != nil || made.status != http.StatusCreated {
		t.Fatalf("have %s, %v", made, err)
	}
	page, err := made.page()
	if err != nil {
		t.Fatal(err)
	}
	other := newBystander(t, a)
	var mu sync.Mutex
	statuses := map[int]int{}
	var group sync.WaitGroup
	for client := range clients {
		changes := make([]object, []int{1000, 6}[client%2])
		for i := range changes {
			changes[i] = object{"op": "update", "id": page.ID, "page": object{"title": fmt.Sprint(client, "-", i)}}
		}
		group.Go(func() {
			res, err := a.do(t.Context(), call{method: http.MethodPost, path: "/pages/bulk", body: object{"operations": changes}})
			if err != nil { // made, and no room for its answer in time
				res.status = 0
			}
			mu.Lock()
			defer mu.Unlock()
			statuses[res.status]++
		})
	}
	slowest := bystand(t, other)
	group.Wait()
	made200, refused := statuses[http.StatusOK], statuses[http.StatusRequestEntityTooLarge]
	if made200 == 0 || refused == 0 || made200+refused+statuses[http.StatusServiceUnavailable]+statuses[0] != clients {
		t.Errorf("have the statuses %v, want 200, 413, and 503 where there is no room", statuses)
	}
	s.staysBounded(t)
	t.Logf("statuses %v, slowest of other requests %s", statuses, slowest)
}
