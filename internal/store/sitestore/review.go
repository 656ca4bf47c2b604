package sitestore

import (
	"encoding/json"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// setReview keeps what changes need by itself as well, where every write of a published
// page looks.
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
