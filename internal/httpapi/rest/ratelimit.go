package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/quota"
)

// The kinds of subjects that requests are counted for.
const (
	byCredential = "credential"
	byAddress    = "address"
)

// rateWindow is the length of the quota window, in seconds.
const rateWindow = int(quota.DefaultWindow / time.Second)

// count counts the request for its sender and adds what is left to the response
// (decision 42).
func (a *API) count(r *Request, key quota.Key) error { return a.countUpTo(r, key, 0) }

// countUpTo is count with the key's own limit, unless that is 0.
func (a *API) countUpTo(r *Request, key quota.Key, limit int) error {
	if limit == 0 {
		limit = a.RateLimit
	}
	if limit <= 0 {
		return nil
	}
	q, ok := a.Quotas.Take(r.Context(), key, limit)
	tellQuota(r, q)
	if ok {
		return nil
	}
	return &octavo.Error{
		Type: octavo.RateLimited, RetryAfter: q.Reset,
		Detail: fmt.Sprintf("At most %d requests in %d seconds are answered.", q.Limit, rateWindow),
	}
}

// tellQuota adds what is left of a quota to the response.
func tellQuota(r *Request, q quota.Quota) {
	remaining := strconv.Itoa(q.Remaining)
	seconds := strconv.FormatInt(int64((q.Reset+time.Second-1)/time.Second), 10)
	fields := []string{
		remaining,
		`"default";q=` + strconv.Itoa(q.Limit) + `;w=` + strconv.Itoa(rateWindow),
		`"default";r=` + remaining + `;t=` + seconds,
	}
	h := r.w.Header() // canonical names, which saves converting them each time
	h["X-Ratelimit-Remaining"], h["Ratelimit-Policy"], h["Ratelimit"] = fields[0:1:1], fields[1:2:2], fields[2:3:3]
}

// countAddress counts a request without a valid credential for its address.
func (a *API) countAddress(r *Request) error { return a.count(r, a.addressKey(r)) }

// showAddress adds what is left for the address to the response, without counting the
// request.
func (a *API) showAddress(r *Request) {
	if a.RateLimit > 0 {
		tellQuota(r, a.Quotas.Peek(a.addressKey(r), a.RateLimit))
	}
}

// principalKey identifies a key, or the subject and client of tokens.
func principalKey(p octavo.Principal) quota.Key {
	sum := sha256.Sum256([]byte(p.Client + "\x00" + p.ID))
	return quota.Key{Kind: byCredential, ID: hex.EncodeToString(sum[:12])}
}

func (a *API) addressKey(r *Request) quota.Key { return quota.Key{Kind: byAddress, ID: a.sender(r)} }

// sender returns the quota key of an address. An IPv6 address counts by its /64, which
// belongs to one household or host.
func (a *API) sender(r *Request) string {
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

// client returns the address of the request: the connection's, or behind trusted
// proxies the last one in X-Forwarded-For that is not a proxy. It is the zero Addr if
// the connection has none.
func (a *API) client(r *Request) netip.Addr {
	addr, err := parseSender(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	if !a.trusted(addr) {
		return addr.Unmap().WithZone("")
	}
	forwarded := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(forwarded) - 1; i >= 0 && a.trusted(addr); i-- {
		next, err := parseSender(strings.TrimSpace(forwarded[i]))
		if err != nil {
			break
		}
		addr = next
	}
	return addr.Unmap().WithZone("")
}

// parseSender reads an address with or without a port: connections have one, and some
// proxies write it into X-Forwarded-For.
func parseSender(text string) (netip.Addr, error) {
	if with, err := netip.ParseAddrPort(text); err == nil {
		return with.Addr(), nil
	}
	return netip.ParseAddr(text)
}

func (a *API) trusted(addr netip.Addr) bool {
	return slices.ContainsFunc(a.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(addr.Unmap()) })
}
