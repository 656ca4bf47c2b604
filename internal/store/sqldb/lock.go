package sqldb

import (
	"context"
	"hash/fnv"
)

// Lock is an advisory lock of the store. On SQLite, where one transaction
// writes at a time, it does nothing.
type Lock int32

// The locks. All processes on a database use the same numbers.
const (
	TreeLock     Lock = 1 // changing parents, deleting or restoring pages
	PositionLock Lock = 2 // giving changes their positions
	QueueLock    Lock = 3 // exclusive: adding deliveries; shared: ending them
	ExportLock   Lock = 4 // claiming exports
	ServingLock  Lock = 5 // shared: processes that store files; exclusive: working alone
	FilesLock    Lock = 6 // shared: adding files; exclusive: changing their location
	PeopleLock   Lock = 7 // removing access of people, so that one administrator remains
	PendingLock  Lock = 8 // adding pending files, whose total per person is limited
	ImportLock   Lock = 9 // claiming imports
)

// LockSpace is the first number of every lock of the store on PostgreSQL, so
// that it cannot collide with locks of other programs in the same database.
const LockSpace = 0x0c7a

// Lock waits for the lock and holds it until the transaction ends.
func (tx *Tx) Lock(l Lock) error { return tx.db.driver.lock(tx.ctx, tx.c, l, false) }

// LockShared is Lock, but shared with other LockShared calls.
func (tx *Tx) LockShared(l Lock) error { return tx.db.driver.lock(tx.ctx, tx.c, l, true) }

// LockRow keeps other transactions from changing a row until this one ends.
// Later reads see what they committed before.
func (tx *Tx) LockRow(table, id string) error { return tx.db.driver.lockRow(tx.ctx, tx.c, table, id) }

// SkipLocked ends a SELECT that locks the rows it finds until the
// transaction ends, and skips rows that are locked already.
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

// lockRow locks the row by a separate statement: one that also reads would
// return the state from before it waited.
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
