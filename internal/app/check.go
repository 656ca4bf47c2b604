package app

import (
	"context"

	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/store"
)

// The rules that CheckKept holds the secrets to, and what mends them.
const (
	ruleNamed  = "an installation keeps its identifier"
	mendNamed  = "bring back the newest backup with which doctor finds nothing: a server would make another identifier, with which no token that was issued is good"
	ruleSigned = "an installation keeps a key that signs its tokens"
	mendSigned = "start a server, which makes another key; tokens that were issued before are good no more. Bring back the newest backup where they have to be"
)

// CheckKept looks whether the secrets are there that nothing removes once they
// were made. A server makes an identifier and a signing key before the key of
// cursors, and whatever signs tokens has an identifier.
func CheckKept(ctx context.Context, st *store.Store) (findings []store.Finding, err error) {
	secrets, err := st.Secrets(ctx, "")
	if err != nil {
		return nil, err
	}
	named, signed, served := false, false, false
	for _, s := range secrets {
		named = named || s.Name == installationName
		signed = signed || auth.SignsTokens(s.Name)
		served = served || s.Name == cursorSecret
	}
	if !named && (signed || served) {
		findings = append(findings, store.Finding{Rule: ruleNamed, Subject: "secret " + installationName + " is missing", Mend: mendNamed})
	}
	if !signed && served {
		findings = append(findings, store.Finding{Rule: ruleSigned, Subject: "there is none", Mend: mendSigned})
	}
	return findings, nil
}
