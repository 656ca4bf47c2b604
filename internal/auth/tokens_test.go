package auth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/octavo-docs/octavo"
)

// forge signs claims as the server itself would, after changing them, so that
// each test alters one thing alone.
func (r *rig) forge(t *testing.T, alg jose.SignatureAlgorithm, key any, typ string, change map[string]any) string {
	t.Helper()
	c := map[string]any{
		"iss": "urn:octavo:" + string(installation), "aud": "urn:octavo:" + string(installation),
		"sub": "cli", "client_id": "cli", "scope": "pages:read", "jti": "tok_1",
		"iat": r.now.Unix(), "exp": r.now.Add(time.Hour).Unix(),
	}
	maps.Copy(c, change)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, new(jose.SignerOptions).WithType(jose.ContentType(typ)))
	if err != nil {
		t.Fatalf("forge with %s: %v", alg, err)
	}
	text, err := jwt.Signed(signer).Claims(c).Serialize()
	if err != nil {
		t.Fatalf("forge with %s: %v", alg, err)
	}
	return text
}

func TestAttacksOnTokens(t *testing.T) {
	r := newRig(t, nil)
	own := (*r.tokens.ring.keys.Load())[0]
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&own.private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	right := jose.JSONWebKey{Key: own.private, KeyID: own.kid}
	signed := func(change map[string]any) string { return r.forge(t, jose.ES256, right, "at+jwt", change) }
	good := signed(nil)
	parts := strings.Split(good, ".")
	segment := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

	r.accepted(t, Credential{Bearer, good})
	r.accepted(t, Credential{Bearer, r.forge(t, jose.ES256, right, "application/at+jwt", nil)})
	r.accepted(t, Credential{Bearer, signed(map[string]any{"iss": authURL, "aud": []string{"https://other.example", authURL}})})
	r.accepted(t, Credential{Bearer, signed(map[string]any{"iat": r.now.Add(5 * time.Hour).Unix(), "exp": r.now.Add(6 * time.Hour).Unix()})}) // signed before the clock was set back
	r.accepted(t, Credential{Bearer, signed(map[string]any{"nbf": r.now.Add(20 * time.Second).Unix(), "iat": r.now.Add(20 * time.Second).Unix()})})

	for _, tt := range []struct{ name, token, want string }{
		{"alg none", segment(`{"alg":"none","typ":"at+jwt","kid":"`+own.kid+`"}`) + "." + parts[1] + ".", "malformed"},
		{"alg None", segment(`{"alg":"None","typ":"at+jwt"}`) + "." + parts[1] + "." + parts[2], "malformed"},
		{"HS256 with the public key", r.forge(t, jose.HS256, jose.JSONWebKey{Key: public, KeyID: own.kid}, "at+jwt", nil), "malformed"},
		{"signature left out", parts[0] + "." + parts[1] + ".", "signature"},
		{"signature of another token", parts[0] + "." + strings.Split(signed(map[string]any{"scope": "admin"}), ".")[1] + "." + parts[2], "signature"},
		{"another's key under our id", r.forge(t, jose.ES256, jose.JSONWebKey{Key: stranger, KeyID: own.kid}, "at+jwt", nil), "signature"},
		{"another's key", r.forge(t, jose.ES256, jose.JSONWebKey{Key: stranger, KeyID: "x"}, "at+jwt", nil), "unknown key"},
		{"no kid", r.forge(t, jose.ES256, own.private, "at+jwt", nil), "unknown key"},
		{"ID token", r.forge(t, jose.ES256, right, "JWT", nil), "typ"},
		{"no typ", r.forge(t, jose.ES256, right, "", nil), "typ"},
		{"wrong issuer", signed(map[string]any{"iss": "urn:octavo:ins_other"}), "issuer"},
		{"no issuer", signed(map[string]any{"iss": nil}), "issuer"},
		{"wrong audience", signed(map[string]any{"aud": "https://other.example"}), "audience"},
		{"no audience", signed(map[string]any{"aud": nil}), "audience"},
		{"expired", signed(map[string]any{"exp": r.now.Unix()}), "expired"},
		{"no expiry", signed(map[string]any{"exp": nil}), "lacks a claim"},
		{"expiry beyond time", signed(map[string]any{"exp": 1e300}), "signature"},
		{"no subject", signed(map[string]any{"sub": nil}), "lacks a claim"},
		{"no identifier", signed(map[string]any{"jti": nil}), "lacks a claim"},
		{"future nbf", signed(map[string]any{"nbf": r.now.Add(time.Minute).Unix()}), "not valid yet"},
		{"claims of the wrong type", signed(map[string]any{"sub": 7}), "signature"},
		{"64 KB", parts[0] + "." + strings.Repeat("A", 64<<10) + "." + parts[2], "longer"},
		{"garbage", "garbage", "malformed"},
		{"dots", "..", "malformed"},
		{"empty object", segment("{}") + "." + segment("{}") + "." + segment(""), "malformed"},
		{"five parts", "a.b.c.d.e", "malformed"},
		{"unknown critical header", segment(`{"alg":"ES256","typ":"at+jwt","kid":"`+own.kid+`","crit":["x"],"x":1}`) + "." + parts[1] + "." + parts[2], "signature"},
	} {
		t.Run(tt.name, func(t *testing.T) { r.refused(t, Credential{Bearer, tt.token}, tt.want) })
	}
}

func TestAlteredToken(t *testing.T) {
	r := newRig(t, nil)
	token := r.token(t, Grant{Subject: "cli", Scopes: octavo.ScopeRead})
	for i := 0; i < len(token)-1; i += 3 { // the last character has unused bits
		altered := []byte(token)
		if altered[i] ^= 1; altered[i] == '/' {
			altered[i] = 'A'
		}
		if p, err := r.authenticator.Verify(t.Context(), Credential{Bearer, string(altered)}); err == nil {
			t.Errorf("Verify accepts %s, altered at %d, as %+v", altered, i, p)
		}
	}
}

func TestIssue(t *testing.T) {
	r := newRig(t, nil)
	token := r.token(t, Grant{Subject: "cli", Name: "CI", Scopes: octavo.ScopePropose, PublishedOnly: true, Suggested: true})
	have := r.accepted(t, Credential{Bearer, token})
	want := octavo.Principal{
		Actor: octavo.Actor{ID: "cli", Name: "CI"}, Client: "cli", CredentialID: have.CredentialID, Scopes: octavo.ScopePropose, PublishedOnly: true, Suggested: true,
	}
	if !reflect.DeepEqual(have, want) || !octavo.ID(have.CredentialID).Is(octavo.PrefixToken) {
		t.Errorf("the token speaks for %+v; want %+v", have, want)
	}
	r.now = r.now.Add(DefaultTokenTTL - time.Second)
	r.accepted(t, Credential{Bearer, token})
	r.now = r.now.Add(time.Second)
	r.refused(t, Credential{Bearer, token}, "expired") // remembered, yet not beyond its time

	for _, tt := range []struct {
		name  string
		grant Grant
		want  string
	}{
		{"no subject", Grant{Scopes: octavo.ScopeRead}, "subject"},
		{"no scope", Grant{Subject: "cli"}, "scope"},
		{"subject of two lines", Grant{Subject: "a\nb", Scopes: octavo.ScopeRead}, "control characters"},
		{"published-only writer", Grant{Subject: "cli", Scopes: octavo.ScopeWrite, PublishedOnly: true}, "must not contain"},
		{"too long a life", Grant{Subject: "cli", Scopes: octavo.ScopeRead, TTL: MaxTokenTTL + 1}, "must be at most"},
		{"too long a name", Grant{Subject: "cli", Scopes: octavo.ScopeRead, Name: strings.Repeat("n", MaxCredential)}, "too long"},
	} {
		if text, err := r.tokens.Issue(t.Context(), tt.grant); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Issue = %q, %v; want an error about %q", tt.name, text, err, tt.want)
		}
	}
}

// TestTokenLifetime: exp minus iat is the lifetime, whatever the fraction of the second of
// issue.
func TestTokenLifetime(t *testing.T) {
	r := newRig(t, nil)
	for _, fraction := range []time.Duration{0, 1, time.Second / 2, time.Second - 1} {
		r.now = r.now.Truncate(time.Second).Add(fraction)
		token, err := jwt.ParseSigned(r.token(t, Grant{Subject: "cli", Scopes: octavo.ScopeRead}), []jose.SignatureAlgorithm{jose.ES256})
		if err != nil {
			t.Fatal(err)
		}
		var c jwt.Claims
		if err := token.UnsafeClaimsWithoutVerification(&c); err != nil {
			t.Fatal(err)
		}
		if have := c.Expiry.Time().Sub(c.IssuedAt.Time()); have != DefaultTokenTTL {
			t.Errorf("issued %s after the second: lives %s, want %s", fraction, have, DefaultTokenTTL)
		}
	}
}

func TestUnknownTokenScopes(t *testing.T) {
	if have, others := readScopes("openid pages:write  email"); have != octavo.ScopeWrite || others != "openid email" {
		t.Errorf("readScopes = %v and %q, want pages:write and the others", have, others)
	}
}

func TestRotation(t *testing.T) {
	here := newRig(t, nil)
	there := newRig(t, here.store)
	old := here.token(t, Grant{Subject: "cli", Scopes: octavo.ScopeRead, TTL: MaxTokenTTL})

	here.now = here.now.Add(time.Minute)
	there.now, here.store.now = here.now, here.now
	if err := here.tokens.RotateSigningKey(t.Context()); err != nil {
		t.Fatal(err)
	}
	fresh := here.token(t, Grant{Subject: "cli", Scopes: octavo.ScopeRead, TTL: MaxTokenTTL})
	if a, b := kid(t, old), kid(t, fresh); a == b {
		t.Errorf("the key %s signs before and after rotation", a)
	}
	for _, r := range []*rig{here, there} { // the other process learns of the key when it meets it
		r.accepted(t, Credential{Bearer, old})
		r.accepted(t, Credential{Bearer, fresh})
	}
	if n := published(t, here); n != 2 {
		t.Errorf("JWKS has %d keys after a rotation, want 2", n)
	}

	here.now = here.now.Add(MaxTokenTTL - time.Minute)
	if err := here.tokens.Sweep(t.Context()); err != nil || len(here.store.secrets) != 2 {
		t.Errorf("%d keys are kept while an old token lives (%v), want 2", len(here.store.secrets), err)
	}
	here.now = here.now.Add(3 * time.Minute)
	if err := here.tokens.Sweep(t.Context()); err != nil || len(here.store.secrets) != 1 {
		t.Errorf("%d keys are kept when no old token lives (%v), want 1", len(here.store.secrets), err)
	}
	if n := published(t, here); n != 1 {
		t.Errorf("JWKS has %d keys after the sweep, want 1", n)
	}
}

// A rotation also works after the clock was set back, for both kinds of keys, and tokens
// of the old keys are accepted until they expire.
func TestRotationWhereTheClockWentBack(t *testing.T) {
	r := newRig(t, nil)
	old := r.token(t, Grant{Subject: "cli", Scopes: octavo.ScopeRead, TTL: MaxTokenTTL})
	identity := func() string {
		t.Helper()
		text, err := r.tokens.SignIdentity(t.Context(), map[string]any{"sub": "a"})
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := jwt.ParseSigned(text, []jose.SignatureAlgorithm{jose.RS256})
		if err != nil {
			t.Fatal(err)
		}
		return parsed.Headers[0].KeyID
	}
	signers, identities := map[string]bool{kid(t, old): true}, map[string]bool{identity(): true}
	expires := r.now.Add(MaxTokenTTL)
	r.now = r.now.Add(-5 * time.Hour)
	r.store.now = r.now
	for range 2 {
		if err := r.tokens.RotateSigningKey(t.Context()); err != nil {
			t.Fatal(err)
		}
		signers[kid(t, r.token(t, Grant{Subject: "cli", Scopes: octavo.ScopeRead}))] = true
		identities[identity()] = true
	}
	if len(signers) != 3 || len(identities) != 3 {
		t.Errorf("with two rotations %d keys signed tokens, and %d ID tokens; want 3", len(signers), len(identities))
	}
	another := newRig(t, r.store) // it has no token in its memory
	another.now = expires.Add(-time.Second)
	another.accepted(t, Credential{Bearer, old})
	r.now = expires.Add(2 * time.Minute)
	if err := r.tokens.Sweep(t.Context()); err != nil || published(t, r) != 1 {
		t.Errorf("JWKS has %d keys when no old token lives (%v), want 1", published(t, r), err)
	}
}

// Unknown key ids cause a few reads, then one a second, however many tokens arrive.
func TestUnknownKeyLookupRate(t *testing.T) {
	r := newRig(t, nil)
	token := r.forge(t, jose.ES256, jose.JSONWebKey{Key: (*r.tokens.ring.keys.Load())[0].private, KeyID: "unknown"}, "at+jwt", nil)
	for _, tt := range []struct {
		pass time.Duration
		want int
	}{{0, ringBurst}, {time.Second, 1}, {3 * time.Second, 3}, {10 * time.Millisecond, 0}, {5 * time.Minute, ringBurst}, {-4 * time.Minute, ringBurst}} {
		r.now = r.now.Add(tt.pass)
		before := r.store.secretReads
		for range 50 {
			r.refused(t, Credential{Bearer, token}, "unknown key")
		}
		if have := r.store.secretReads - before; have != tt.want {
			t.Errorf("%v later 50 tokens with an unknown key caused %d reads of the keys, want %d", tt.pass, have, tt.want)
		}
	}
}

// A token of a new key is accepted at once by a running server, however recently it read
// its keys.
func TestNewKeyOfOtherProcess(t *testing.T) {
	here := newRig(t, nil)
	there := newRig(t, here.store)
	for range ringBurst {
		here.store.now = here.store.now.Add(time.Millisecond)
		if err := here.tokens.RotateSigningKey(t.Context()); err != nil {
			t.Fatal(err)
		}
		there.accepted(t, Credential{Bearer, here.token(t, Grant{Subject: "cli", Scopes: octavo.ScopeRead})})
	}
}

// A forged token is refused and not an error, even if the keys cannot be read; the log
// says why.
func TestUnknownKeyOverAFailingStore(t *testing.T) {
	var log strings.Builder
	r := newRig(t, nil)
	r.tokens.ring.log = slog.New(slog.NewTextHandler(&log, nil))
	token := r.forge(t, jose.ES256, jose.JSONWebKey{Key: (*r.tokens.ring.keys.Load())[0].private, KeyID: "unknown"}, "at+jwt", nil)
	good := r.token(t, Grant{Subject: "cli", Scopes: octavo.ScopeRead})
	r.store.err = errors.New("disk on fire")
	r.refused(t, Credential{Bearer, token}, "unknown key")
	r.accepted(t, Credential{Bearer, good})
	if !strings.Contains(log.String(), "disk on fire") {
		t.Errorf("the log does not tell of the failing store: %q", log.String())
	}
}

func kid(t *testing.T, token string) string {
	t.Helper()
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Headers[0].KeyID
}

// published counts the keys of the JWK set and checks that none is private.
func published(t *testing.T, r *rig) int {
	t.Helper()
	set, err := r.tokens.JWKS(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), `"d":`) {
		t.Errorf("JWKS shows private keys: %s", text)
	}
	return len(set.Keys)
}
