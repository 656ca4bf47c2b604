package httpapi_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/quota"
	"github.com/octavo-docs/octavo/internal/store"
)

// clocks are those of a machine and of the database that it works on, which can
// be set.
type clocks struct{ passed, ahead atomic.Int64 }

func (c *clocks) machine() time.Time { return time.Now().Add(time.Duration(c.passed.Load())) }

func (c *clocks) now() time.Time { return c.machine().Add(time.Duration(c.ahead.Load())) }

// TestRevokedKeysWhileTheClockGoesBack: a key that another process has revoked is
// refused as soon as ever while the database's clock is set back.
func TestRevokedKeysWhileTheClockGoesBack(t *testing.T) {
	t.Parallel()
	c := &clocks{}
	s := octavotest.Start(t, octavotest.Options{Now: c.now, Machine: c.machine})
	key := s.Key(t, auth.KeyRequest{Scopes: octavo.ScopeRead})
	wants := func(doing string, status int) {
		t.Helper()
		if resp, have := send(t, s, http.MethodGet, "/v1/pages", "", "X-API-Key", key); resp.StatusCode != status {
			t.Errorf("%s: have %d %.200s, want %d", doing, resp.StatusCode, have, status)
		}
	}
	wants("a good key", http.StatusOK)
	keys, _, err := s.Store.ListKeys(t.Context(), "", 1)
	if err != nil || len(keys) != 1 {
		t.Fatalf("have the keys %+v, %v, want one", keys, err)
	}
	if err := s.Store.RevokeKey(t.Context(), store.Cause{}, keys[0].ID); err != nil {
		t.Fatal(err)
	}
	c.ahead.Store(int64(-3 * time.Hour))
	c.passed.Store(int64(auth.KeyRecheck))
	wants("a key that was revoked elsewhere", http.StatusUnauthorized)
}

// TestRateLimitWhileTheClockGoesBack: a window lasts as long as ever while the
// database's clock is set back.
func TestRateLimitWhileTheClockGoesBack(t *testing.T) {
	t.Parallel()
	c := &clocks{}
	s := octavotest.Start(t, octavotest.Options{RateLimit: 1, Now: c.now, Machine: c.machine})
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeRead})
	wants := func(doing string, status int) {
		t.Helper()
		if resp, have := send(t, s, http.MethodGet, "/v1/pages", "", "Authorization", bearer); resp.StatusCode != status {
			t.Errorf("%s: have %d %.200s, want %d", doing, resp.StatusCode, have, status)
		}
	}
	wants("the first request", http.StatusOK)
	wants("one too many", http.StatusTooManyRequests)
	c.ahead.Store(int64(-3 * time.Hour))
	c.passed.Store(int64(quota.DefaultWindow))
	wants("one in the next window", http.StatusOK)
}
