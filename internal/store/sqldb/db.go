// Package sqldb runs the statements of Octavo on SQLite or PostgreSQL. It opens the
// database, migrates its schema, reads, and writes in transactions. Code for only one
// of the databases is in files that end in _sqlite.go and _postgres.go.
//
// It owns what every table needs: connections, the writer that shares
// commits, migrations, locks, leases, Idempotency-Keys, settings, the rows
// of the audit log, and the stamps that show whether a page has changed. It
// knows no other noun: the statements about pages, assets, exports, webhooks
// and accounts are in their own packages.
//
// Start with [DB.Write] and [Conn]; the SQLite writer is in writer_sqlite.go.
package sqldb

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// Options configure a database.
type Options struct {
	Now    func() time.Time
	IDs    *octavo.IDSource
	Logger *slog.Logger    // for errors in the background; nil discards them
	Trace  *tracing.Tracer // nil records no traces

	// Connections limits the pool. On SQLite it counts readers; there is one
	// more to write. On PostgreSQL it counts all but three for the change
	// log. 0 chooses by the machine.
	Connections int

	// Throwaway is for a database that is not needed afterwards. On SQLite
	// writes do not wait for the disk, and the cache is small.
	Throwaway bool

	// NoMigrate makes opening fail if the schema is not the one that this
	// program knows, instead of migrating it.
	NoMigrate bool

	// Serving is for a process that stores files, so that others can detect
	// it: see [DB.Alone].
	Serving bool

	// Committed, if non-nil, is called after each commit with the number of writes that
	// shared it, and the time until they were on disk. It must not block.
	Committed func(writes int, took time.Duration)
}

// DB is an open database. It is safe for concurrent use. [OpenSQLite] and
// [OpenPostgres] make one; Close ends it.
type DB struct {
	opts     Options
	driver   driver
	read     Conn
	lists    gate
	claims   claims
	stamps   *Stamps
	life     *Life
	onChange func() // see OnChange
}

// driver is what differs between SQLite and PostgreSQL.
type driver interface {
	// reader runs single statements outside of transactions, each for up to
	// ReadTimeout.
	reader() Conn
	// logReader is a reader that many concurrent writers do not delay.
	logReader() Conn
	// write runs fn in a transaction. When write returns nil, all effects
	// are on disk; otherwise there are none. It may run fn more than once.
	// fn's context does not end with ctx.
	write(ctx context.Context, fn func(context.Context, Conn) error) error

	migrate(ctx context.Context) (schemaVersion, error)
	schema(ctx context.Context) (schemaVersion, error)
	shared() bool
	ping(ctx context.Context) error
	close() error

	// stamps returns the stamps of the stored pages.
	stamps() *Stamps
	// pools describes the connections, readers first.
	pools() []Pool
	measures() *meter

	lock(ctx context.Context, c Conn, l Lock, shared bool) error
	// tryLockName returns false if another transaction holds the name.
	tryLockName(ctx context.Context, c Conn, name string) (free bool, err error)
	lockRow(ctx context.Context, c Conn, table, id string) error
	skipLocked() string
	alone(ctx context.Context) (release func(), err error)

	// listen calls heard with the text of each notification on the channel, and with ""
	// if one may have been missed. It returns when ctx ends or it cannot continue.
	listen(ctx context.Context, channel string, heard func(text string)) error

	// fatal reports whether err ended the whole transaction it happened in.
	fatal(err error) bool
	// damage returns what the database itself reports as wrong with its files.
	damage(ctx context.Context) ([]string, error)
	// copyTo writes the database into a new file, or returns ErrCopiedElsewhere.
	copyTo(ctx context.Context, path string) error
}

func newDB(ctx context.Context, o Options, d driver) (*DB, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	db := &DB{
		opts: o, driver: d, read: d.reader(),
		lists:  make(gate, max(1, d.pools()[0].MaxOpenConnections/2)),
		claims: claims{running: map[[2]string]bool{}},
		life:   newLife(),
	}
	db.stamps = d.stamps()
	db.stamps.start(db.read, db.life)
	if err := db.prepare(ctx); err != nil {
		d.close() //nolint:errcheck // the first error is the one to tell
		return nil, err
	}
	return db, nil
}

// Close stops the background work, waits for it and for running writes, and
// closes the database. It must not be used afterwards.
func (db *DB) Close() error {
	db.life.end()
	return db.driver.close()
}

// Ping checks that the database responds.
func (db *DB) Ping(ctx context.Context) error { return db.driver.ping(ctx) }

// Shared reports whether other processes may use the database at the same
// time, as on PostgreSQL.
func (db *DB) Shared() bool { return db.driver.shared() }

// Read returns a connection for reads, each for up to [ReadTimeout].
func (db *DB) Read() Conn { return db.read }

// LogReader returns a connection for reading the change log. Many concurrent
// writers do not delay it.
func (db *DB) LogReader() Conn { return db.driver.logReader() }

// slowTime limits a statement that may scan a whole table.
const slowTime = time.Minute

// Slow returns a connection for statements that may scan a whole table.
func (db *DB) Slow() Conn { return db.read.Within(slowTime) }

// Now returns the time in stored precision.
func (db *DB) Now() time.Time { return Moment(db.opts.Now().UnixMilli()) }

// Logger receives errors in the background.
func (db *DB) Logger() *slog.Logger { return db.opts.Logger }

// Stamps show whether pages have changed.
func (db *DB) Stamps() *Stamps { return db.stamps }

// Life is the lifetime of the open database.
func (db *DB) Life() *Life { return db.life }

// OnChange makes f run after each commit of a transaction that recorded a
// change. Set it once, before anything is written. f must not block.
func (db *DB) OnChange(f func()) { db.onChange = f }

// Listen calls heard with the text of each notification on the channel, and
// with "" if one may have been missed. It returns when ctx ends or it cannot
// continue. SQLite has no notifications.
func (db *DB) Listen(ctx context.Context, channel string, heard func(text string)) error {
	return db.driver.listen(ctx, channel, heard)
}

// Pools describes the connections.
func (db *DB) Pools() []Pool { return db.driver.pools() }

// Errors counts failed statements, except conflicts and cancelled ones.
func (db *DB) Errors() int64 { return db.driver.measures().errors.Load() }

// Damage returns what the database itself reports as wrong with its files.
func (db *DB) Damage(ctx context.Context) ([]string, error) { return db.driver.damage(ctx) }

// ErrCopiedElsewhere is returned for a database that has its own tools for copying.
var ErrCopiedElsewhere = errors.New("a PostgreSQL database is copied by its own tools")

// CopyTo writes a consistent copy of the database into a new file, which only its owner
// can access, and flushes it. Concurrent writes continue and are not in the copy.
// Neither is deleted data. On PostgreSQL the error is [ErrCopiedElsewhere].
func (db *DB) CopyTo(ctx context.Context, path string) error {
	if err := db.driver.copyTo(ctx, path); err != nil {
		return fmt.Errorf("copy the database to %s: %w", path, err)
	}
	return nil
}
