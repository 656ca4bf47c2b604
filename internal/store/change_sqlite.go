package store

import "context"

func (db *sqliteDB) position() string { return "seq" }

// settle has nothing to order: SQLite commits in the order of seq.
func (db *sqliteDB) settle(ctx context.Context) (end logEnd, err error) {
	_, err = db.reader().row(ctx, []any{&end.position},
		`SELECT COALESCE((SELECT MAX(seq) FROM changes), removed) FROM change_retention`)
	return end, err
}

// era is always the same: nobody takes over from a file.
func (db *sqliteDB) era(context.Context) (int64, error) { return 0, nil }

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
