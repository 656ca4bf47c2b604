package faulttest

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A server that is stopped during writes answers all that it has begun: writes without a
// response did not happen, and nothing needs repair. Clients first have to leave their
// connections, since net/http may close an idle one just as a request arrives.
func TestStopAnswersRequests(t *testing.T) {
	const stops = 3
	for name, install := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := install(t)
			a := newAPI(t, "", in.token(t))
			f := &figures{t: t}
			list := newWriters(a, 11, writers, f)
			moments := chance(1<<16 - 5)
			for range stops {
				s := in.serve(t, "--drain", "300ms")
				a.url = s.url
				for _, w := range list {
					if err := w.settle(t.Context()); err != nil {
						t.Error(err)
					}
				}
				if n := f.there.Load(); n > 0 {
					t.Fatalf("%d operations were carried out and had no answer", n)
				}
				verify(t.Context(), f, list)
				target := f.answered.Load() + 1 + moments.Int64N(perKill)
				workUntil(t, list, func() {
					until(t, "wait for writes", func() error { return reached(f, target) })
					s.stop(t)
				})
				in.doctor(t)
			}
			t.Logf("%s: %d stops, %s", name, stops, f)
		})
	}
}

// A request that does not end delays the stop of a server only up to its limit; others get
// their responses.
func TestStopHasALimit(t *testing.T) {
	t.Parallel()
	const waits, most = 2 * time.Second, 10 * time.Second
	in := onSQLite(t)
	token := in.token(t)
	s := in.serve(t, "--shutdown-timeout", waits.String())
	head := "POST /v1/pages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\nContent-Type: application/json\r\n"
	body := `{"title":"Late","slug":"late","content":"x"}`
	before := s.use(t)
	stuck, late, waiting := s.dial(t), s.dial(t), s.dial(t)
	stuck.send(head + "Content-Length: 1000\r\n\r\n{")
	late.send(head + "Content-Length: 44\r\n\r\n" + body[:20])
	waiting.send("GET /v1/events?wait=60 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\n\r\n")
	until(t, "wait until the requests have arrived", func() error { return s.busy(t, before, 3) })
	start := time.Now()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if res, err := waiting.answer(); err != nil || res.status != http.StatusOK || time.Since(start) > waits {
		t.Errorf("who waits for events: have %s, %v after %s, want an answer at once", res, err, time.Since(start))
	}
	late.send(body[20:])
	if res, err := late.answer(); err != nil || res.status != http.StatusCreated {
		t.Errorf("a request that was under way: have %s, %v, want 201", res, err)
	}
	if res, err := stuck.answer(); err == nil {
		t.Errorf("a request that does not end: have %s, want none", res)
	}
	select {
	case <-s.done:
	case <-time.After(most):
		t.Fatalf("the server has not ended after %s", time.Since(start))
	}
	if took := time.Since(start); s.err != nil || took < waits || took > most || !strings.Contains(s.log.String(), "aborted") {
		t.Errorf("ended after %s with %v\n%s\nwant %s at least, and that it tells", took, s.err, s.log, waits)
	}
	in.doctor(t)
}
