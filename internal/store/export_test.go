package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"testing"
)

// LimitSQLite lets the database file grow by no more than a few pages of the
// file, as a full disk would, until restore is called.
func LimitSQLite(t *testing.T, s *Store, pages int) (restore func()) {
	t.Helper()
	set := func(limit string) {
		err := s.db.write(context.Background(), func(ctx context.Context, c conn) error {
			var have int
			_, err := c.row(ctx, []any{&have}, "PRAGMA max_page_count = "+limit)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var size int
	if _, err := s.read.row(context.Background(), []any{&size}, "PRAGMA page_count"); err != nil {
		t.Fatal(err)
	}
	set(fmt.Sprint(size + pages))
	return func() { set("1073741823") }
}

// FailAfterRollback has a statement of the connection that writes to SQLite
// fail once, when it comes after a transaction that was rolled back.
func FailAfterRollback(t *testing.T, s *Store, query string, failure error) {
	t.Helper()
	w := s.db.(*sqliteDB).writer
	err := w.do(context.Background(), func(context.Context, conn) error { // nobody else may touch it
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
func WritesWaiting(s *Store) int { return len(s.db.(*sqliteDB).writer.queue) }

// Analyze does at once what PostgreSQL does by itself after a minute or so:
// without figures about its tables it plans as if they were empty.
func Analyze(t testing.TB, s *Store) {
	t.Helper()
	if !s.Shared() {
		return
	}
	if _, err := s.read.exec(context.Background(), "ANALYZE"); err != nil {
		t.Fatal(err)
	}
}

// Execute runs a statement that the store has no method for.
func Execute(ctx context.Context, s *Store, statement string) error {
	return s.db.write(ctx, func(ctx context.Context, c conn) error {
		_, err := c.exec(ctx, statement)
		return err
	})
}

// SetFew makes n pages the most that are looked at one by one.
func SetFew(s *Store, n int) { s.few = n }

// SetMost makes so many bytes the most that is added to pages.
func SetMost(s *Store, bytes int) { s.most = bytes }

// ReadSlowly is a list that would take very long.
func ReadSlowly(ctx context.Context, s *Store) error {
	ctx, end, err := s.lists.enter(ctx)
	if err != nil {
		return err
	}
	defer end()
	_, err = s.read.row(ctx, []any{new(int64)},
		"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000) SELECT COUNT(*) FROM n")
	return err
}

// EventsFromDatabase is Events without what is kept in memory.
func EventsFromDatabase(ctx context.Context, s *Store, q EventQuery) ([]Change, int64, error) {
	plain := &Store{opts: s.opts, db: s.db, read: s.read, tail: s.tail}
	plain.startLooks()
	return plain.Events(ctx, q)
}

// Remembered returns behind which position changes are kept in memory, and up
// to which; ok is false when none are.
func Remembered(s *Store) (start, end int64, ok bool) {
	s.recent.mu.RLock()
	defer s.recent.mu.RUnlock()
	return s.recent.start, s.recent.end, s.recent.on
}

// CountStatements counts the readings of the change log from now on. Nobody may
// use the store meanwhile.
func CountStatements(s *Store) *atomic.Int64 {
	var n atomic.Int64
	s.db = &countingDB{s.db, &n}
	return &n
}

type countingDB struct {
	database
	n *atomic.Int64
}

func (db *countingDB) settle(ctx context.Context) (int64, error) {
	db.n.Add(1)
	return db.database.settle(ctx)
}

func (db *countingDB) logReader() conn {
	db.n.Add(1)
	return db.database.logReader()
}

// Setting returns what a setting of PostgreSQL is on a connection of each pool.
func Setting(t *testing.T, s *Store, name string) []string {
	t.Helper()
	db := s.db.(*postgresDB)
	have := make([]string, 2)
	for i, pool := range []*sql.DB{db.pool, db.log} {
		if err := pool.QueryRowContext(t.Context(), "SELECT current_setting($1)", name).Scan(&have[i]); err != nil {
			t.Fatal(err)
		}
	}
	return have
}

// Column returns what a query of one column finds.
func Column(ctx context.Context, s *Store, query string) ([]string, error) {
	return collect(ctx, s.read, column[string], query)
}
