package auth

import (
	"sync"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

func TestCacheIsBounded(t *testing.T) {
	r := newRig(t, nil)
	c := newCache()
	for i := range 3 * cacheSize {
		c.put([32]byte{byte(i), byte(i >> 8), byte(i >> 16)}, &verified{until: r.now}, r.now)
	}
	if have := len(c.entries); have != cacheSize {
		t.Errorf("the cache holds %d entries, want %d", have, cacheSize)
	}
}

// A token does not pass where keys are expected, nor the other way round:
// neither at first sight, nor when it is remembered as valid.
func TestCredentialsKeepTheirPlace(t *testing.T) {
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
		if err := r.keys.Revoke(t.Context(), store.Cause{}, key.ID); err != nil {
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
