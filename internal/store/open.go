package store

import (
	"context"
)

// Store is the whole lasting state of an installation but for the bytes of
// assets. It is safe for concurrent use. [OpenSQLite] and [OpenPostgres] make
// one; Close ends it.
type Store struct {
	opts   Options
	db     database
	read   conn
	claims claims
}

// database is what differs between SQLite and PostgreSQL.
type database interface {
	// reader runs single statements outside of transactions.
	reader() conn
	// write runs fn in a transaction of its own effects: all are kept and on
	// disk when write returns nil, else none. It may run fn more than once.
	// fn's context does not end with ctx.
	write(ctx context.Context, fn func(context.Context, conn) error) error
	migrate(ctx context.Context) error
	schema(ctx context.Context) (have, known int64, err error)
	shared() bool
	ping(ctx context.Context) error
	close() error

	// lockPage keeps other transactions from changing the page until this one
	// ends, lockTree those that change parents, delete or restore.
	lockPage(ctx context.Context, c conn, id string) error
	lockTree(ctx context.Context, c conn) error
	// lockName reports false when another transaction holds the name.
	lockName(ctx context.Context, c conn, name string) (bool, error)
	// position names the column that orders changes for followers, settle
	// gives every committed change its place there.
	position() string
	settle(ctx context.Context) error
	// fatal reports whether err ended the whole transaction it happened in.
	fatal(err error) bool
	// damage describes what the database itself finds wrong with its files.
	damage(ctx context.Context) ([]string, error)
}

func newStore(ctx context.Context, o Options, db database) (*Store, error) {
	s := &Store{opts: o, db: db, read: db.reader(), claims: claims{running: map[[2]string]bool{}}}
	if s.opts.Derive == nil {
		s.opts.Derive = func(Source) Derived { return Derived{} }
	}
	if err := s.Migrate(ctx); err != nil {
		db.close() //nolint:errcheck // the first error is the one to tell
		return nil, err
	}
	return s, nil
}

// Close waits for running writes and closes the database. Nothing may use the
// store afterwards.
func (s *Store) Close() error { return s.db.close() }

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.db.ping(ctx) }

// Shared reports whether other processes are expected to use the database at
// the same time, as they are on PostgreSQL.
func (s *Store) Shared() bool { return s.db.shared() }
