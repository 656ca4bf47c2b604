package store

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
)

// Callback returns the address that asked to be told of the first publication
// of a page, which is the event; found is false when none is tied to it.
func (s *Store) Callback(ctx context.Context, event octavo.ID) (url string, found bool, err error) {
	found, err = s.read.row(ctx, []any{&url}, `SELECT url FROM callbacks WHERE event_id = $1`, plain(string(event)))
	if err != nil {
		return "", false, fmt.Errorf("look up the callback of event %s: %w", event, err)
	}
	return url, found, nil
}

// addCallback keeps where the first publication of the page is to be told.
func (tx *Tx) addCallback(id octavo.ID, url string) error {
	if url == "" {
		return nil
	}
	if _, err := tx.exec(`INSERT INTO callbacks (page_id, url, created_at) VALUES ($1, $2, $3)`,
		id, url, tx.now.UnixMilli()); err != nil {
		return fmt.Errorf("keep the callback of page %s: %w", id, err)
	}
	return nil
}

// tieCallback gives the callback of the page, if it still waits, the event of
// the page's first publication (decision 37).
func (tx *Tx) tieCallback(id, event octavo.ID) error {
	if _, err := tx.exec(`UPDATE callbacks SET event_id = $2 WHERE page_id = $1 AND event_id IS NULL`, id, event); err != nil {
		return fmt.Errorf("tie the callback of page %s: %w", id, err)
	}
	return nil
}
