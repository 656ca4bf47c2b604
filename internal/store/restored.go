package store

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// How far [Store.Restored] goes on, which has to be more than was given out
// between a copy of the database and its loss: to the number of the moment, which
// has restoredRate for each millisecond since 1970, more than a store ever gives
// out. So two that were made of one copy give out different ones too. Where the
// log or a page is further, as by a clock that is wrong, it goes that much on.
const (
	restoredRate      = 64
	restoredPositions = 1 << 32
	restoredVersions  = 1 << 24
)

// restoredBatch is how many pages or assets a transaction of it takes.
const restoredBatch = 500

// Restored is for a database that was brought back from a copy, before anything
// is served from it. What was given out after the copy was made is lost, and
// must not be given out for something else: whoever has read the feed further
// than the copy goes would be told of nothing until that place is reached again,
// and an entity tag would name another content. Positions of changes and
// versions of pages and assets therefore go on far behind where they are.
//
// It works in many small transactions. When it is interrupted it is to be called
// again; what goes on twice does no harm.
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

// renewVersions raises the versions in a table, and in the changes that tell of
// them, to now, or beyond where they are.
func (s *Store) renewVersions(ctx context.Context, table string, now int64) error {
	const raise = `CASE WHEN %[1]s.version < $1 THEN $1 - %[1]s.version ELSE $2 END`
	by := fmt.Sprintf(raise, table)
	for after := octavo.ID(""); ; {
		ids, err := sqldb.Collect(ctx, s.DB.Read(), sqldb.Column[octavo.ID], `SELECT id FROM `+table+` WHERE id > $1 ORDER BY id LIMIT $2`, after, restoredBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		err = s.DB.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
			for _, statement := range []string{ // the changes first, by what the rows still have
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
