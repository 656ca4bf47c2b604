package assetstore

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// reviewed refuses a change of the files under some targets if published pages show
// them and the site requires approvals (decision 74). condition selects the targets.
func reviewed(tx *sqldb.Tx, id octavo.ID, condition, arg string) error {
	if asked, err := tx.ReviewAsked(); err != nil || !asked {
		return err
	}
	shown, err := tx.Row([]any{new(int)}, `SELECT 1 FROM page_assets a JOIN pages p ON p.id = a.page_id
		WHERE a.target IN (SELECT t.target FROM asset_targets t WHERE `+condition+` = $1)
			AND (p.status = 'published' OR p.publish_at IS NOT NULL) AND p.deleted_at IS NULL LIMIT 1`, arg)
	if err != nil {
		return fmt.Errorf("look which pages show asset %s: %w", id, err)
	}
	if !shown {
		return nil
	}
	return tx.NeedsReview(id)
}
