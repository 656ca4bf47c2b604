package httpapi

import (
	"fmt"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"
)

func TestLimiterCountsInWindows(t *testing.T) {
	now := time.Unix(1000, 0)
	l := newLimiter(3, func() time.Time { return now })
	for i, want := range []struct {
		remaining int
		ok        bool
	}{{2, true}, {1, true}, {0, true}, {0, false}} {
		if q, ok := l.take("a", 1); q.remaining != want.remaining || ok != want.ok {
			t.Errorf("request %d: have %d %v, want %d %v", i+1, q.remaining, ok, want.remaining, want.ok)
		}
	}
	if q, ok := l.take("b", 1); !ok || q.remaining != 2 {
		t.Errorf("another credential: have %d %v, want 2 true", q.remaining, ok)
	}
	now = now.Add(window - time.Second)
	if q, ok := l.take("a", 1); ok || q.reset != time.Second {
		t.Errorf("before the window ends: have %v %v, want false and 1s", ok, q.reset)
	}
	now = now.Add(time.Second)
	if q, ok := l.take("a", 1); !ok || q.remaining != 2 {
		t.Errorf("in the next window: have %d %v, want 2 true", q.remaining, ok)
	}
	now = now.Add(3 * window)
	l.take("c", 1)
	if len(l.used) != 1 {
		t.Errorf("have %d windows in memory, want 1", len(l.used))
	}
}

func TestLimiterIsBounded(t *testing.T) {
	now := time.Unix(1000, 0)
	l := newLimiter(10, func() time.Time { return now })
	for i := range maxCounted + 1000 {
		l.take(fmt.Sprint(i), 0)
	}
	if len(l.used) > maxCounted+1 {
		t.Errorf("have %d windows in memory, want at most %d", len(l.used), maxCounted+1)
	}
	l.take("late", 10)
	if _, ok := l.take("later", 1); ok {
		t.Error("newcomers of a full limiter do not share one quota")
	}
}

func TestSender(t *testing.T) {
	a := &API{Options: Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}}
	for _, c := range []struct{ remote, forwarded, want string }{
		{"192.0.2.1:1234", "", "192.0.2.1"},
		{"192.0.2.1:1234", "198.51.100.1", "192.0.2.1"}, // not from a trusted proxy
		{"10.0.0.1:1", "198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:1", "203.0.113.9, 198.51.100.1, 10.0.0.2", "198.51.100.1"},
		{"10.0.0.1:1", "nonsense", "10.0.0.1"},
		{"[::ffff:192.0.2.1]:1", "", "192.0.2.1"},
		{"[2001:db8::1:2]:1", "", "2001:db8::/64"},
		{"[2001:db8::ffff:2%eth0]:1", "", "2001:db8::/64"},
	} {
		r := &request{Request: httptest.NewRequest("GET", "/", nil)}
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if have := a.sender(r); have != c.want {
			t.Errorf("%s via %q: have %s, want %s", c.remote, c.forwarded, have, c.want)
		}
	}
}

func BenchmarkLimiter(b *testing.B) {
	l := newLimiter(1<<40, time.Now)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			l.take("credential key_01h455vb4pex5vsknk084sn02q", 1)
		}
	})
}
