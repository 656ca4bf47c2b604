package auth

import (
	"bytes"
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
)

func sealer(t *testing.T, key string) *Sealer {
	t.Helper()
	s, err := NewSealer(key, rand.Reader)
	if err != nil {
		t.Fatalf("NewSealer(%q): %v", key, err)
	}
	return s
}

func TestOpenSealed(t *testing.T) {
	one, two := strings.Repeat("1", 32), strings.Repeat("2", 32)
	secret := []byte("a secret")
	sealed, err := sealer(t, one).Seal("cursor", secret)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(sealed, secret) {
		t.Errorf("Seal(%q) = %q, which shows the secret", secret, sealed)
	}
	plain, err := sealer(t, "").Seal("cursor", secret)
	if err != nil {
		t.Fatal(err)
	}
	altered := bytes.Clone(sealed)
	altered[len(altered)-1] ^= 1
	for _, tt := range []struct {
		what, key, name string
		sealed          []byte
		want            error
	}{
		{"its own key", one, "cursor", sealed, nil},
		{"another key", two, "cursor", sealed, ErrWrongSecretKey},
		{"no key", "", "cursor", sealed, ErrNoSecretKey},
		{"another name", one, "signing/x", sealed, ErrWrongSecretKey},
		{"an altered byte", one, "cursor", altered, ErrWrongSecretKey},
		{"a cut secret", one, "cursor", sealed[:5], ErrWrongSecretKey},
		{"a plain secret with a key", one, "cursor", plain, ErrPlainSecret},
		{"a plain secret without", "", "cursor", plain, nil},
	} {
		have, err := sealer(t, tt.key).Open(tt.name, tt.sealed)
		if !errors.Is(err, tt.want) || tt.want == nil && !bytes.Equal(have, secret) {
			t.Errorf("%s: Open = %q, %v; want %q, %v", tt.what, have, err, secret, tt.want)
		}
	}
	for _, unknown := range [][]byte{nil, {}, {7, 1, 2}} {
		if have, err := sealer(t, one).Open("cursor", unknown); err == nil {
			t.Errorf("Open(%v) = %q, want an error", unknown, have)
		}
	}
}

func TestVaultMakesASecretOnce(t *testing.T) {
	m := &memory{}
	one, two := NewVault(m, sealer(t, "")), NewVault(m, sealer(t, ""))
	a, err := one.Ensure(t.Context(), "cursor", 32)
	if err != nil || len(a) != 32 {
		t.Fatalf("Ensure = %d bytes, %v; want 32", len(a), err)
	}
	b, err := two.Ensure(t.Context(), "cursor", 32)
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("Ensure in another process = %x, %v; want %x", b, err, a)
	}
}

// Starting with the wrong key must fail, and not create new secrets beside the old ones:
// every cursor and token would be refused.
func TestWrongSecretKeyStopsTheStart(t *testing.T) {
	m := &memory{}
	env := newRig(t, nil).keys.env
	open := func(key string) error {
		_, err := OpenTokens(t.Context(), TokenOptions{Env: env, Vault: NewVault(m, sealer(t, key)), Installation: installation})
		return err
	}
	if err := open(strings.Repeat("1", 32)); err != nil {
		t.Fatalf("first start: %v", err)
	}
	if err := open(strings.Repeat("2", 32)); !errors.Is(err, ErrWrongSecretKey) {
		t.Errorf("start with another key: %v; want %v", err, ErrWrongSecretKey)
	}
	if err := open(""); !errors.Is(err, ErrNoSecretKey) {
		t.Errorf("start without a key: %v; want %v", err, ErrNoSecretKey)
	}
	if len(m.secrets) != 1 {
		t.Errorf("the store has %d secrets after failed starts, want 1", len(m.secrets))
	}
}

// A stray secret key must not leave secrets of both kinds, which no process
// could open; only a server encrypts them, all of them, under one key.
func TestSealPlainSecrets(t *testing.T) {
	r := newRig(t, nil)
	token := r.token(t, Grant{Subject: "cli", Scopes: octavo.ScopeRead})
	r.store.secrets = append(r.store.secrets, accounts.Secret{Name: "installation", Value: []byte("ins_1")})
	one, two := NewVault(r.store, sealer(t, strings.Repeat("1", 32))), NewVault(r.store, sealer(t, strings.Repeat("2", 32)))
	open := func(v *Vault) (*Tokens, error) {
		return OpenTokens(t.Context(), TokenOptions{Env: r.keys.env, Vault: v, Installation: installation})
	}
	if _, err := open(one); !errors.Is(err, ErrPlainSecret) || len(r.store.secrets) != 2 {
		t.Fatalf("open plain secrets with a key: %v with %d secrets; want %v and 2", err, len(r.store.secrets), ErrPlainSecret)
	}
	if n, err := one.SealPlain(t.Context()); n != 1 || err != nil {
		t.Fatalf("SealPlain = %d, %v; want 1", n, err)
	}
	if n, err := one.SealPlain(t.Context()); n != 0 || err != nil {
		t.Errorf("SealPlain again = %d, %v; want 0", n, err)
	}
	tokens, err := open(one)
	if err != nil {
		t.Fatalf("open sealed secrets: %v", err)
	}
	if _, _, err := tokens.verify(t.Context(), token); err != nil {
		t.Errorf("a token from before the secrets were sealed: %v", err)
	}
	plain, err := sealer(t, "").Seal("cursor", []byte("a secret"))
	if err != nil {
		t.Fatal(err)
	}
	r.store.secrets = append(r.store.secrets, accounts.Secret{Name: "cursor", Value: plain})
	if n, err := two.SealPlain(t.Context()); n != 0 || !errors.Is(err, ErrWrongSecretKey) {
		t.Errorf("SealPlain under another key = %d, %v; want 0, %v", n, err, ErrWrongSecretKey)
	}
	if n, err := one.SealPlain(t.Context()); n != 1 || err != nil {
		t.Errorf("SealPlain of both kinds = %d, %v; want 1", n, err)
	}
}
