package issuers

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// raw makes a token by hand.
func raw(header, payload, signature string) string {
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(header)) + "." + encode([]byte(payload)) + "." + encode([]byte(signature))
}

// TestForgedTokens: whatever is wrong with a token, it is refused as
// such, and nothing of it is in the reason.
func TestForgedTokens(t *testing.T) {
	r := newRig(t, Options{})
	rsa := rsaKey(t, 2048)
	r.publish("rsa", rsa)
	good := r.token(t, nil)
	parts := strings.Split(good, ".")
	if _, _, err := r.Verify(t.Context(), good); err != nil {
		t.Fatalf("a good token: %v", err)
	}
	der, err := x509.MarshalPKIXPublicKey(&rsa.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	spki := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	jwk, err := jose.JSONWebKey{Key: rsa.Public(), KeyID: "rsa", Use: "sig"}.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	payload := `{"iss":"` + r.url + `","sub":"ann","aud":"` + audience + `","exp":4102444800,"scope":"admin"}`
	at := func(d time.Duration) int64 { return r.at.Add(d).Unix() }
	other := ecKey(t)
	embedded := sign(t, jose.ES256, jose.JSONWebKey{Key: other, KeyID: "mine"}, "", "at+jwt", r.with(nil))

	for name, c := range map[string]struct{ token, want string }{
		"alg none":                     {raw(`{"alg":"none","typ":"at+jwt","kid":"a"}`, payload, ""), "malformed"},
		"alg nOnE":                     {raw(`{"alg":"nOnE","typ":"at+jwt","kid":"a"}`, payload, ""), "malformed"},
		"no alg":                       {raw(`{"typ":"at+jwt","kid":"a"}`, payload, ""), "malformed"},
		"HS256 with the public key":    {sign(t, jose.HS256, spki, "rsa", "at+jwt", r.with(nil)), "not accepted"},
		"HS256 with its DER":           {sign(t, jose.HS256, der, "rsa", "at+jwt", r.with(nil)), "not accepted"},
		"HS256 with its JWK":           {sign(t, jose.HS256, jwk, "rsa", "at+jwt", r.with(nil)), "not accepted"},
		"RS256 for a key on a curve":   {sign(t, jose.RS256, rsa, "a", "at+jwt", r.with(nil)), "signature"},
		"the key of another":           {sign(t, jose.ES256, other, "a", "at+jwt", r.with(nil)), "signature"},
		"a key that it brings along":   {embedded, "unknown key"},
		"an unknown kid":               {sign(t, jose.ES256, r.key, "b", "at+jwt", r.with(nil)), "unknown key"},
		"no kid":                       {sign(t, jose.ES256, r.key, "", "at+jwt", r.with(nil)), "unknown key"},
		"a kid that is a path":         {sign(t, jose.ES256, r.key, "../../dev/null", "at+jwt", r.with(nil)), "unknown key"},
		"an altered payload":           {parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + "." + parts[2], "signature"},
		"no signature":                 {parts[0] + "." + parts[1] + ".", "signature"},
		"two parts":                    {parts[0] + "." + parts[1], "malformed"},
		"four parts":                   {good + ".x", "malformed"},
		"encrypted":                    {good + ".x.y", "malformed"},
		"another issuer":               {r.token(t, claimSet{"iss": "https://evil.example"}), "issuer"},
		"an issuer with a slash more":  {r.token(t, claimSet{"iss": r.url + "/"}), "issuer"},
		"no issuer":                    {r.token(t, claimSet{"iss": nil}), "issuer"},
		"an issuer in a list":          {r.token(t, claimSet{"iss": []string{r.url}}), "issuer"},
		"another audience":             {r.token(t, claimSet{"aud": "https://other.example"}), "audience"},
		"no audience":                  {r.token(t, claimSet{"aud": nil}), "audience"},
		"an audience that begins so":   {r.token(t, claimSet{"aud": audience + ".evil.example"}), "audience"},
		"no subject":                   {r.token(t, claimSet{"sub": nil}), "sub and exp"},
		"an endless subject":           {r.token(t, claimSet{"sub": strings.Repeat("x", 256)}), "too long"},
		"a subject of two lines":       {r.token(t, claimSet{"sub": "a\nb"}), "control characters"},
		"no expiry":                    {r.token(t, claimSet{"exp": nil}), "sub and exp"},
		"an expiry that is text":       {r.token(t, claimSet{"exp": "2100-01-01"}), "malformed"},
		"an expiry beyond all numbers": {r.token(t, claimSet{"exp": 1e300}), "malformed"},
		"expired":                      {r.token(t, claimSet{"exp": at(-ClockSkew)}), "expired"},
		"not valid yet":                {r.token(t, claimSet{"nbf": at(ClockSkew + time.Second)}), "not valid yet"},
		"issued in the future":         {r.token(t, claimSet{"iat": at(ClockSkew + time.Second)}), "not valid yet"},
		"typ JWT":                      {sign(t, jose.ES256, r.key, "a", "JWT", r.with(nil)), "typ must be at+jwt"},
		"no typ":                       {sign(t, jose.ES256, r.key, "a", "", r.with(nil)), "typ must be at+jwt"},
		"typ of a logout token":        {sign(t, jose.ES256, r.key, "a", "logout+jwt", r.with(nil)), "typ must be at+jwt"},
		"claims given twice":           {signRaw(t, r, strings.Replace(payload, `"sub"`, `"sub":"bob","sub"`, 1)), "malformed"},
		"claims that are no object":    {signRaw(t, r, `["iss"]`), "issuer"},
		"an issuer of another case":    {signRaw(t, r, strings.Replace(payload, `"iss"`, `"ISS"`, 1)), "issuer"},
		"deep claims":                  {signRaw(t, r, `{"nonce":`+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+`}`), ""},
		"a critical extension":         {raw(`{"alg":"ES256","typ":"at+jwt","kid":"a","crit":["x"],"x":1}`, payload, "x"), ""},
		"64 KB":                        {r.token(t, claimSet{"x": strings.Repeat("x", 64<<10), "exp": 1}), "expired"},
	} {
		p, _, err := r.Verify(t.Context(), c.token)
		var refused *Error
		if !errors.As(err, &refused) || !strings.Contains(refused.Description, c.want) {
			t.Errorf("%s: have %+v, %v, want it refused about %q", name, p, err, c.want)
		}
		if refused != nil && strings.ContainsAny(refused.Description, "\"\\\r\n") {
			t.Errorf("%s: the reason %q cannot stand in a header", name, refused.Description)
		}
		r.Verifier.keys[r.url].looked = time.Time{} // so that looks for unknown keys are not used up
	}
	if bytes.Contains([]byte(r.log.String()), []byte("ann")) {
		t.Error("the log names the subject of a token")
	}
}

// signRaw signs a payload as it is.
func signRaw(t *testing.T, r *rig, payload string) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: r.key}, new(jose.SignerOptions).WithType("at+jwt").WithHeader("kid", "a"))
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestIDTokensRefused: where an issuer sends access tokens of type JWT, ID
// tokens are known by what they say.
func TestIDTokensRefused(t *testing.T) {
	r := newRig(t, Options{Types: []string{"at+jwt", "JWT"}})
	for name, c := range map[string]struct {
		typ     string
		changes claimSet
		refused bool
	}{
		"an access token":                 {"JWT", nil, false},
		"an access token without typ":     {"", nil, false},
		"an access token of Keycloak":     {"JWT", claimSet{"typ": "Bearer", "azp": "cli", "client_id": nil}, false},
		"an access token of Cognito":      {"JWT", claimSet{"token_use": "access"}, false},
		"at+jwt with a nonce":             {"at+jwt", claimSet{"nonce": "x"}, false},
		"application/at+jwt":              {"application/AT+JWT", nil, false},
		"an ID token with a nonce":        {"JWT", claimSet{"nonce": "x"}, true},
		"an ID token with at_hash":        {"JWT", claimSet{"at_hash": "x"}, true},
		"an ID token with c_hash":         {"JWT", claimSet{"c_hash": "x"}, true},
		"an ID token of Keycloak":         {"JWT", claimSet{"typ": "ID"}, true},
		"a refresh token of Keycloak":     {"JWT", claimSet{"typ": "Refresh"}, true},
		"an ID token of Cognito":          {"JWT", claimSet{"token_use": "id"}, true},
		"for the client it was issued to": {"JWT", claimSet{"azp": audience}, true},
		"for the client, by client_id":    {"", claimSet{"client_id": audience}, true},
	} {
		_, _, err := r.Verify(t.Context(), sign(t, jose.ES256, r.key, "a", c.typ, r.with(c.changes)))
		var e *Error
		if refused := errors.As(err, &e) && strings.Contains(e.Description, "ID token"); refused != c.refused || !c.refused && err != nil {
			t.Errorf("%s: have %v, want refused %v", name, err, c.refused)
		}
	}
}
