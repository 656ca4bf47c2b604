package imports

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/importstore"
)

// standing returns the current scopes of the owner of an import: those of the original
// credential, limited to what the person's role, the API key or the client has now. For
// other subjects only the credential is known.
func (s *Service) standing(ctx context.Context, x importstore.Import) (may octavo.Scopes, err error) {
	id, all := octavo.ID(x.Asker.ID), s.Store.Accounts
	switch {
	case id.Is(octavo.PrefixUser):
		user, err := all.Users.ByID(ctx, id)
		if err == nil && !user.Disabled {
			may = user.Role.Scopes()
		}
		return x.Scopes & may, gone(err)
	case id.Is(octavo.PrefixKey):
		key, err := all.Keys.ByID(ctx, id)
		if err == nil && key.RevokedAt.IsZero() && (key.ExpiresAt.IsZero() || s.Now().Before(key.ExpiresAt)) {
			may = key.Scopes
		}
		return x.Scopes & may, gone(err)
	case id.Is(octavo.PrefixClient):
		client, err := all.Clients.ByID(ctx, id)
		if err == nil {
			may = client.Scopes
		}
		return x.Scopes & may, gone(err)
	}
	return x.Scopes, nil
}

// gone ignores that an account does not exist: it then has no scopes.
func gone(err error) error {
	if err == nil || octavo.IsType(err, octavo.NotFound) {
		return nil
	}
	return fmt.Errorf("look who asked for the import: %w", err)
}
