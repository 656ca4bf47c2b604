package sitestore

import (
	"encoding/json"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// ReviewIn returns in a transaction what changes of published pages need.
func ReviewIn(tx *sqldb.Tx) (r octavo.SiteReview, err error) {
	var text string
	found, err := tx.Row([]any{&text}, `SELECT value FROM settings WHERE name = $1`, sqldb.ReviewSetting)
	if err == nil && found && text != "" {
		err = json.Unmarshal([]byte(text), &r)
	}
	if err != nil {
		return r, fmt.Errorf("read what changes need: %w", err)
	}
	return r, nil
}

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
