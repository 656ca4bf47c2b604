package auth

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func TestCreateKey(t *testing.T) {
	read, propose, write, admin := octavo.ScopeRead, octavo.ScopePropose, octavo.ScopeWrite, octavo.ScopeAdmin
	for _, tt := range []struct {
		name    string
		request KeyRequest
		want    string // in the error; "" creates
		scopes  octavo.Scopes
		hidden  bool // published-only
	}{
		{"least", KeyRequest{Name: "a"}, "", read, false},
		{"writer", KeyRequest{Name: "a", Kind: octavo.KeyService, Scopes: read | write}, "", read | write, false},
		{"reader of published pages", KeyRequest{Name: "a", Scopes: read, PublishedOnly: true}, "", read, true},
		{"proposer", KeyRequest{Name: "a", Scopes: propose}, "", propose, false},
		{"proposer of published pages", KeyRequest{Name: "a", Scopes: propose, PublishedOnly: true}, "", propose, true},
		{"search that proposes", KeyRequest{Name: "a", Kind: octavo.KeySearch, Scopes: propose}, "only pages:read", 0, false},
		{"search", KeyRequest{Name: "a", Kind: octavo.KeySearch}, "", read, true},
		{"search that reads", KeyRequest{Name: "a", Kind: octavo.KeySearch, Scopes: read}, "", read, true},
		{"search that writes", KeyRequest{Name: "a", Kind: octavo.KeySearch, Scopes: write}, "only pages:read", 0, false},
		{"search for admins", KeyRequest{Name: "a", Kind: octavo.KeySearch, Scopes: admin | read}, "only pages:read", 0, false},
		{"published-only that writes", KeyRequest{Name: "a", Scopes: write, PublishedOnly: true}, "must not contain pages:write", 0, false},
		{"published-only admin", KeyRequest{Name: "a", Scopes: admin, PublishedOnly: true}, "must not contain pages:write", 0, false},
		{"without a name", KeyRequest{}, "1 to 120", 0, false},
		{"with a long name", KeyRequest{Name: strings.Repeat("é", 121)}, "it has 121", 0, false},
		{"with two lines for a name", KeyRequest{Name: "a\nb"}, "control character", 0, false},
		{"of an unknown kind", KeyRequest{Name: "a", Kind: "master"}, "service or search", 0, false},
		{"of the past", KeyRequest{Name: "a", Lifetime: -1}, "future", 0, false},
		{"of an earlier time", KeyRequest{Name: "a", ExpiresAt: time.Unix(0, 0)}, "future", 0, false},
		{"bound to tags", KeyRequest{Name: "a", Kind: octavo.KeySearch, Tags: []string{"x", "y"}}, "", read, true},
		{"bound to a tag twice", KeyRequest{Name: "a", Kind: octavo.KeySearch, Tags: []string{"x", "x"}}, "repeat", 0, false},
		{"bound to an empty tag", KeyRequest{Name: "a", Kind: octavo.KeySearch, Tags: []string{""}}, "/filter/tags/0", 0, false},
		{"bound to many tags", KeyRequest{Name: "a", Kind: octavo.KeySearch, Tags: make([]string, 21)}, "at most 20", 0, false},
		{"bound, of kind service", KeyRequest{Name: "a", Tags: []string{"x"}}, "only a search key", 0, false},
		{"with a limit", KeyRequest{Name: "a", RateLimit: MaxKeyRateLimit}, "", read, false},
		{"with a limit below 0", KeyRequest{Name: "a", RateLimit: -1}, "/rateLimit", 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			text, key, err := r.keys.Create(t.Context(), sqldb.Cause{}, tt.request)
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) || len(r.store.keys) > 0 {
					t.Fatalf("Create(%+v) = %v with %d keys stored; want an error about %q and none", tt.request, err, len(r.store.keys), tt.want)
				}
				return
			}
			if err != nil {
				t.Fatalf("Create(%+v): %v", tt.request, err)
			}
			if key.Scopes != tt.scopes || key.PublishedOnly != tt.hidden || !key.ID.Is(octavo.PrefixKey) {
				t.Errorf("Create(%+v) = %+v; want scopes %v, published-only %t", tt.request, key, tt.scopes, tt.hidden)
			}
			if strings.Contains(fmt.Sprintf("%+v", r.store.keys), text) {
				t.Errorf("the store holds the key %s itself: %+v", text, r.store.keys)
			}
		})
	}
}

func TestVerifyKey(t *testing.T) {
	r := newRig(t, nil)
	text, key := r.key(t, KeyRequest{Name: "CI", Scopes: octavo.ScopeWrite, Lifetime: time.Hour})
	search, _ := r.key(t, KeyRequest{Name: "site", Kind: octavo.KeySearch})

	have := r.accepted(t, Credential{HeaderKey, text})
	want := octavo.Principal{
		Actor: octavo.Actor{ID: string(key.ID), Name: "CI"}, Client: string(key.ID), CredentialID: string(key.ID), Scopes: octavo.ScopeWrite,
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("a service key in the header speaks for %+v; want %+v", have, want)
	}
	want.PublishedOnly = true
	if have := r.accepted(t, Credential{QueryKey, text}); !reflect.DeepEqual(have, want) {
		t.Errorf("a service key in the query speaks for %+v; want %+v", have, want)
	}
	if have := r.accepted(t, Credential{HeaderKey, search}); !have.SearchOnly || !have.Audience().PublishedOnly {
		t.Errorf("a search key speaks for %+v; want it bound to search and to published pages", have)
	}
	r.refused(t, Credential{Bearer, text}, "X-API-Key")

	r.now = r.now.Add(time.Hour)
	r.refused(t, Credential{HeaderKey, text}, "expired")
}

func TestRefusedKeys(t *testing.T) {
	r, other := newRig(t, nil), newRig(t, nil)
	text, _ := r.key(t, KeyRequest{Name: "a"})
	foreign, _ := other.key(t, KeyRequest{Name: "a"})
	token := r.token(t, Grant{Subject: "cli", Scopes: octavo.ScopeRead})
	reads := r.store.keyReads
	for _, tt := range []struct{ name, secret, want string }{
		{"wrong checksum", text[:52] + string(text[52]^1), "malformed"},
		{"garbage", "\x00\xff garbage", "malformed"},
		{"a token in place of a key", token, "malformed"},
		{"64 KB", strings.Repeat("a", 64<<10), "longer"},
	} {
		r.refused(t, Credential{HeaderKey, tt.secret}, tt.want)
	}
	if r.store.keyReads != reads {
		t.Errorf("malformed keys caused %d reads of the store, want none", r.store.keyReads-reads)
	}
	r.refused(t, Credential{HeaderKey, foreign}, "unknown")
	if _, err := r.authenticator.Verify(t.Context(), Credential{HeaderKey, ""}); !errors.Is(err, ErrMissing) {
		t.Errorf("Verify of nothing: %v; want %v", err, ErrMissing)
	}
}

// A store that fails must not read as a bad credential: the client would throw
// a good one away.
func TestStoreFailureNotRefusal(t *testing.T) {
	r := newRig(t, nil)
	text, _ := r.key(t, KeyRequest{Name: "a"})
	r.store.err = errors.New("disk on fire")
	_, err := r.authenticator.Verify(t.Context(), Credential{HeaderKey, text})
	var refusal *Error
	if !errors.Is(err, r.store.err) || errors.As(err, &refusal) {
		t.Errorf("Verify over a failing store: %v; want %v", err, r.store.err)
	}
}

func TestRevocation(t *testing.T) {
	here := newRig(t, nil)
	there := newRig(t, here.store)
	text, key := here.key(t, KeyRequest{Name: "a"})
	here.accepted(t, Credential{HeaderKey, text})
	there.accepted(t, Credential{HeaderKey, text})

	if err := here.keys.Revoke(t.Context(), sqldb.Cause{}, key.ID); err != nil {
		t.Fatal(err)
	}
	here.refused(t, Credential{HeaderKey, text}, "revoked")
	there.now = there.now.Add(KeyRecheck)
	there.refused(t, Credential{HeaderKey, text}, "revoked")
}

// TestRevocationWithClockSetBack: cached keys are verified again after the clock was set
// back.
func TestRevocationWithClockSetBack(t *testing.T) {
	here := newRig(t, nil)
	there := newRig(t, here.store)
	text, key := here.key(t, KeyRequest{Name: "a"})
	there.accepted(t, Credential{HeaderKey, text})
	if err := here.keys.Revoke(t.Context(), sqldb.Cause{}, key.ID); err != nil {
		t.Fatal(err)
	}
	there.now = there.now.Add(-3 * time.Hour)
	there.refused(t, Credential{HeaderKey, text}, "revoked")
}

func TestRecordUseBatches(t *testing.T) {
	r := newRig(t, nil)
	text, key := r.key(t, KeyRequest{Name: "a"})
	for range 100 {
		r.accepted(t, Credential{HeaderKey, text})
	}
	if r.store.keyReads != 1 || !r.store.keys[0].LastUsedAt.IsZero() {
		t.Errorf("100 requests at one instant read the key %d times and wrote its last use %v; want 1 and none", r.store.keyReads, r.store.keys[0].LastUsedAt)
	}
	if err := r.keys.RecordUse(t.Context()); err != nil {
		t.Fatal(err)
	}
	if have, err := r.keys.Get(t.Context(), key.ID); err != nil || !have.LastUsedAt.Equal(r.now) {
		t.Errorf("last use = %v, %v; want %v", have.LastUsedAt, err, r.now)
	}
}
