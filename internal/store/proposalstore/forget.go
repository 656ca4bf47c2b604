package proposalstore

import (
	"encoding/json"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// ReplaceName replaces a person's name wherever they wrote, reviewed or
// merged something. It removes their notifications and review requests.
func ReplaceName(tx *sqldb.Tx, id octavo.ID, name string) error {
	for _, s := range []string{
		`UPDATE proposals SET author_name = $2 WHERE author_id = $1`,
		`UPDATE proposals SET merged_name = $2 WHERE merged_id = $1`,
		`UPDATE revision_merges SET merged_name = $2 WHERE merged_id = $1`,
		`UPDATE proposal_reviews SET author_name = $2 WHERE author_id = $1`,
		`UPDATE proposal_comments SET author_name = $2 WHERE author_id = $1`,
		`UPDATE notifications SET actor_name = $2 WHERE actor_id = $1`,
	} {
		if _, err := tx.Exec(s, id, name); err != nil {
			return fmt.Errorf("replace the name of %s in proposals: %w", id, err)
		}
	}
	for _, s := range []string{
		`DELETE FROM proposal_reviewers WHERE user_id = $1`,
		`DELETE FROM notifications WHERE user_id = $1`,
		`DELETE FROM notifications_read WHERE user_id = $1`,
		`DELETE FROM presence WHERE person_id = $1`,
	} {
		if _, err := tx.Exec(s, id); err != nil {
			return fmt.Errorf("remove what %s is told of proposals: %w", id, err)
		}
	}
	return replaceAuthors(tx, id, name)
}

// replaceAuthors is ReplaceName for the authors of changes.
func replaceAuthors(tx *sqldb.Tx, id octavo.ID, name string) error {
	type edited struct{ change, authors string }
	list, err := sqldb.Collect(tx.Context(), tx.Conn(), func(row sqldb.Scanner) (e edited, err error) {
		err = row.Scan(&e.change, &e.authors)
		return e, err
	}, `SELECT g.id, g.authors FROM proposal_changes g WHERE g.authors LIKE $1`, `%"`+string(id)+`"%`)
	if err != nil {
		return fmt.Errorf("find the changes of %s: %w", id, err)
	}
	for _, e := range list {
		var authors []octavo.Actor
		if err := json.Unmarshal([]byte(e.authors), &authors); err != nil {
			return fmt.Errorf("read the authors of change %s: %w", e.change, err)
		}
		for i := range authors {
			if authors[i].ID == string(id) {
				authors[i].Name = name
			}
		}
		text, err := json.Marshal(authors)
		if err != nil {
			return fmt.Errorf("store the authors of change %s: %w", e.change, err)
		}
		if _, err := tx.Exec(`UPDATE proposal_changes SET authors = $2 WHERE id = $1`, e.change, string(text)); err != nil {
			return fmt.Errorf("store the authors of change %s: %w", e.change, err)
		}
	}
	return nil
}
