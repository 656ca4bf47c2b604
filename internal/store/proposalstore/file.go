package proposalstore

import (
	"fmt"
	"maps"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// nameFiles records which pending files of its authors the texts of a change
// name (decision 70). It first marks them as used, which waits for
// transactions that remove one of them.
func nameFiles(tx *sqldb.Tx, c octavo.PageChange) error {
	named := map[string]bool{}
	if c.Content != nil {
		octavo.NamedAssets(*c.Content, named)
	}
	if c.Frontmatter != nil {
		octavo.NamedAssets(string(*c.Frontmatter), named)
	}
	var authors []string
	for _, a := range c.Authors {
		authors = append(authors, a.ID)
	}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(named)), 100) {
		a := sqldb.Args{tx.Now().UnixMilli()}
		which := `(id IN ` + sqldb.List(&a, some) + ` OR key IN ` + sqldb.List(&a, some) + `) AND uploader_id IN ` + sqldb.List(&a, authors)
		found, err := tx.Exec(`UPDATE pending_assets SET used_at = $1 WHERE `+which, a...)
		if err == nil && found > 0 {
			a[0] = c.ID
			_, err = tx.Exec(`INSERT INTO proposal_files (change_id, asset_id)
				SELECT $1, id FROM pending_assets WHERE `+which+` ON CONFLICT DO NOTHING`, a...)
		}
		if err != nil {
			return fmt.Errorf("note the files of change %s: %w", c.ID, err)
		}
	}
	return nil
}

// forgetFiles removes the records of changes, or of those of proposals:
// column is g.id or g.proposal_id.
func forgetFiles(tx *sqldb.Tx, column string, id octavo.ID) error {
	_, err := tx.Exec(`UPDATE pending_assets SET used_at = $2
		WHERE id IN (SELECT f.asset_id FROM proposal_files f JOIN proposal_changes g ON g.id = f.change_id WHERE `+column+` = $1)`, id, tx.Now().UnixMilli())
	if err == nil {
		_, err = tx.Exec(`DELETE FROM proposal_files WHERE change_id IN (SELECT g.id FROM proposal_changes g WHERE `+column+` = $1)`, id)
	}
	if err != nil {
		return fmt.Errorf("forget the files that %s names: %w", id, err)
	}
	return nil
}
