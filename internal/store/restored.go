package store

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// How far [Store.Restored] advances, which must exceed everything used between a copy
// of the database and its loss. It advances to the number of the moment, with
// restoredRate for each millisecond since 1970, more than a store ever uses. So two
// databases from one copy use different numbers too. If the log or a page is further,
// for example after a wrong clock, it advances by a fixed amount.
const (
	restoredRate      = 64
	restoredPositions = 1 << 32
	restoredVersions  = 1 << 24
)

// restoredBatch is how many pages or assets one transaction changes.
const restoredBatch = 500

// Restored prepares a database that was restored from a copy, before it is served.
// Positions and versions that were used after the copy must not be used again. A reader
// of the feed beyond the copy would get nothing until that position is reached again,
// and an entity tag would name different content. So positions of changes and versions
// of pages and assets advance far beyond the present ones.
//
// It works in many small transactions. If it is interrupted, call it again;
// repeating a part does no harm.
func (s *Store) Restored(ctx context.Context) error {
	last, err := s.Log.Last(ctx)
	if err != nil {
		return err
	}
	now := s.DB.Now().UnixMilli() * restoredRate
	to := now
	if to <= last {
		to = last + restoredPositions
	}
	err = s.DB.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error { return s.Log.PassOver(tx, to) })
	if err != nil {
		return err
	}
	for _, table := range []string{"pages", "assets"} {
		if err := s.renewVersions(ctx, table, now); err != nil {
			return fmt.Errorf("go on with other versions of %s: %w", table, err)
		}
	}
	return nil
}

// renewVersions raises the versions in a table, and in its changes, to now,
// or beyond their present value.
func (s *Store) renewVersions(ctx context.Context, table string, now int64) error {
	const raise = `CASE WHEN %[1]s.version < $1 THEN $1 - %[1]s.version ELSE $2 END`
	by := fmt.Sprintf(raise, table)
	for after := octavo.ID(""); ; {
		ids, err := sqldb.Collect(ctx, s.DB.Read(), sqldb.Column[octavo.ID], `SELECT id FROM `+table+` WHERE id > $1 ORDER BY id LIMIT $2`, after, restoredBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		err = s.DB.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
			for _, statement := range []string{ // the changes first, by the old versions of the rows
				`UPDATE changes SET version = version + (SELECT ` + by + ` FROM ` + table + ` WHERE ` + table + `.id = changes.subject) WHERE subject IN `,
				`UPDATE ` + table + ` SET version = version + ` + by + ` WHERE id IN `,
			} {
				a := sqldb.Args{now, int64(restoredVersions)}
				if _, err := tx.Exec(statement+sqldb.List(&a, ids), a...); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		after = ids[len(ids)-1]
	}
}
