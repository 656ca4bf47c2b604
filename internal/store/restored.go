package store

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
)

// How far [Store.Restored] goes on, which has to be more than was done between
// a copy of the database and its loss: in the change log, and with one page.
const (
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
	last, err := s.LastPosition(ctx)
	if err != nil {
		return err
	}
	err = s.write(ctx, Cause{}, func(tx *Tx) error { return skipLost(tx.ctx, s.db, tx.c, last+restoredPositions) })
	if err != nil {
		return err
	}
	for _, table := range []string{"pages", "assets"} {
		if err := s.renewVersions(ctx, table); err != nil {
			return fmt.Errorf("go on with other versions of %s: %w", table, err)
		}
	}
	return nil
}

// renewVersions raises the versions in a table, and in the changes that tell of
// them.
func (s *Store) renewVersions(ctx context.Context, table string) error {
	for after := octavo.ID(""); ; {
		ids, err := collect(ctx, s.read, column[octavo.ID], `SELECT id FROM `+table+` WHERE id > $1 ORDER BY id LIMIT $2`, after, restoredBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		err = s.write(ctx, Cause{}, func(tx *Tx) error {
			for _, of := range []string{table + ` SET version = version + $1 WHERE id`, `changes SET version = version + $1 WHERE subject`} {
				a := args{int64(restoredVersions)}
				if _, err := tx.exec(`UPDATE `+of+` IN `+list(&a, ids), a...); err != nil {
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
