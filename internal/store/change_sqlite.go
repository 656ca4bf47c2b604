package store

import "context"

func (db *sqliteDB) position() string { return "seq" }

// settle has nothing to order: SQLite commits in the order of seq. What was
// passed over has an end too, though no change lies there.
func (db *sqliteDB) settle(ctx context.Context) (end int64, err error) {
	return db.lastPosition(ctx, db.reader())
}

func (db *sqliteDB) lastPosition(ctx context.Context, c conn) (last int64, err error) {
	_, err = c.row(ctx, []any{&last},
		`SELECT MAX(removed, COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)) FROM change_retention`)
	return last, err
}

// lockPositions: one transaction writes at a time.
func (db *sqliteDB) lockPositions(context.Context, conn) error { return nil }

// passOver sets what AUTOINCREMENT goes on from, which has no row before the
// first change.
func (db *sqliteDB) passOver(ctx context.Context, c conn, to int64) error {
	n, err := c.exec(ctx, `UPDATE sqlite_sequence SET seq = MAX(seq, $1) WHERE name = 'changes'`, to)
	if err == nil && n == 0 {
		_, err = c.exec(ctx, `INSERT INTO sqlite_sequence (name, seq) VALUES ('changes', $1)`, to)
	}
	return err
}

// listen hears nothing: other processes are noticed by looking.
func (db *sqliteDB) listen(ctx context.Context, _ func(int64)) error {
	<-ctx.Done()
	return nil
}
