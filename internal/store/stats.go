package store

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Stats are counts of the stored data.
type Stats struct {
	Pages     map[octavo.PageStatus]int64 // without deleted ones
	Deleted   int64                       // pages that can still be restored
	Revisions int64
	Slugs     int64
	Links     int64
	Changes   int64
	Keys      int64
	Assets    int64
	Blobs     int64
}

// Stats counts the stored data. It reads whole tables.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	st := Stats{Pages: map[octavo.PageStatus]int64{octavo.Draft: 0, octavo.Published: 0, octavo.Archived: 0}}
	read := s.DB.Read().Within(0)
	err := read.Query(ctx, func(row sqldb.Scanner) error {
		var status octavo.PageStatus
		var n int64
		if err := row.Scan(&status, &n); err != nil {
			return err
		}
		st.Pages[status] = n
		return nil
	}, `SELECT p.status, COUNT(*) FROM pages p WHERE p.deleted_at IS NULL GROUP BY p.status`)
	if err != nil {
		return Stats{}, fmt.Errorf("count pages: %w", err)
	}
	_, err = read.Row(ctx, []any{&st.Deleted, &st.Revisions, &st.Slugs, &st.Links, &st.Changes, &st.Keys, &st.Assets, &st.Blobs}, `SELECT
		(SELECT COUNT(*) FROM pages p WHERE p.deleted_at IS NOT NULL), (SELECT COUNT(*) FROM revisions),
		(SELECT COUNT(*) FROM slugs), (SELECT COUNT(*) FROM (SELECT DISTINCT page_id, link FROM page_links) l),
		(SELECT COUNT(*) FROM changes), (SELECT COUNT(*) FROM api_keys),
		(SELECT COUNT(*) FROM assets), (SELECT COUNT(*) FROM blobs)`)
	if err != nil {
		return Stats{}, fmt.Errorf("count rows: %w", err)
	}
	return st, nil
}
