package authserver

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
)

// anybody accepts every credential as the same principal.
type anybody struct{ principal octavo.Principal }

func (a anybody) Verify(context.Context, auth.Credential) (octavo.Principal, error) {
	return a.principal, nil
}

// revokedList is a store of revocations that counts how often it is read.
type revokedList struct {
	ids         []string
	suggestions bool
	reads       int
	err         error
}

func (l *revokedList) Suggestions(context.Context) (bool, error) { return l.suggestions, nil }

func (l *revokedList) Revocations(context.Context) ([]string, error) {
	l.reads++
	return l.ids, l.err
}

func TestVerifier(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	list := &revokedList{}
	who := octavo.Principal{Actor: octavo.Actor{ID: "usr_a"}, Client: "cli_a", CredentialID: "tok_a", Grant: "grt_a"}
	v := NewVerifier(anybody{who}, list, list.Suggestions, func() time.Time { return now })
	check := func(kind auth.Kind) error {
		_, err := v.Verify(t.Context(), auth.Credential{Kind: kind})
		return err
	}
	for range 100 {
		if err := check(auth.Bearer); err != nil {
			t.Fatalf("with nothing revoked: %v", err)
		}
	}
	if list.reads != 1 {
		t.Errorf("the store was read %d times, want once", list.reads)
	}
	for _, id := range []string{"usr_a", "cli_a", "tok_a", "grt_a"} {
		list.ids = []string{id}
		if err := check(auth.Bearer); err != nil {
			t.Errorf("%s: refused before it can be known: %v", id, err)
		}
		now = now.Add(revocationRecheck) // as in another process
		var refused *auth.Error
		if err := check(auth.Bearer); !errors.As(err, &refused) || refused.Code != auth.CodeInvalidToken {
			t.Errorf("%s: have %v, want invalid_token", id, err)
		}
		if err := check(auth.HeaderKey); err != nil {
			t.Errorf("%s: a key is refused: %v", id, err)
		}
		list.ids = nil
		v.Forget() // as where it is changed
		if err := check(auth.Bearer); err != nil {
			t.Errorf("%s: refused after all: %v", id, err)
		}
	}
	list.ids = []string{""}
	v.Forget()
	who.Grant = ""
	v.next = anybody{who}
	if err := check(auth.Bearer); err != nil {
		t.Errorf("nothing can be revoked for all that have no grant: %v", err)
	}
	list.err = errors.New("the disk is gone")
	v.Forget()
	if err := check(auth.Bearer); !errors.Is(err, list.err) {
		t.Errorf("have %v, want that it cannot be told", err)
	}
}

// What readers may do while the setting suggestions is on ends with it, and what
// others may do does not.
func TestVerifierSuggestions(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	list := &revokedList{}
	const both = octavo.ScopeRead | octavo.ScopePropose
	for _, c := range []struct {
		name      string
		principal octavo.Principal
		on        bool
		revoked   []string
		want      octavo.Scopes // 0 is refused
	}{
		{"a reader while it is on", octavo.Principal{Scopes: both, Suggested: true}, true, nil, both},
		{"a reader while it is off", octavo.Principal{Scopes: both, Suggested: true}, false, nil, octavo.ScopeRead},
		{"propose alone, while it is off", octavo.Principal{Scopes: octavo.ScopePropose, Suggested: true}, false, nil, octavo.ScopeRead},
		{"a reader who was a contributor", octavo.Principal{Scopes: both, Suggested: true}, true, []string{"usr_a pages:propose"}, both},
		{"a reader who is disabled", octavo.Principal{Scopes: both, Suggested: true}, true, []string{"usr_a"}, 0},
		{"a contributor while it is off", octavo.Principal{Scopes: both}, false, nil, both},
		{"a contributor who is a reader by now", octavo.Principal{Scopes: both}, true, []string{"usr_a pages:propose"}, 0},
		{"an editor's token for reading", octavo.Principal{Scopes: octavo.ScopeRead}, true, []string{"usr_a pages:propose", "usr_a pages:write"}, octavo.ScopeRead},
	} {
		c.principal.ID, c.principal.Grant = "usr_a", "grt_a"
		list.suggestions, list.ids = c.on, c.revoked
		v := NewVerifier(anybody{c.principal}, list, list.Suggestions, func() time.Time { return now })
		if p, err := v.Verify(t.Context(), auth.Credential{Kind: auth.Bearer}); p.Scopes != c.want || (err != nil) != (c.want == 0) {
			t.Errorf("%s: have %q, %v, want %q", c.name, p.Scopes, err, c.want)
		}
	}
}
