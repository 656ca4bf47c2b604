package sqldb

import (
	"context"
	"database/sql"
	"testing"
)

// FailAfterRollback has a statement of the connection that writes to SQLite
// fail once, when it comes after a transaction that was rolled back.
func FailAfterRollback(t *testing.T, db *DB, query string, failure error) {
	t.Helper()
	w := db.driver.(*sqliteDB).writer
	err := w.do(context.Background(), func(context.Context, Conn) error { // nobody else may touch it
		w.changes.executor = &failing{executor: w.changes.executor, query: query, failure: failure}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// failing is an executor of which one statement fails once.
type failing struct {
	executor
	query   string
	armed   bool
	failure error // nil once it was told
}

// ExecContext implements executor.
func (f *failing) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := f.failure; f.armed && query == f.query && err != nil {
		f.failure = nil
		return nil, err
	}
	f.armed = f.armed || query == "ROLLBACK"
	return f.executor.ExecContext(ctx, query, args...)
}

// WritesWaiting is how many writes wait for the one that is running on SQLite.
func WritesWaiting(db *DB) int { return len(db.driver.(*sqliteDB).writer.queue) }
