package store

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/importstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// ForgetPerson replaces the name of a person wherever it is stored with
// their actions, except in the audit log. Their identifier stays. Add every
// new place with names of people here.
func ForgetPerson(tx *sqldb.Tx, id octavo.ID) error {
	for _, replace := range []func(*sqldb.Tx, octavo.ID, string) error{pagestore.ReplaceName, changelog.ReplaceName, proposalstore.ReplaceName, importstore.ReplaceName} {
		if err := replace(tx, id, octavo.FormerName); err != nil {
			return fmt.Errorf("forget person %s: %w", id, err)
		}
	}
	return nil
}
