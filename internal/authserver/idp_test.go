package authserver_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"golang.org/x/oauth2"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/issuers"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// idp is an OpenID provider at which somebody is signed in, and which lies
// where a test tells it to.
type idp struct {
	*httptest.Server
	t     *testing.T
	key   *ecdsa.PrivateKey
	codes map[string]url.Values // the requests that codes were given for

	claims   map[string]any // of ID tokens; nil takes one out
	userinfo map[string]any
	typ      string // of ID tokens
	forged   bool   // whether they are signed with another key
	silent   bool   // whether its answers lack iss
	careless bool   // whether it looks at no code_verifier
	down     atomic.Bool
}

func newIDP(t *testing.T) *idp {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &idp{t: t, key: key, codes: map[string]url.Values{}, typ: "JWT", claims: map[string]any{
		"sub": "ann", "email": "Ann@Example.com", "email_verified": true, "name": "Ann", "groups": []string{"staff"},
	}}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	return p
}

func (p *idp) serve(w http.ResponseWriter, r *http.Request) {
	if p.down.Load() {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	var answer any
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		answer = map[string]any{
			"issuer": p.URL, "jwks_uri": p.URL + "/keys", "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
			"userinfo_endpoint": p.URL + "/userinfo", "authorization_response_iss_parameter_supported": !p.silent,
		}
	case "/keys":
		answer = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: "k", Use: "sig", Algorithm: "ES256"}}}
	case "/authorize":
		back := url.Values{"state": {r.FormValue("state")}, "code": {p.code(r.URL.Query())}, "iss": {p.URL}}
		http.Redirect(w, r, r.FormValue("redirect_uri")+"?"+back.Encode(), http.StatusFound)
		return
	case "/token":
		id, secret, _ := r.BasicAuth()
		asked, known := p.codes[r.PostFormValue("code")]
		delete(p.codes, r.PostFormValue("code"))
		if challenge := oauth2.S256ChallengeFromVerifier(r.PostFormValue("code_verifier")); id != "octavo" || secret != "hush" || !known ||
			challenge != asked.Get("code_challenge") && !p.careless || r.PostFormValue("redirect_uri") != asked.Get("redirect_uri") {
			w.WriteHeader(http.StatusBadRequest)
			answer = map[string]string{"error": "invalid_grant"}
			break
		}
		answer = map[string]any{"access_token": "at", "token_type": "Bearer", "id_token": p.token(asked.Get("nonce"))}
	case "/userinfo":
		answer = p.userinfo
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// code notes a request of a client and returns the code for it.
func (p *idp) code(asked url.Values) string {
	code := fmt.Sprintf("code-%d-%s", len(p.codes), rand.Text())
	p.codes[code] = asked
	return code
}

func (p *idp) token(nonce string) string {
	key := p.key
	if p.forged {
		key, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, new(jose.SignerOptions).WithType(jose.ContentType(p.typ)).WithHeader("kid", "k"))
	if err != nil {
		p.t.Error(err)
		return ""
	}
	now := time.Now()
	c := map[string]any{"iss": p.URL, "aud": "octavo", "nonce": nonce, "iat": now.Unix(), "exp": now.Add(time.Minute).Unix()}
	for name, value := range p.claims {
		if c[name] = value; value == nil {
			delete(c, name)
		}
	}
	text, err := jwt.Signed(signer).Claims(c).Serialize()
	if err != nil {
		p.t.Error(err)
	}
	return text
}

// signing is a server whose people sign in with p.
func (p *idp) signing(rule authserver.Provider) *octavotest.Server {
	p.t.Helper()
	rule.Name = "Example Login"
	return octavotest.Start(p.t, octavotest.Options{
		Provider: &rule,
		SignIn:   &issuers.ProviderOptions{Issuer: p.URL, ClientID: "octavo", ClientSecret: "hush", Scopes: []string{"openid", "email"}, Claim: "groups"},
	})
}

// leave begins to sign in, and returns where the provider sends the browser.
func (b *browser) leave(next string) string {
	b.t.Helper()
	begin := b.get("/login/provider?next=" + url.QueryEscape(next)).location(b.t)
	back := b.get(begin.String())
	if back.StatusCode != http.StatusFound {
		b.t.Fatalf("the provider answers %d\n%s", back.StatusCode, back.body)
	}
	return back.Header.Get("Location")
}

// onward returns where a sign-in with a provider leads.
func (a answer) onward(t *testing.T) string {
	t.Helper()
	_, to, found := strings.Cut(a.Header.Get("Refresh"), "0; url=")
	if !found || a.StatusCode != http.StatusOK {
		t.Fatalf("%s: have %d, Refresh %q, want a sign-in\n%s", a.Request.URL, a.StatusCode, a.Header.Get("Refresh"), a.body)
	}
	return to
}

// signedInAs returns the role of who is signed in, "" for nobody.
func (b *browser) signedInAs() octavo.Role {
	b.t.Helper()
	page := b.get("/account")
	for _, role := range []octavo.Role{octavo.RoleReader, octavo.RoleContributor, octavo.RoleEditor, octavo.RoleAdmin} {
		if page.StatusCode == http.StatusOK && contains(page.body, "<dd>"+string(role)+"</dd>") {
			return role
		}
	}
	return ""
}
