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

// ForgetPerson replaces the name of a person wherever it stands beside what they did,
// but for the audit log. Their identifier stays. Whatever keeps names of people is to
// be added here.
func ForgetPerson(tx *sqldb.Tx, id octavo.ID) error {
	for _, replace := range []func(*sqldb.Tx, octavo.ID, string) error{pagestore.ReplaceName, changelog.ReplaceName, proposalstore.ReplaceName, importstore.ReplaceName} {
		if err := replace(tx, id, octavo.FormerName); err != nil {
			return fmt.Errorf("forget person %s: %w", id, err)
		}
	}
	return nil
}
