package store

import "context"

func (db *sqliteDB) position() string { return "seq" }

// settle has nothing to order: SQLite commits in the order of seq.
func (db *sqliteDB) settle(ctx context.Context) (last int64, err error) {
	_, err = db.reader().row(ctx, []any{&last},
		`SELECT COALESCE((SELECT MAX(seq) FROM changes), removed) FROM change_retention`)
	return last, err
}

// listen hears nothing: other processes are noticed by looking.
func (db *sqliteDB) listen(ctx context.Context, _ func(int64)) error {
	<-ctx.Done()
	return nil
}
