package pagestore

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// SlugsOf returns the slugs of a page, current and former.
func SlugsOf(ctx context.Context, c sqldb.Conn, id octavo.ID) ([]string, error) {
	slugs, err := sqldb.Collect(ctx, c, sqldb.Column[string], `SELECT slug FROM slugs WHERE page_id = $1 AND state <> 'released' ORDER BY slug`, id)
	if err != nil {
		return nil, fmt.Errorf("read the slugs of page %s: %w", id, err)
	}
	return slugs, nil
}
