package doctor

import (
	"context"

	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
)

// The rules of checkKept and their remedies.
const (
	ruleNamed  = "an installation keeps its identifier"
	mendNamed  = "restore the newest backup in which doctor finds nothing: a server would create another identifier, and no issued token would be valid"
	ruleOpened = "the secrets of the installation can be decrypted"
	mendOpened = "set OCTAVO_SECRET_KEY or OCTAVO_SECRET_KEY_FILE to the key that encrypted the secrets, as for the server"
	ruleSigned = "an installation keeps a key that signs its tokens"
	mendSigned = "start a server, which creates another key; tokens issued before are no longer valid. If they have to be, restore the newest backup"
)

// checkKept checks that the permanent secrets exist. A server creates the identifier and a
// signing key before the key for cursors. A server that signs tokens or stores files has
// an identifier.
func checkKept(ctx context.Context, st *store.Store) (findings []storecheck.Finding, err error) {
	secrets, err := st.Accounts.Secrets.All(ctx, "")
	if err != nil {
		return nil, err
	}
	named, signed, served := false, false, false
	for _, s := range secrets {
		named = named || s.Name == app.InstallationName
		signed = signed || auth.SignsTokens(s.Name)
		served = served || s.Name == app.CursorSecret
	}
	if !named && (signed || served) {
		findings = append(findings, storecheck.Finding{Rule: ruleNamed, Subject: "secret " + app.InstallationName + " is missing", Mend: mendNamed})
	}
	if !signed && served {
		findings = append(findings, storecheck.Finding{Rule: ruleSigned, Subject: "there is none", Mend: mendSigned})
	}
	return findings, nil
}

// checkOpen checks that all secrets of the installation can be decrypted. Unlike a server
// it creates none.
func checkOpen(ctx context.Context, st *storage.Storage, secretKey string) ([]storecheck.Finding, error) {
	if err := openAll(ctx, st, secretKey); err != nil {
		return []storecheck.Finding{{Rule: ruleOpened, Subject: err.Error(), Mend: mendOpened}}, nil
	}
	return nil, nil
}

func openAll(ctx context.Context, st *storage.Storage, secretKey string) error {
	sealer, err := auth.NewSealer(secretKey, st.Env.Random)
	if err != nil {
		return err
	}
	secrets, err := st.Accounts.Secrets.All(ctx, "")
	if err != nil {
		return err
	}
	named, signed := false, false
	for _, s := range secrets {
		if s.Name == app.InstallationName {
			named = true
			continue
		}
		if _, err := sealer.Open(s.Name, s.Value); err != nil {
			return err
		}
		signed = signed || auth.SignsTokens(s.Name)
	}
	if !named || !signed {
		return nil // no server was ever started
	}
	_, err = app.OpenCredentials(ctx, st.Env, st.IDs, st.Store, secretKey, "")
	return err
}
