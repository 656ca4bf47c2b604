package sitestore

import (
	"encoding/json"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// setReview also stores the review rules in a separate setting, which every
// write of a published page reads.
func setReview(tx *sqldb.Tx, r octavo.SiteReview) error {
	text := ""
	if r != (octavo.SiteReview{}) {
		encoded, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("store what changes need: %w", err)
		}
		text = string(encoded)
	}
	if err := tx.SetSetting(sqldb.ReviewSetting, text); err != nil {
		return fmt.Errorf("store what changes need: %w", err)
	}
	return nil
}
