package imports

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/importstore"
)

// standing returns what the owner of an import may do now: what the credential allowed
// then, as far as the person's role, the API key or the client still does. For other
// subjects only the credential is known.
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

// gone passes over that an account does not exist, which allows nothing.
func gone(err error) error {
	if err == nil || octavo.IsType(err, octavo.NotFound) {
		return nil
	}
	return fmt.Errorf("look who asked for the import: %w", err)
}
