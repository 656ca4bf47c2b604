package changelog

import (
	"context"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func (db sqliteLog) position() string { return "seq" }

// settle has nothing to order: SQLite commits in the order of seq. Skipped
// positions have an end too, though no change is there.
func (db sqliteLog) settle(ctx context.Context) (end int64, err error) {
	return db.lastPosition(ctx, db.Read())
}

func (db sqliteLog) lastPosition(ctx context.Context, c sqldb.Conn) (last int64, err error) {
	_, err = c.Row(ctx, []any{&last},
		`SELECT MAX(removed, COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)) FROM change_retention`)
	return last, err
}

// passOver sets where AUTOINCREMENT continues. It has no row before the first change.
func (db sqliteLog) passOver(tx *sqldb.Tx, to int64) error {
	n, err := tx.Exec(`UPDATE sqlite_sequence SET seq = MAX(seq, $1) WHERE name = 'changes'`, to)
	if err == nil && n == 0 {
		_, err = tx.Exec(`INSERT INTO sqlite_sequence (name, seq) VALUES ('changes', $1)`, to)
	}
	return err
}

// listen receives nothing: changes of other processes are found by polling.
func (db sqliteLog) listen(ctx context.Context, _ func(int64)) error {
	return db.Listen(ctx, "", nil)
}
