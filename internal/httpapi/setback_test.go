package httpapi_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// setClock is a clock that can be set.
type setClock struct{ ahead atomic.Int64 }

func (c *setClock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// TestRevokedKeysWithClockSetBack: a key that another process has revoked is
// refused at once where the clock was set back.
func TestRevokedKeysWithClockSetBack(t *testing.T) {
	t.Parallel()
	c := &setClock{}
	s := octavotest.Start(t, octavotest.Options{Now: c.now})
	key := s.Key(t, auth.KeyRequest{Scopes: octavo.ScopeRead})
	wants := func(doing string, status int) {
		t.Helper()
		if resp, have := send(t, s, http.MethodGet, "/v1/pages", "", "X-API-Key", key); resp.StatusCode != status {
			t.Errorf("%s: have %d %.200s, want %d", doing, resp.StatusCode, have, status)
		}
	}
	wants("a good key", http.StatusOK)
	keys, _, err := s.Store.Accounts.Keys.List(t.Context(), "", 1)
	if err != nil || len(keys) != 1 {
		t.Fatalf("have the keys %+v, %v, want one", keys, err)
	}
	if err := s.Store.Accounts.Keys.Revoke(t.Context(), sqldb.Cause{}, keys[0].ID); err != nil {
		t.Fatal(err)
	}
	c.ahead.Store(int64(-3 * time.Hour))
	wants("a key that was revoked elsewhere", http.StatusUnauthorized)
}

// TestRateLimitWithClockSetBack: a window does not last until the time of a
// clock that was ahead.
func TestRateLimitWithClockSetBack(t *testing.T) {
	t.Parallel()
	c := &setClock{}
	s := octavotest.Start(t, octavotest.Options{RateLimit: 1, Now: c.now})
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
	wants("one in a new window", http.StatusOK)
}
