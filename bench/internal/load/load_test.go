package load_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/load"
)

// fake answers requests on pipes, each after the time that think returns.
type fake struct {
	think  func(since time.Duration) time.Duration
	answer string
	start  time.Time
	seen   atomic.Int64
}

func (f *fake) dial(context.Context) (net.Conn, error) {
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		in := bufio.NewReader(theirs)
		for {
			if _, err := http.ReadRequest(in); err != nil {
				return
			}
			f.seen.Add(1)
			time.Sleep(f.think(time.Since(f.start)))
			if _, err := io.WriteString(theirs, f.answer); err != nil {
				return
			}
		}
	}()
	return ours, nil
}

const okAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

// get is a source that always asks the same.
func get(int) load.Source {
	return func(dst []byte) []byte { return append(dst, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"...) }
}

// runFake runs one group against a fake in made-up time.
func runFake(t *testing.T, f *fake, g load.Group, warmup, duration time.Duration) load.Result {
	t.Helper()
	var result load.Result
	synctest.Test(t, func(t *testing.T) {
		f.start = time.Now()
		g.Source = get
		results, err := load.Run(t.Context(), load.Plan{
			Dial: f.dial, Groups: []load.Group{g}, Warmup: warmup, Duration: duration, Sleep: sleep,
		})
		if err != nil {
			t.Fatal(err)
		}
		result = results[0]
	})
	return result
}

// sleep passes made-up time, which a timer of the kernel would not.
func sleep(d time.Duration) error { time.Sleep(d); return nil }

func always(d time.Duration) func(time.Duration) time.Duration {
	return func(time.Duration) time.Duration { return d }
}

// near reports whether a figure is as told, to the digits a histogram keeps.
func near(have, want float64) bool { return have >= want*0.998 && have <= want*1.002 }

func TestClosedLoopMeasuresAKnownServer(t *testing.T) {
	var n atomic.Int64
	f := &fake{answer: okAnswer, think: func(time.Duration) time.Duration {
		if n.Add(1)%100 == 0 {
			return 50 * time.Millisecond
		}
		return 2 * time.Millisecond
	}}
	r := runFake(t, f, load.Group{Name: "known", Connections: 1}, time.Second, 10*time.Second)
	mean := 0.99*2 + 0.01*50
	if !near(r.Throughput, 1000/mean) || !near(r.Latency.Mean, mean*1000) {
		t.Errorf("have %.1f a second in %.0f µs, want %.1f in %.0f", r.Throughput, r.Latency.Mean, 1000/mean, mean*1000)
	}
	if l := r.Latency; !near(float64(l.P50), 2000) || !near(float64(l.P90), 2000) || !near(float64(l.P999), 50000) || !near(float64(l.Max), 50000) {
		t.Errorf("have %+v, want 2 ms, and 50 ms for one in a hundred", l)
	}
	if r.Errors != 0 || r.Bytes != 5 || r.Seconds != 10 {
		t.Errorf("have %+v, want no errors and 5 bytes each", r)
	}
}

// stalls answers in 1 ms, but not between 500 and 1,500 ms after the start.
func stalls(since time.Duration) time.Duration {
	if since >= 500*time.Millisecond && since < 1500*time.Millisecond {
		return 1500*time.Millisecond - since
	}
	return time.Millisecond
}

func TestOpenLoopStall(t *testing.T) {
	f := &fake{answer: okAnswer, think: stalls}
	r := runFake(t, f, load.Group{Name: "open", Connections: 1, Rate: 100}, 0, 4*time.Second)
	// A quarter of the 400 requests fell due in the stall and waited for its
	// end: from 1,000 ms down to 10 in even steps, and the backlog of 100 took
	// 1 ms each to work off.
	if r.Requests != 400 || r.Unsent != 0 {
		t.Fatalf("have %d answered and %d unsent, want 400 and 0", r.Requests, r.Unsent)
	}
	if l := r.Latency; l.P50 > 2000 || !near(float64(l.Max), 1_000_000) ||
		l.P90 < 600_000 || l.P90 > 680_000 || l.P99 < 950_000 {
		t.Errorf("have %+v, want p50 1 ms, p90 about 640 ms, p99 about 970 ms", l)
	}
}

func TestClosedLoopCountsAStallOnce(t *testing.T) {
	f := &fake{answer: okAnswer, think: stalls}
	r := runFake(t, f, load.Group{Name: "closed", Connections: 1}, 0, 4*time.Second)
	if l := r.Latency; !near(float64(l.P99), 1000) || !near(float64(l.Max), 1_000_000) {
		t.Errorf("have %+v, want the stall in the maximum alone: that is why there are open loops", l)
	}
}

func TestOpenLoopUnsent(t *testing.T) {
	f := &fake{answer: okAnswer, think: always(20 * time.Millisecond)} // 50 a second
	r := runFake(t, f, load.Group{Name: "late", Connections: 1, Rate: 100}, 0, 2*time.Second)
	if r.Requests != 100 || r.Unsent != 100 {
		t.Errorf("have %d answered and %d unsent, want 100 and 100", r.Requests, r.Unsent)
	}
	if r.Latency.Max < 900_000 {
		t.Errorf("have at most %d µs, want the second that the backlog had grown to", r.Latency.Max)
	}
}

func TestOpenLoopKeepsItsRate(t *testing.T) {
	f := &fake{answer: okAnswer, think: always(3 * time.Millisecond)}
	r := runFake(t, f, load.Group{Name: "rate", Connections: 4, Rate: 250}, time.Second, 4*time.Second)
	if r.Requests != 1000 || !near(r.Throughput, 250) || !near(float64(r.Latency.Max), 3000) {
		t.Errorf("have %d requests in at most %d µs, want 1000 in 3000", r.Requests, r.Latency.Max)
	}
	if seen := f.seen.Load(); seen != 1250 {
		t.Errorf("have %d requests with those of the warm-up, want 1250", seen)
	}
}

func TestCountErrors(t *testing.T) {
	for _, c := range []struct{ name, answer, kind string }{
		{"status", "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n", "503"},
		{"no http", "hello, how are you\r\n", "answer is not HTTP/1.1"},
		{"no length", "HTTP/1.1 200 OK\r\n\r\n", "answer is not HTTP/1.1: it does not tell where its body ends"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{answer: c.answer, think: always(10 * time.Millisecond)}
			r := runFake(t, f, load.Group{Name: "bad", Connections: 2}, 0, time.Second)
			if r.Requests != 0 || r.Errors != 200 || r.Kinds[c.kind] != 200 {
				t.Errorf("have %d answered, %d errors of kinds %v, want 200 of %q", r.Requests, r.Errors, r.Kinds, c.kind)
			}
		})
	}
}

func TestAnswersOfARealServer(t *testing.T) {
	body := strings.Repeat("x", 5000)
	for name, handler := range map[string]http.HandlerFunc{
		"length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "5000")
			fmt.Fprint(w, body)
		},
		"chunked": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) },
		"closing": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Connection", "close")
			fmt.Fprint(w, body)
		},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(handler)
			defer srv.Close()
			began, ended := false, false
			results, err := load.Run(t.Context(), load.Plan{
				Dial:   load.TCP(srv.Listener.Addr().String()),
				Groups: []load.Group{{Name: name, Connections: 2, Source: get}, {Name: "paced", Connections: 1, Rate: 100, Source: get}},
				Warmup: 20 * time.Millisecond, Duration: 200 * time.Millisecond,
				Began: func() { began = true }, Ended: func() { ended = true },
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range results {
				if r.Requests == 0 || r.Errors != 0 || r.Bytes != 5000 {
					t.Errorf("have %+v, want answers of 5000 bytes and no errors", r)
				}
			}
			if !began || !ended {
				t.Errorf("began %t, ended %t, want both", began, ended)
			}
		})
	}
}

func TestRunEnds(t *testing.T) {
	plan := load.Plan{Groups: []load.Group{{Name: "g", Connections: 2, Source: get}}, Duration: time.Hour}
	plan.Dial = func(context.Context) (net.Conn, error) { return nil, io.ErrUnexpectedEOF }
	if _, err := load.Run(t.Context(), plan); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("without a server: have %v, want what dialling said", err)
	}
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answer: okAnswer, think: always(time.Minute)}
		plan.Dial = f.dial
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := load.Run(ctx, plan); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("cancelled: have %v, want the context's error", err)
		}
		time.Sleep(time.Minute) // the fake ends
	})
	plan.Groups[0].Connections = 0
	if _, err := load.Run(t.Context(), plan); err == nil {
		t.Error("without connections: have no error")
	}
}
