package issuers

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// claimSet is what a token says.
type claimSet map[string]any

// issuer is an OpenID provider whose keys and behaviour a test chooses.
type issuer struct {
	url string

	mu       sync.Mutex
	keys     []jose.JSONWebKey // published, as they stand
	down     bool
	document claimSet // laid over the discovery document
	asked    int      // times that the keys were asked for
}

func newIssuer(t testing.TB) *issuer {
	t.Helper()
	i := &issuer{}
	server := httptest.NewServer(i)
	t.Cleanup(server.Close)
	i.url = server.URL
	return i
}

func (i *issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	var answer any
	switch {
	case i.down:
		w.WriteHeader(http.StatusBadGateway)
		return
	case r.URL.Path == "/.well-known/openid-configuration":
		document := claimSet{"issuer": i.url, "jwks_uri": i.url + "/keys"}
		for name, value := range i.document {
			document[name] = value
		}
		answer = document
	default:
		i.asked++
		answer = jose.JSONWebKeySet{Keys: i.keys}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (i *issuer) set(change func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change()
}

func (i *issuer) reads() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.asked
}

// publish adds the public half of a key.
func (i *issuer) publish(kid string, key crypto.Signer) {
	i.set(func() { i.keys = append(i.keys, jose.JSONWebKey{Key: key.Public(), KeyID: kid, Use: "sig"}) })
}

func ecKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func rsaKey(t testing.TB, bits int) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// sign makes a token.
func sign(t testing.TB, alg jose.SignatureAlgorithm, key any, kid, typ string, c claimSet) string {
	t.Helper()
	o := &jose.SignerOptions{}
	if typ != "" {
		o = o.WithType(jose.ContentType(typ))
	}
	if kid != "" {
		o = o.WithHeader("kid", kid)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, o)
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.Signed(signer).Claims(map[string]any(c)).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const audience = "https://docs.example"

// rig is a verifier with one issuer that has the key "a".
type rig struct {
	*issuer
	*Verifier
	key *ecdsa.PrivateKey
	at  time.Time
	log strings.Builder
}

func newRig(t testing.TB, o Options) *rig {
	t.Helper()
	r := &rig{issuer: newIssuer(t), key: ecKey(t), at: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	r.publish("a", r.key)
	o.Issuers, o.Audience, o.Client = append(o.Issuers, r.url), audience, http.DefaultClient
	o.Now = func() time.Time { return r.at }
	o.Log = slog.New(slog.NewTextHandler(&r.log, nil))
	r.Verifier = New(o)
	return r
}

// with returns the claims of a good token with some changed; nil removes one.
func (r *rig) with(changes claimSet) claimSet {
	c := claimSet{
		"iss": r.url, "sub": "ann", "aud": audience, "exp": r.at.Add(time.Hour).Unix(), "iat": r.at.Unix(),
		"client_id": "cli", "scope": "openid pages:read",
	}
	for name, value := range changes {
		if c[name] = value; value == nil {
			delete(c, name)
		}
	}
	return c
}

// token signs claims with the issuer's key.
func (r *rig) token(t testing.TB, changes claimSet) string {
	t.Helper()
	return sign(t, jose.ES256, r.key, "a", "at+jwt", r.with(changes))
}
