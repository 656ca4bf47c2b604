package rest

import (
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/quota"
)

func TestSender(t *testing.T) {
	a := &API{Options: Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}}
	for _, c := range []struct{ remote, forwarded, want string }{
		{"192.0.2.1:1234", "", "192.0.2.1"},
		{"192.0.2.1:1234", "198.51.100.1", "192.0.2.1"}, // not from a trusted proxy
		{"10.0.0.1:1", "198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:1", "203.0.113.9, 198.51.100.1, 10.0.0.2", "198.51.100.1"},
		{"10.0.0.1:1", "198.51.100.1:4711", "198.51.100.1"},
		{"10.0.0.1:1", "[2001:db8::1:2]:4711, 10.0.0.2:80", "2001:db8::/64"},
		{"10.0.0.1:1", "nonsense", "10.0.0.1"},
		{"[::ffff:192.0.2.1]:1", "", "192.0.2.1"},
		{"[2001:db8::1:2]:1", "", "2001:db8::/64"},
		{"[2001:db8::ffff:2%eth0]:1", "", "2001:db8::/64"},
	} {
		r := &Request{Request: httptest.NewRequest("GET", "/", nil)}
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if have := a.sender(r); have != c.want {
			t.Errorf("%s via %q: have %s, want %s", c.remote, c.forwarded, have, c.want)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	a := &API{Options: Options{RateLimit: 1 << 40, Quotas: quota.New(quota.Options{Now: time.Now})}}
	r := &Request{Request: httptest.NewRequest("GET", "/", nil), w: &recorder{ResponseWriter: httptest.NewRecorder()}, route: &Route{}}
	b.ReportAllocs()
	for b.Loop() {
		if err := a.count(r, quota.Key{Kind: byCredential, ID: "key_01h455vb4pex5vsknk084sn02q"}); err != nil {
			b.Fatal(err)
		}
	}
}
