package pagestore

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// record writes an event of the page.
func record(tx *sqldb.Tx, kind octavo.EventType, page *pageRow) error {
	id, err := tx.NewID(octavo.PrefixEvent)
	if err != nil {
		return err
	}
	payload := changelog.SubjectOnly(page.ID)
	if kind == octavo.PagePublished {
		payload = page.AppendJSON(make([]byte, 0, len(page.Content)+len(page.Content)/8+1<<10)) // usually enough
	}
	if err := changelog.Record(tx, id, kind, page.ID, page.Version, page.wasPublic, payload); err != nil {
		return err
	}
	tx.TouchPage(kind, page.ID)
	if kind == octavo.PagePublished {
		return tieCallback(tx, page.ID, id)
	}
	return nil
}

// addCallback stores the callback address for the first publication of the page.
func addCallback(tx *sqldb.Tx, id octavo.ID, url string) error {
	if url == "" {
		return nil
	}
	if _, err := tx.Exec(`INSERT INTO callbacks (page_id, url, created_at) VALUES ($1, $2, $3)`,
		id, url, tx.Now().UnixMilli()); err != nil {
		return fmt.Errorf("keep the callback of page %s: %w", id, err)
	}
	return nil
}

// tieCallback ties the page's pending callback, if any, to the event of its
// first publication (decision 37).
func tieCallback(tx *sqldb.Tx, id, event octavo.ID) error {
	if _, err := tx.Exec(`UPDATE callbacks SET event_id = $2 WHERE page_id = $1 AND event_id IS NULL`, id, event); err != nil {
		return fmt.Errorf("tie the callback of page %s: %w", id, err)
	}
	return nil
}
