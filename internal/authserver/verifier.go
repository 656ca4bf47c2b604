package authserver

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/auth"
)

// revocationRecheck is how long what is revoked elsewhere may go unnoticed.
const revocationRecheck = 500 * time.Millisecond

// Checker checks credentials. Its error for one that is not valid is an
// *auth.Error.
type Checker interface {
	Verify(ctx context.Context, c auth.Credential) (octavo.Principal, error)
}

// RevocationStore reads revocations.
type RevocationStore interface {
	Revocations(ctx context.Context) ([]string, error)
}

// Suggestions reports whether readers who are signed in may propose changes.
type Suggestions func(context.Context) (bool, error)

// Verifier checks credentials as another does, and refuses access tokens that
// were revoked: themselves, or with the grant, person or client that they come
// from. It takes pages:propose from tokens of readers while the setting
// suggestions is off. It is safe for concurrent use.
type Verifier struct {
	next        Checker
	store       RevocationStore
	suggestions Suggestions
	now         func() time.Time
	mu          sync.Mutex // held while the store is read
	current     atomic.Pointer[revocations]
	forgot      atomic.Int64 // how often Forget was called
}

// revocations is what was revoked at a time, and the setting suggestions.
type revocations struct {
	ids         map[string]bool
	suggestions bool
	read        time.Time
	forgot      int64
}

// NewVerifier returns a verifier in front of another.
func NewVerifier(next Checker, st RevocationStore, suggestions Suggestions, now func() time.Time) *Verifier {
	return &Verifier{next: next, store: st, suggestions: suggestions, now: now}
}

// Verify returns the principal of a valid credential, as auth.Authenticator
// does.
func (v *Verifier) Verify(ctx context.Context, c auth.Credential) (octavo.Principal, error) {
	p, err := v.next.Verify(ctx, c)
	if err != nil || c.Kind != auth.Bearer {
		return p, err
	}
	known, err := v.known(ctx)
	if err != nil {
		return octavo.Principal{}, err
	}
	revoked := known.ids
	if len(revoked) > 0 && (revoked[p.CredentialID] || revoked[p.ID] || revoked[p.Client] || revoked[string(p.Grant)]) {
		return octavo.Principal{}, &auth.Error{Code: auth.CodeInvalidToken, Description: "The access token was revoked."}
	}
	if p.Suggested {
		if !known.suggestions {
			p.Scopes = octavo.ScopeRead
		}
		return p, nil // the role gives no more that it could have lost
	}
	if len(revoked) > 0 && (p.Grant != "" || octavo.ID(p.ID).Is(octavo.PrefixClient)) && lost(revoked, p) {
		return octavo.Principal{}, &auth.Error{Code: auth.CodeInvalidToken, Description: "The access token allows more than its owner may now do: get a new one."}
	}
	return p, nil
}

// lost reports whether a token holds a scope that its person or client has lost.
func lost(revoked map[string]bool, p octavo.Principal) bool {
	return slices.ContainsFunc(octavo.AllScopes(), func(scope octavo.Scopes) bool {
		return p.Scopes.Allow(scope) && revoked[accounts.LostScope(p.ID, scope)]
	})
}

// Forget makes the next Verify look at what is revoked now, as is due when
// something was revoked here.
func (v *Verifier) Forget() { v.forgot.Add(1) }

// known returns what was revoked and set, as of revocationRecheck ago at most.
func (v *Verifier) known(ctx context.Context) (*revocations, error) {
	if c := v.fresh(); c != nil {
		return c, nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if c := v.fresh(); c != nil {
		return c, nil
	}
	c := &revocations{ids: map[string]bool{}, read: v.now(), forgot: v.forgot.Load()}
	ids, err := v.store.Revocations(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		c.ids[id] = true
	}
	delete(c.ids, "") // what a token does not have cannot be revoked
	if c.suggestions, err = v.suggestions(ctx); err != nil {
		return nil, err
	}
	v.current.Store(c)
	return c, nil
}

// fresh returns what was read last, or nil when that is too old.
func (v *Verifier) fresh() *revocations {
	c := v.current.Load()
	if c == nil || c.forgot != v.forgot.Load() {
		return nil
	}
	if age := v.now().Sub(c.read); age < 0 || age >= revocationRecheck {
		return nil
	}
	return c
}
