package authserver_test

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
)

// A copy of the database contains nothing to sign in or call the API with: no key, token,
// code, session or password, neither as text nor as decoded bytes.
func TestNoCredentialInDatabase(t *testing.T) {
	w := newWorld(t)
	unused, r := w.code(), w.redeem(w.code())
	rotated := w.refresh(r.Refresh)
	base, err := url.Parse(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	_, link := invite(t, w.Server, "new@example.com", octavo.RoleReader)
	_, link, _ = strings.Cut(link, "link=")
	secrets := map[string]string{
		"link": link,
		"code": unused, "access token": rotated.Access, "ID token": r.ID, "refresh token": rotated.Refresh, "former refresh token": r.Refresh,
		"key": w.Key(t, auth.KeyRequest{Scopes: octavo.ScopeRead}), "secret of the client": secretText, "password": password, "verifier": w.verifier,
	}
	for _, c := range w.jar.Cookies(base) {
		secrets["cookie "+c.Name] = c.Value
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	if err := w.Store.DB.CopyTo(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(have, []byte("ann@example.com")) || !bytes.Contains(have, []byte("cli_server")) || len(secrets) < 10 {
		t.Fatalf("the copy of %d bytes shows nothing, or there are only %d secrets", len(have), len(secrets))
	}
	for name, secret := range secrets {
		const part = 14 // bytes of a secret that tell it from anything else
		if len(secret) < part {
			t.Fatalf("%s: %q is too short to be told from anything else", name, secret)
		}
		if at := strings.LastIndexByte(secret, '.'); at >= 0 {
			secret = secret[at+1:] // of a JWT what makes it one: the signature
		}
		texts := []string{secret}
		secret = strings.TrimPrefix(secret, "ort_")
		for ; len(secret) >= 43; secret = secret[43:] {
			if raw, err := base64.RawURLEncoding.DecodeString(secret[:43]); err == nil {
				texts = append(texts, string(raw))
			}
		}
		for _, text := range texts {
			for from := 0; from+part <= len(text); from++ {
				if some := text[from : from+part]; bytes.Contains(have, []byte(some)) {
					t.Errorf("%s: %q of it is in the database", name, some)
					break
				}
			}
		}
	}
}
