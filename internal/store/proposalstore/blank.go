package proposalstore

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Blank removes the text of all changes of a purged page, and of the
// comments on it (decision 10).
func Blank(tx *sqldb.Tx, page octavo.ID) error {
	type row struct {
		octavo.PageChange
		proposal octavo.ID
	}
	changes, err := sqldb.Collect(tx.Context(), tx.Conn(), func(r sqldb.Scanner) (x row, err error) {
		x.PageChange, err = scanChange(r, true, &x.proposal)
		return x, err
	}, `SELECT `+changeColumns+changeTexts+`, g.proposal_id FROM proposal_changes g WHERE g.page_id <> '' AND g.page_id = $1`, page)
	if err != nil {
		return fmt.Errorf("read the changes of page %s: %w", page, err)
	}
	for _, c := range changes {
		p := &Row{Proposal: octavo.Proposal{ID: c.proposal}}
		blank := octavo.PageChange{ID: c.ID, Op: c.Op, PageID: page, BaseRevision: c.BaseRevision, Base: c.Base, Authors: c.Authors, Removed: true}
		if err := (&Proposals{}).UpdateChange(tx, p, c.PageChange, &blank); err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE proposals SET version = version + 1 WHERE id = $1`, c.proposal); err != nil {
			return fmt.Errorf("write proposal %s: %w", c.proposal, err)
		}
		if _, err := tx.Exec(`UPDATE proposal_comments SET said = '', place = '{}', removed = TRUE
			WHERE change_id = $1 OR reply_to IN (SELECT w.id FROM proposal_comments w WHERE w.change_id = $1)`, c.ID); err != nil {
			return fmt.Errorf("blank the comments on change %s: %w", c.ID, err)
		}
	}
	if _, err := tx.Exec(`UPDATE feedback SET said = '' WHERE page_id = $1`, page); err != nil {
		return fmt.Errorf("blank the feedback on page %s: %w", page, err)
	}
	return nil
}
