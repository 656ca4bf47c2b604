package faulttest

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Idle connections cost little, keep no client out, and are closed.
func TestIdleConnections(t *testing.T) {
	t.Parallel()
	in := onSQLite(t)
	s := in.serve(t)
	a := newAPI(t, s.url, in.token(t))
	other := newBystander(t, a)
	before := s.use(t)
	conns := make([]*wire, *idle)
	for i := range conns {
		conns[i] = s.dial(t)
		conns[i].send("GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n")
		if res, err := conns[i].answer(); err != nil || res.status != http.StatusOK {
			t.Fatalf("connection %d: %s, %v", i, res, err)
		}
	}
	slowest := bystand(t, other)
	during := s.use(t)
	if during.handles < before.handles+*idle {
		t.Errorf("have %d open files with %d connections", during.handles, *idle)
	}
	const each = 48 << 10 // two buffers of 4 KiB and two stacks among it, and what collecting garbage leaves
	if more, most := during.resident-before.resident, *idle*each; more > most {
		t.Errorf("%d connections take %d bytes more, want at most %d", *idle, more, most)
	}
	if *wait {
		until(t, "wait until idle connections are closed", func() error { return s.flat(t, before) })
	}
	for _, c := range conns {
		_ = c.Close() // the server may have closed it
	}
	until(t, "wait until closed connections are forgotten", func() error { return s.flat(t, before) })
	t.Logf("%d idle connections: %d bytes of memory each, slowest of other requests %s", *idle, (during.resident-before.resident) / *idle, slowest)
}

// A header that is not complete in time closes the connection; an endless one is refused
// at its limit.
func TestHeaders(t *testing.T) {
	t.Parallel()
	const conns = 200
	in := onSQLite(t)
	s := in.serve(t)
	a := newAPI(t, s.url, in.token(t))
	other := newBystander(t, a)
	before := s.use(t)
	start := time.Now()
	var group sync.WaitGroup
	for range conns {
		w := s.dial(t)
		group.Go(func() {
			w.send("GET /v1/pages HTTP/1.1\r\nHost: x\r\nX-Slow: ")
			_ = drip(w) // ends when the server has closed the connection
		})
	}
	slowest := bystand(t, other)
	group.Wait()
	took := time.Since(start)
	if most := 30 * time.Second; took > most {
		t.Errorf("slow headers were endured for %s, want at most %s", took, most)
	}
	endless := s.dial(t)
	field := "X-Endless: " + strings.Repeat("a", 8<<10) + "\r\n"
	endless.send("GET /v1/pages HTTP/1.1\r\nHost: x\r\n" + strings.Repeat(field, 16))
	if res, err := endless.answer(); err != nil || res.status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("an endless header: have %s, %v; want 431", res, err)
	}
	_ = endless.Close()
	until(t, "wait until they are forgotten", func() error { return s.flat(t, before) })
	t.Logf("%d slow headers, ended after %s, slowest of other requests %s", conns, took.Round(time.Second), slowest)
}

// drip sends a byte at a time until the connection is closed.
func drip(w *wire) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if _, err := w.Write([]byte("a")); err != nil {
			return err
		}
	}
	return nil
}

// A body that does not arrive only delays its sender.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	const conns = 200
	in := onSQLite(t)
	s := in.serve(t)
	token := in.token(t)
	a := newAPI(t, s.url, token)
	other := newBystander(t, a)
	before := s.use(t)
	var list []*wire
	for range conns {
		w := s.dial(t)
		w.send("POST /v1/pages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{")
		list = append(list, w)
	}
	until(t, "wait until the requests have arrived", func() error { return s.busy(t, before, conns) })
	slowest := bystand(t, other)
	during := s.use(t)
	if most := conns * (128 << 10); during.resident-before.resident > most {
		t.Errorf("%d bodies that did not come take %d bytes, want at most %d", conns, during.resident-before.resident, most)
	}
	for _, w := range list {
		if !*wait {
			_ = w.Close()
			continue
		}
		if res, err := w.answer(); err != nil || res.status != http.StatusBadRequest {
			t.Errorf("a body that did not come: have %s, %v; want 400", res, err)
		}
	}
	until(t, "wait until they are forgotten", func() error { return s.flat(t, before) })
	t.Logf("%d slow bodies, slowest of other requests %s", conns, slowest)
}

// Unread responses take memory for one response per connection, however many requests are
// pipelined.
func TestUnreadResponses(t *testing.T) {
	t.Parallel()
	const conns, requests, size = 40, 50, 1 << 20
	in := onSQLite(t)
	s := in.serve(t)
	token := in.token(t)
	a := newAPI(t, s.url, token)
	made, err := a.do(t.Context(), call{
		method: http.MethodPost, path: "/pages",
		body: object{"title": "Large", "slug": "large", "content": strings.Repeat("a", size)},
	})
	if err != nil || made.status != http.StatusCreated {
		t.Fatalf("have %s, %v", made, err)
	}
	other := newBystander(t, a)
	before := s.use(t)
	get := "GET /v1/pages/by-slug/large HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\n\r\n"
	var list []*wire
	for range conns {
		w := s.dial(t)
		if err := w.Conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
			t.Fatal(err)
		}
		w.send(strings.Repeat(get, requests))
		list = append(list, w)
	}
	until(t, "wait until the answers are written", func() error { return s.busy(t, before, conns) })
	slowest := bystand(t, other)
	during := s.use(t)
	if most := conns * 8 * size; during.resident-before.resident > most {
		t.Errorf("%d answers of %d bytes that nobody reads take %d bytes, want at most %d", conns, size, during.resident-before.resident, most)
	}
	if *wait {
		until(t, "wait until the connections are given up", func() error { return s.flat(t, before) })
	}
	for _, w := range list {
		abort(w.Conn)
	}
	until(t, "wait until they are forgotten", func() error { return s.flat(t, before) })
	t.Logf("%d answers that nobody reads: %.1f times their size each, slowest of other requests %s", conns,
		float64(during.resident-before.resident)/conns/size, slowest)
}

// Pipelined requests are answered in order.
func TestPipelining(t *testing.T) {
	t.Parallel()
	const requests = 100
	in := onSQLite(t)
	s := in.serve(t)
	token := in.token(t)
	w := s.dial(t)
	for i := range requests {
		body := fmt.Sprintf(`{"title":"Page","slug":"page-%d","content":"x"}`, i)
		w.send(fmt.Sprintf("POST /v1/pages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"+
			"GET /v1/pages/by-slug/page-%d HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", token, len(body), body, i, token))
	}
	for i := range 2 * requests {
		res, err := w.answer()
		want := []int{http.StatusCreated, http.StatusOK}[i%2]
		if err != nil || res.status != want || !strings.Contains(string(res.body), fmt.Sprintf(`"slug":"page-%d"`, i/2)) {
			t.Fatalf("answer %d: have %s, %v; want %d with page-%d", i, res, err, want, i/2)
		}
	}
}

// A server with a low limit of open files reserves some: it serves existing connections,
// and new ones once others have closed.
func TestHandlesRunOut(t *testing.T) {
	t.Parallel()
	const handles, conns = 150, 300
	in := onSQLite(t)
	token := in.token(t)
	in.command = func(name string, args ...string) *exec.Cmd {
		return exec.Command("sh", append([]string{"-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, handles), name}, args...)...)
	}
	s := in.serve(t)
	other := newBystander(t, newAPI(t, s.url, token))
	before := s.use(t)
	var list []*wire
	for range conns {
		list = append(list, s.dial(t)) // the kernel takes them before the server does
	}
	open := func() int {
		have, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.pid()))
		if err != nil {
			t.Fatal(err)
		}
		return len(have)
	}
	until(t, "wait until it takes no more connections", func() error {
		if have, want := open(), before.handles+handles/2-2; have < want {
			return fmt.Errorf("the server has %d open files, want %d", have, want)
		}
		return nil
	})
	slowest := bystand(t, other)
	if have := open(); have >= handles {
		t.Errorf("the server has %d files open, as many as it may", have)
	}
	for _, w := range list {
		_ = w.Close()
	}
	until(t, "wait until they are forgotten", func() error { return s.flat(t, before) })
	other.api = newAPI(t, s.url, token) // on a connection of its own
	bystand(t, other)
	t.Logf("%d connections on %d handles, slowest of other requests %s", conns, handles, slowest)
}
