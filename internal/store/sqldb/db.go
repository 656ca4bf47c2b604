// Package sqldb runs the statements of Octavo on SQLite or PostgreSQL: it opens the
// database, brings its schema up to date, reads, and writes in transactions. What
// the two databases need different stands in files that end in _sqlite.go and
// _postgres.go.
//
// It owns what every table needs: connections, the writer that shares commits,
// migrations, locks, Idempotency-Keys, settings, the audit log's rows, and the
// counters that tell whether a page has changed. It knows no noun beyond that: the
// statements about pages, assets, exports, webhooks and accounts are in the
// packages that own them.
//
// Begin with [DB.Write], then [Conn]; the writer is in writer_sqlite.go.
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

// Options are what a database is opened with.
type Options struct {
	Now    func() time.Time
	IDs    *octavo.IDSource
	Logger *slog.Logger    // of what goes wrong in the background; nil drops it
	Trace  *tracing.Tracer // nil records no traces

	// Connections bounds the pool: those that read on SQLite, which has one
	// more to write, and on PostgreSQL all but three for the change log. 0
	// chooses by the machine.
	Connections int

	// Throwaway is for a database that ends with what it was made for: on SQLite
	// nothing waits until it is on disk, and little is kept in memory.
	Throwaway bool

	// NoMigrate makes opening fail where the schema is not the one that this
	// program knows, in place of bringing it up to date.
	NoMigrate bool

	// Serving is for a process that keeps files, so that others know of it: see
	// [DB.Alone].
	Serving bool

	// Committed, if non-nil, is called after each commit with how many writes
	// shared it, and how long it took until they were on disk. It must not block.
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
	// logReader is a reader that is not held up by many who write.
	logReader() Conn
	// write runs fn in a transaction of its own effects: all are kept and on
	// disk when write returns nil, else none. It may run fn more than once.
	// fn's context does not end with ctx.
	write(ctx context.Context, fn func(context.Context, Conn) error) error

	migrate(ctx context.Context) (schemaVersion, error)
	schema(ctx context.Context) (schemaVersion, error)
	shared() bool
	ping(ctx context.Context) error
	close() error

	// stamps are those of what is stored.
	stamps() *Stamps
	// pools tells of the connections, first of those that read.
	pools() []Pool
	measures() *meter

	lock(ctx context.Context, c Conn, l Lock, shared bool) error
	// tryLockName reports false when another transaction holds the name.
	tryLockName(ctx context.Context, c Conn, name string) (free bool, err error)
	lockRow(ctx context.Context, c Conn, table, id string) error
	skipLocked() string
	alone(ctx context.Context) (release func(), err error)

	// listen calls heard with the text of each notification on the channel, and
	// with "" when one may have been missed, until ctx ends or it cannot go on.
	listen(ctx context.Context, channel string, heard func(text string)) error

	// fatal reports whether err ended the whole transaction it happened in.
	fatal(err error) bool
	// damage describes what the database itself finds wrong with its files.
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

// Close ends what runs in the background, waits for it and for running writes, and
// closes the database. Nothing may use it afterwards.
func (db *DB) Close() error {
	db.life.end()
	return db.driver.close()
}

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error { return db.driver.ping(ctx) }

// Shared reports whether other processes are expected to use the database at
// the same time, as they are on PostgreSQL.
func (db *DB) Shared() bool { return db.driver.shared() }

// Read runs statements that read, each for up to [ReadTimeout].
func (db *DB) Read() Conn { return db.read }

// LogReader runs statements that read the change log. It is not held up by many
// who write.
func (db *DB) LogReader() Conn { return db.driver.logReader() }

// slowTime is how long a statement may take that may read a whole table.
const slowTime = time.Minute

// Slow runs statements that may read a whole table.
func (db *DB) Slow() Conn { return db.read.Within(slowTime) }

// Now reads the clock as it is stored.
func (db *DB) Now() time.Time { return Moment(db.opts.Now().UnixMilli()) }

// Logger is told what goes wrong in the background.
func (db *DB) Logger() *slog.Logger { return db.opts.Logger }

// Stamps tell whether pages have changed.
func (db *DB) Stamps() *Stamps { return db.stamps }

// Life is how long the database is open.
func (db *DB) Life() *Life { return db.life }

// OnChange has f called after each commit of a transaction that recorded a change.
// It is set once, before anything is written; f must not block.
func (db *DB) OnChange(f func()) { db.onChange = f }

// Listen calls heard with the text of each notification on the channel, and with
// "" when one may have been missed, until ctx ends or it cannot go on. SQLite has
// none: nothing is heard there.
func (db *DB) Listen(ctx context.Context, channel string, heard func(text string)) error {
	return db.driver.listen(ctx, channel, heard)
}

// Pools tells of the connections.
func (db *DB) Pools() []Pool { return db.driver.pools() }

// Errors counts the statements that failed, but for conflicts and those given up.
func (db *DB) Errors() int64 { return db.driver.measures().errors.Load() }

// Damage describes what the database itself finds wrong with its files.
func (db *DB) Damage(ctx context.Context) ([]string, error) { return db.driver.damage(ctx) }

// ErrCopiedElsewhere says that a database is copied by tools of its own.
var ErrCopiedElsewhere = errors.New("a PostgreSQL database is copied by its own tools")

// CopyTo writes the database as it is at one moment into a new file, with
// access for its owner alone, and flushes it. What is being written meanwhile
// goes on and is no part of the copy, nor is what was deleted before. On
// PostgreSQL the error is [ErrCopiedElsewhere].
func (db *DB) CopyTo(ctx context.Context, path string) error {
	if err := db.driver.copyTo(ctx, path); err != nil {
		return fmt.Errorf("copy the database to %s: %w", path, err)
	}
	return nil
}
