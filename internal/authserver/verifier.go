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

// revocationRecheck is how long revocations by other processes may go unnoticed.
const revocationRecheck = 500 * time.Millisecond

// Checker checks credentials. Its error for an invalid one is an *auth.Error.
type Checker interface {
	Verify(ctx context.Context, c auth.Credential) (octavo.Principal, error)
}

// RevocationStore reads revocations.
type RevocationStore interface {
	Revocations(ctx context.Context) ([]string, error)
}

// Suggestions returns the setting suggestions: whether signed-in readers may propose
// changes.
type Suggestions func(context.Context) (bool, error)

// Verifier checks credentials with another Checker, and refuses revoked access tokens:
// themselves, or their grant, person or client. It removes pages:propose from readers'
// tokens while the setting suggestions is off. It is safe for concurrent use.
type Verifier struct {
	next        Checker
	store       RevocationStore
	suggestions Suggestions
	now         func() time.Time
	mu          sync.Mutex // held while the store is read
	current     atomic.Pointer[revocations]
	forgot      atomic.Int64 // number of calls of Forget
}

// revocations are the revocations at a time, and the setting suggestions.
type revocations struct {
	ids         map[string]bool
	suggestions bool
	read        time.Time
	forgot      int64
}

func NewVerifier(next Checker, st RevocationStore, suggestions Suggestions, now func() time.Time) *Verifier {
	return &Verifier{next: next, store: st, suggestions: suggestions, now: now}
}

// Verify returns the principal of a valid credential, like auth.Authenticator.
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
		return p, nil // the role has nothing that it could have lost
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

// Forget makes the next Verify read revocations again. Call it after a revocation in this
// process.
func (v *Verifier) Forget() { v.forgot.Add(1) }

// known returns the revocations, at most revocationRecheck old.
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
	delete(c.ids, "") // a token without this part is not revoked by it
	if c.suggestions, err = v.suggestions(ctx); err != nil {
		return nil, err
	}
	v.current.Store(c)
	return c, nil
}

// fresh returns the last result, or nil if it is too old.
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
