package store

import (
	"context"
	"fmt"
)

// How far [Store.Restored] goes on, which has to be more than was done between
// a copy of the database and its loss: in the change log, and with one page.
const (
	restoredPositions = 1 << 32
	restoredVersions  = 1 << 24
)

// Restored is for a database that was brought back from a copy, before anything
// is served from it. What was given out after the copy was made is lost, and
// must not be given out for something else: whoever has read the feed further
// than the copy goes would be told of nothing until that place is reached again,
// and an entity tag would name another content. Positions of changes and
// versions of pages and assets therefore go on far behind where they are.
func (s *Store) Restored(ctx context.Context) error {
	last, err := s.LastPosition(ctx)
	if err != nil {
		return err
	}
	return s.write(ctx, Cause{}, func(tx *Tx) error {
		for _, table := range []string{"pages", "assets", "changes"} {
			if _, err := tx.exec(`UPDATE `+table+` SET version = version + $1`, int64(restoredVersions)); err != nil {
				return fmt.Errorf("go on with other versions of %s: %w", table, err)
			}
		}
		return skipLost(tx.ctx, s.db, tx.c, last, last+restoredPositions)
	})
}
