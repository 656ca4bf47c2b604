package pagestore

import (
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
		payload = page.AppendJSON(make([]byte, 0, len(page.Content)+len(page.Content)/8+1<<10)) // most need no more
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
