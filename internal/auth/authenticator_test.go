package auth

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/issuers"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func TestCacheLimit(t *testing.T) {
	r := newRig(t, nil)
	c := newCache()
	for i := range 3 * cacheSize {
		c.put([32]byte{byte(i), byte(i >> 8), byte(i >> 16)}, &verified{expires: r.now}, r.now)
	}
	if have := len(c.entries); have != cacheSize {
		t.Errorf("the cache holds %d entries, want %d", have, cacheSize)
	}
}

// A token is refused where keys are expected, and a key where tokens are, both at first
// and when cached.
func TestMisplacedCredentials(t *testing.T) {
	r := newRig(t, nil)
	token := r.token(t, Grant{Subject: "cli", Scopes: octavo.ScopeRead})
	key, _ := r.key(t, KeyRequest{Name: "a"})
	r.refused(t, Credential{HeaderKey, token}, "malformed")
	r.refused(t, Credential{QueryKey, token}, "malformed")
	r.refused(t, Credential{Bearer, key}, "X-API-Key")
	r.accepted(t, Credential{Bearer, token})
	r.accepted(t, Credential{HeaderKey, key})
	r.refused(t, Credential{HeaderKey, token}, "Authorization")
	r.refused(t, Credential{QueryKey, token}, "Authorization")
	r.refused(t, Credential{Bearer, key}, "X-API-Key")
}

// outsiders is an outside issuer. It accepts every token for an hour, until a test changes
// that.
type outsiders struct {
	now     func() time.Time
	refuses bool
	asked   int
}

func (o *outsiders) Mine(string) bool { return true }

func (o *outsiders) Verify(context.Context, string) (octavo.Principal, time.Time, error) {
	o.asked++
	if o.refuses {
		return octavo.Principal{}, time.Time{}, &issuers.Error{Description: "The access token is signed with an unknown key."}
	}
	return octavo.Principal{}, o.now().Add(time.Hour), nil
}

// TestOutsideTokenRecheck: a token of another issuer is cached for issuers.Recheck, at
// most until it expires, and not after the clock was set back.
func TestOutsideTokenRecheck(t *testing.T) {
	r := newRig(t, nil)
	o := &outsiders{now: r.keys.env.Now}
	r.authenticator = NewAuthenticator(r.keys.env, r.keys, r.tokens, o)
	token := Credential{Bearer, "of another issuer"}
	for _, step := range []struct {
		passed time.Duration
		asked  int
	}{
		{0, 1},
		{issuers.Recheck - 1, 1},
		{1, 2},
		{-3 * time.Hour, 3},
		{issuers.Recheck, 4},
		{time.Hour, 5}, // when it is accepted no longer
	} {
		r.now = r.now.Add(step.passed)
		r.accepted(t, token)
		if o.asked != step.asked {
			t.Fatalf("after %+v the issuer was asked %d times, want %d", step, o.asked, step.asked)
		}
	}
	o.refuses = true
	r.now = r.now.Add(-3 * time.Hour)
	r.refused(t, token, "unknown key")
}

func TestConcurrentVerification(t *testing.T) {
	r := newRig(t, nil)
	token := r.token(t, Grant{Subject: "cli", Scopes: octavo.ScopeRead})
	text, key := r.key(t, KeyRequest{Name: "a"})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				r.accepted(t, Credential{Bearer, token})
				_, _ = r.authenticator.Verify(t.Context(), Credential{HeaderKey, text})
			}
		})
	}
	wg.Go(func() {
		if err := r.keys.Revoke(t.Context(), sqldb.Cause{}, key.ID); err != nil {
			t.Error(err)
		}
	})
	wg.Wait()
	r.refused(t, Credential{HeaderKey, text}, "revoked")
}

func BenchmarkVerify(b *testing.B) {
	r := newRig(b, nil)
	token := r.token(b, Grant{Subject: "cli", Name: "CI", Scopes: octavo.ScopeRead})
	key, _ := r.key(b, KeyRequest{Name: "a"})
	for _, bm := range []struct {
		name       string
		credential Credential
	}{
		{"remembered token", Credential{Bearer, token}},
		{"remembered key", Credential{HeaderKey, key}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.authenticator.Verify(b.Context(), bm.credential); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
