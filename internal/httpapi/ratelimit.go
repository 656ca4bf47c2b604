package httpapi

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
)

// window is how long a quota lasts (decision 42).
const window = 60 * time.Second

// maxCounted bounds the memory of the limiter: about 100 bytes each. Past it,
// newcomers share one quota until a window ends.
const maxCounted = 200_000

// limiter counts requests by credential or address in fixed windows, which
// begin with the first request counted. It is exact within one process; each
// process counts by itself.
type limiter struct {
	limit int
	now   func() time.Time

	mu    sync.Mutex
	used  map[string]*usage
	sweep time.Time // when to look for windows that have ended
}

type usage struct {
	count int
	ends  time.Time
}

// quota is what is left of a limit.
type quota struct {
	remaining int
	reset     time.Duration
}

func newLimiter(limit int, now func() time.Time) *limiter {
	return &limiter{limit: limit, now: now, used: map[string]*usage{}}
}

// take counts n requests of key and reports whether they are within the limit.
func (l *limiter) take(key string, n int) (quota, bool) {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.After(l.sweep) {
		for k, u := range l.used {
			if !now.Before(u.ends) {
				delete(l.used, k)
			}
		}
		l.sweep = now.Add(window)
	}
	u := l.used[key]
	if u == nil && len(l.used) >= maxCounted {
		key = "others"
		u = l.used[key]
	}
	if u == nil || !now.Before(u.ends) {
		u = &usage{ends: now.Add(window)}
		l.used[key] = u
	}
	ok := u.count+n <= l.limit
	if ok {
		u.count += n
	}
	return quota{remaining: l.limit - u.count, reset: u.ends.Sub(now)}, ok
}

// count charges the request to key and says in the answer what is left.
func (a *API) count(r *request, key string) error {
	if a.limit.limit <= 0 {
		return nil
	}
	n := 1
	if r.route == nil || r.route.flags&uncounted != 0 {
		n = 0
	}
	q, ok := a.limit.take(key, n)
	seconds := int((q.reset + time.Second - 1) / time.Second)
	h := r.w.Header()
	h.Set("X-RateLimit-Remaining", strconv.Itoa(q.remaining))
	h.Set("RateLimit-Policy", fmt.Sprintf(`"default";q=%d;w=%d`, a.limit.limit, int(window/time.Second)))
	h.Set("RateLimit", fmt.Sprintf(`"default";r=%d;t=%d`, q.remaining, seconds))
	if ok {
		return nil
	}
	return &octavo.Error{
		Type: octavo.RateLimited, RetryAfter: q.reset,
		Detail: fmt.Sprintf("At most %d requests in %d seconds are answered.", a.limit.limit, int(window/time.Second)),
	}
}

// countAddress charges a request without a valid credential to its sender.
func (a *API) countAddress(r *request) error { return a.count(r, "address "+a.sender(r)) }

// sender returns who an address is counted as. An IPv6 address counts by its
// /64, which one household or host has whole.
func (a *API) sender(r *request) string {
	addr := a.client(r)
	if !addr.IsValid() {
		return r.RemoteAddr
	}
	if addr.Is6() {
		if p, err := addr.Prefix(64); err == nil {
			return p.String()
		}
	}
	return addr.String()
}

// client returns the address that the request came from: the connection's, or
// behind trusted proxies the last one in X-Forwarded-For that is no proxy. It
// is the zero Addr where the connection has none.
func (a *API) client(r *request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	forwarded := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(forwarded) - 1; i >= 0 && a.trusted(addr); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(forwarded[i]))
		if err != nil {
			break
		}
		addr = next
	}
	return addr.Unmap().WithZone("")
}

func (a *API) trusted(addr netip.Addr) bool {
	for _, p := range a.TrustedProxies {
		if p.Contains(addr.Unmap()) {
			return true
		}
	}
	return false
}
