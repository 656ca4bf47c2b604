package sqldb

import (
	"context"
	"hash/fnv"
)

// Lock is one of the advisory locks of the store. On SQLite, where one
// transaction writes at a time, they do nothing.
type Lock int32

// The locks. Their numbers are known to all processes on a database.
const (
	TreeLock     Lock = 1 // of those that change parents, delete or restore pages
	PositionLock Lock = 2 // of those that give changes their positions
	QueueLock    Lock = 3 // of those that add deliveries and, shared, those that end them
	ExportLock   Lock = 4 // of those that claim exports
	ServingLock  Lock = 5 // shared, of processes that keep files; else of one that works alone
	FilesLock    Lock = 6 // shared, of those that add files; else of those that change where files are
	PeopleLock   Lock = 7 // of those that take access from people, so that an administrator is left
	PendingLock  Lock = 8 // of those that add pending files, of which a person has so much at most
	ImportLock   Lock = 9 // of those that claim imports
)

// LockSpace is the first number of every lock of the store on PostgreSQL, so that
// they cannot meet those of others in the same database.
const LockSpace = 0x0c7a

// Lock waits until no other transaction has the lock, and keeps it until this one
// ends.
func (tx *Tx) Lock(l Lock) error { return tx.db.driver.lock(tx.ctx, tx.c, l, false) }

// LockShared is Lock together with others that share it.
func (tx *Tx) LockShared(l Lock) error { return tx.db.driver.lock(tx.ctx, tx.c, l, true) }

// LockRow keeps other transactions from changing a row of a table until this one
// ends. What is read afterwards is read as they left it.
func (tx *Tx) LockRow(table, id string) error { return tx.db.driver.lockRow(tx.ctx, tx.c, table, id) }

// SkipLocked ends a SELECT that locks the rows it finds until the transaction
// ends, and passes over those that somebody else has locked.
func (db *DB) SkipLocked() string { return db.driver.skipLocked() }

// The write lock of SQLite covers the whole database, so nothing else needs one.
func (db *sqliteDB) lock(context.Context, Conn, Lock, bool) error            { return nil }
func (db *sqliteDB) tryLockName(context.Context, Conn, string) (bool, error) { return true, nil }
func (db *sqliteDB) lockRow(context.Context, Conn, string, string) error     { return nil }
func (db *sqliteDB) skipLocked() string                                      { return "" }

func (db *postgresDB) lock(ctx context.Context, c Conn, l Lock, shared bool) error {
	text := `SELECT pg_advisory_xact_lock($1, $2)`
	if shared {
		text = `SELECT pg_advisory_xact_lock_shared($1, $2)`
	}
	_, err := c.Exec(ctx, text, LockSpace, l)
	return err
}

// lockRow takes the row's lock by a statement of its own: one that also reads
// would read what it saw before it waited.
func (db *postgresDB) lockRow(ctx context.Context, c Conn, table, id string) error {
	_, err := c.Exec(ctx, `SELECT FROM `+table+` WHERE id = $1 FOR NO KEY UPDATE`, id)
	return err
}

func (db *postgresDB) tryLockName(ctx context.Context, c Conn, name string) (free bool, err error) {
	h := fnv.New64a()
	h.Write([]byte(name)) //nolint:errcheck // never fails
	_, err = c.Row(ctx, []any{&free}, `SELECT pg_try_advisory_xact_lock($1)`, int64(h.Sum64()))
	return free, err
}

func (db *postgresDB) skipLocked() string { return " FOR UPDATE SKIP LOCKED" }
