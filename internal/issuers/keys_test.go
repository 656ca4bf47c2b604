package issuers

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/octavo-docs/octavo"
)

// outcome is what verifying came to, in a word.
func outcome(err error) string {
	var refused *Error
	var problem *octavo.Error
	switch {
	case err == nil:
		return "accepted"
	case errors.As(err, &refused):
		return "refused"
	case errors.As(err, &problem) && problem.Type == octavo.Unavailable && problem.RetryAfter > 0:
		return "unavailable"
	}
	return err.Error()
}

// want verifies a token that is signed with a key.
func (r *rig) want(t *testing.T, doing, token, want string) {
	t.Helper()
	if _, _, err := r.Verify(t.Context(), token); outcome(err) != want {
		t.Errorf("%s: have %s (%v), want %s", doing, outcome(err), err, want)
	}
}

func (r *rig) signed(t *testing.T, kid string, key any) string {
	t.Helper()
	return sign(t, jose.ES256, key, kid, "at+jwt", r.with(claimSet{"exp": r.at.Add(1000 * time.Hour).Unix()}))
}

func TestCacheKeys(t *testing.T) {
	r := newRig(t, Options{})
	token := r.token(t, nil)
	for range 100 {
		r.want(t, "a known key", token, "accepted")
	}
	if have := r.reads(); have != 1 {
		t.Errorf("have %d reads of the keys for 100 tokens, want 1", have)
	}
	r.at = r.at.Add(refreshAge - 1)
	r.Refresh(t.Context())
	if have := r.reads(); have != 1 {
		t.Errorf("have %d reads of young keys, want 1", have)
	}
	r.at = r.at.Add(1)
	r.Refresh(t.Context())
	if have := r.reads(); have != 2 {
		t.Errorf("have %d reads of old keys, want 2", have)
	}
}

func TestKeyRotationByIssuer(t *testing.T) {
	r := newRig(t, Options{})
	next := ecKey(t)
	r.want(t, "the first key", r.signed(t, "a", r.key), "accepted")
	r.publish("b", next)
	r.want(t, "a new key, at once", r.signed(t, "b", next), "accepted")
	r.want(t, "the old key beside it", r.signed(t, "a", r.key), "accepted")
	r.set(func() { r.issuer.keys = r.issuer.keys[1:] })
	r.at = r.at.Add(refreshAge)
	r.Refresh(t.Context())
	r.want(t, "a key that was withdrawn", r.signed(t, "a", r.key), "refused")
	r.want(t, "the key that stays", r.signed(t, "b", next), "accepted")
}

// TestMadeUpKeyIDs: they reach the issuer seldom, and never keep known keys
// from being used.
func TestMadeUpKeyIDs(t *testing.T) {
	r := newRig(t, Options{})
	good := r.signed(t, "a", r.key)
	r.want(t, "a known key", good, "accepted")
	var wg sync.WaitGroup
	for i := range 50 {
		bad := r.signed(t, fmt.Sprint("made-up-", i), r.key)
		wg.Go(func() {
			r.want(t, "a made-up key", bad, "refused")
			r.want(t, "a known key", good, "accepted")
		})
	}
	wg.Wait()
	if have := r.reads(); have > lookBurst {
		t.Errorf("have %d reads for 50 made-up keys, want at most %d", have, lookBurst)
	}
	before := r.reads()
	r.at = r.at.Add(lookEvery)
	r.want(t, "a made-up key, later", r.signed(t, "made-up", r.key), "refused")
	if have := r.reads() - before; have != 1 {
		t.Errorf("have %d more reads, want 1: looks come back with time", have)
	}
	r.at, before = r.at.Add(time.Minute), r.reads()
	r.want(t, "no key id", r.signed(t, "", r.key), "refused")
	if have := r.reads() - before; have != 0 {
		t.Errorf("have %d more reads for a token that names no key, want 0", have)
	}
}

// TestIssuerDown: cached keys work until MaxAge; other tokens get an Unavailable error,
// and the issuer is asked seldom.
func TestIssuerDown(t *testing.T) {
	r := newRig(t, Options{})
	good := r.signed(t, "a", r.key)
	r.set(func() { r.down = true })
	r.want(t, "before anything is known", good, "unavailable")
	for range 10 {
		r.at = r.at.Add(retryAfter)
		r.want(t, "again and again", good, "unavailable")
	}
	r.set(func() { r.down = false })
	r.want(t, "too soon after a failure", good, "unavailable")
	r.at = r.at.Add(lookEvery)
	r.want(t, "when it is up again", good, "accepted")

	r.set(func() { r.down = true })
	for age := time.Hour; age < MaxAge; age += time.Hour {
		r.at = r.at.Add(time.Hour)
		r.Refresh(t.Context())
		r.want(t, "a known key of a silent issuer", good, "accepted")
		r.want(t, "an unknown key of a silent issuer", r.signed(t, "b", r.key), "unavailable")
	}
	r.at = r.at.Add(time.Hour)
	r.want(t, "a key that is too old", good, "unavailable")
	r.at = r.at.Add(lookEvery)
	r.set(func() { r.down = false })
	r.want(t, "when it is up again", good, "accepted")
	r.want(t, "an unknown key then", r.signed(t, "b", r.key), "refused")
}

// TestKeysWithClockSetBack: keys are old where the clock went back.
func TestKeysWithClockSetBack(t *testing.T) {
	r := newRig(t, Options{})
	r.want(t, "a known key", r.signed(t, "a", r.key), "accepted")
	r.at = r.at.Add(-30 * time.Hour)
	r.Refresh(t.Context())
	if have := r.reads(); have != 2 {
		t.Errorf("have %d reads of old keys, want 2", have)
	}
	r.set(func() { r.down = true })
	r.at = r.at.Add(-30 * time.Hour)
	r.want(t, "a key that is too old", r.signed(t, "a", r.key), "unavailable")
}

// TestInvalidMetadata: what describes another issuer or leads away
// from https has no keys.
func TestInvalidMetadata(t *testing.T) {
	for name, document := range map[string]claimSet{
		"of another issuer": {"issuer": "https://other.example"},
		"without issuer":    {"issuer": nil},
		"without keys":      {"jwks_uri": nil},
		"to a file":         {"jwks_uri": "file:///etc/passwd"},
		"to nowhere":        {"jwks_uri": "http://127.0.0.1:1/"},
	} {
		r := newRig(t, Options{})
		r.set(func() { r.document = document })
		r.want(t, name, r.signed(t, "a", r.key), "unavailable")
	}
}

func TestUnusableKeys(t *testing.T) {
	r := newRig(t, Options{})
	weak, strong := rsaKey(t, 1024), rsaKey(t, 2048)
	public := func(kid, use, alg string, key any) jose.JSONWebKey {
		return jose.JSONWebKey{Key: key, KeyID: kid, Use: use, Algorithm: alg}
	}
	r.set(func() {
		r.issuer.keys = []jose.JSONWebKey{
			public("secret", "sig", "HS256", []byte("0123456789abcdef0123456789abcdef")),
			public("private", "sig", "", r.key),
			public("weak", "sig", "RS256", weak.Public()),
			public("encrypts", "enc", "", r.key.Public()),
			public("agrees", "", "ECDH-ES", r.key.Public()),
			public("", "sig", "ES256", r.key.Public()),
			public("strong", "", "RS256", strong.Public()),
			public("bare", "", "", r.key.Public()),
		}
	})
	r.want(t, "a bare key", r.signed(t, "bare", r.key), "accepted")
	r.want(t, "an RSA key", sign(t, jose.RS256, strong, "strong", "at+jwt", r.with(nil)), "accepted")
	r.want(t, "another algorithm than the key's", sign(t, jose.PS256, strong, "strong", "at+jwt", r.with(nil)), "refused")
	r.want(t, "a weak key", sign(t, jose.RS256, weak, "weak", "at+jwt", r.with(nil)), "refused")
	for _, kid := range []string{"private", "encrypts", "agrees", ""} {
		r.Verifier.keys[r.url].looked = time.Time{}
		r.want(t, "the key "+kid, r.signed(t, kid, r.key), "refused")
	}
}

// An issuer read over TLS must not name addresses without TLS.
func TestMetadataWithoutTLSAddress(t *testing.T) {
	plain, key := newIssuer(t), ecKey(t)
	plain.publish("a", key)
	for name, accepted := range map[string]bool{"": true, "jwks_uri": false, "authorization_endpoint": false, "token_endpoint": false, "userinfo_endpoint": false} {
		i := &issuer{}
		server := httptest.NewTLSServer(i)
		i.url = server.URL
		i.publish("a", key)
		if name != "" {
			i.document = claimSet{name: plain.url + "/keys"}
		}
		v := New(Options{Issuers: []string{i.url}, Audience: audience, Client: server.Client(), Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		_, _, err := v.Verify(t.Context(), sign(t, jose.ES256, key, "a", "at+jwt", claimSet{"iss": i.url, "sub": "ann", "aud": audience, "exp": time.Now().Add(time.Hour).Unix()}))
		var known *octavo.Error
		if unavailable := errors.As(err, &known) && known.Type == octavo.Unavailable; accepted && err != nil || !accepted && !unavailable {
			t.Errorf("%s without TLS: have %v", name, err)
		}
		server.Close()
	}
	if n := plain.reads(); n != 0 {
		t.Errorf("the address without TLS was asked %d times", n)
	}
}
