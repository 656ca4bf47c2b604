package sqldb

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/octavo-docs/octavo"
)

// Limits on PostgreSQL: for a transaction, and for the connections that read
// the change log.
const (
	pgAttempts = 10               // runs of one transaction that lost against others
	pgTimeout  = 60 * time.Second // for all of it, including waiting for locks

	pgLogConnections = 2
)

// postgresDB stores everything in a database that other processes use too.
type postgresDB struct {
	config *pgx.ConnConfig
	pool   *sql.DB
	log    *sql.DB // orders and reads changes; it would fall behind in the queue of many writers
	meter  *meter

	translate func(error) error // translatePostgres, counted
}

// OpenPostgres opens the database at url, a PostgreSQL connection string,
// and brings its schema up to date.
func OpenPostgres(ctx context.Context, url string, o Options) (*DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read the database URL: %w", err) // pgx leaves the password out
	}
	pool := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(prepare))
	size := o.Connections
	if size <= 0 {
		size = max(16, 4*runtime.GOMAXPROCS(0))
	}
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	log := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(prepare))
	log.SetMaxOpenConns(pgLogConnections)
	log.SetMaxIdleConns(pgLogConnections)
	db := &postgresDB{config: config, pool: pool, log: log, meter: newMeter(o)}
	db.translate = db.meter.counting(translatePostgres)
	if err := db.ping(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open the database at %s: %w", config.Host, err), db.close())
	}
	if !o.Serving {
		return newDB(ctx, o, db)
	}
	link, err := db.join(ctx) // before the schema is changed
	if err != nil {
		return nil, errors.Join(err, db.close())
	}
	opened, err := newDB(ctx, o, db)
	if err == nil {
		err = opened.life.Go(func() { db.stay(opened.life.Context(), link, opened.Logger()) })
	}
	if err != nil {
		leave(ctx, link)
	}
	return opened, err
}

// prepare sets up a connection. It uses statements and not connection
// parameters, which a pooler would refuse.
//
// Each statement must see what was committed before it, whatever the default of the
// role or the database: a statement that waited for a lock then reads the latest state.
//
// PostgreSQL interprets the statements (no JIT), unless the address, the
// role or the database says otherwise. By default it compiles statements
// that it considers expensive. Reading the links of 500 pages then took
// seconds instead of a tenth of a second.
func prepare(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, `SELECT set_config('default_transaction_isolation', 'read committed', false)
		UNION ALL SELECT set_config('jit', 'off', false) FROM pg_settings WHERE name = 'jit' AND source IN ('default', 'configuration file')`)
	return err
}

func (db *postgresDB) reader() Conn { return Conn{db.pool, db.translate, ReadTimeout} }

func (db *postgresDB) logReader() Conn { return Conn{db.log, db.translate, LookTimeout} }

// stamps count nothing, since other processes write too.
func (db *postgresDB) stamps() *Stamps { return &Stamps{} }

func (db *postgresDB) shared() bool { return true }

func (db *postgresDB) measures() *meter { return db.meter }

func (db *postgresDB) pools() []Pool {
	return []Pool{{"main", db.pool.Stats()}, {"log", db.log.Stats()}}
}

func (db *postgresDB) ping(ctx context.Context) error {
	return translatePostgres(db.pool.PingContext(ctx))
}

func (db *postgresDB) close() error { return errors.Join(db.log.Close(), db.pool.Close()) }

// write runs fn again if PostgreSQL ended its transaction in favour of another one.
func (db *postgresDB) write(ctx context.Context, fn func(context.Context, Conn) error) error {
	for attempt := 1; ; attempt++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := db.once(ctx, fn)
		if !lost(err) {
			return err
		}
		if attempt == pgAttempts {
			return &octavo.Error{Type: octavo.Unavailable, Detail: "Too many changes of the same pages at once.", RetryAfter: time.Second, Err: err}
		}
		Pause(ctx, time.Duration(attempt)*5*time.Millisecond)
	}
}

func (db *postgresDB) once(ctx context.Context, fn func(context.Context, Conn) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pgTimeout)
	defer cancel()
	tx, err := db.pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return fmt.Errorf("begin: %w", db.translate(err))
	}
	if err := Guard(func() error { return fn(ctx, Conn{tx, db.translate, 0}) }); err != nil {
		if undo := tx.Rollback(); undo != nil {
			return errors.Join(err, fmt.Errorf("roll back: %w", undo))
		}
		return err
	}
	if err := db.meter.commit(1, tx.Commit); err != nil {
		return fmt.Errorf("commit: %w", db.translate(err))
	}
	return nil
}

// lost reports whether the transaction failed only because of concurrent
// ones: a serialization failure or a deadlock.
func lost(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == pgSerialization || e.Code == pgDeadlock)
}

// fatal is for errors where a savepoint does not help: the whole transaction
// has to run again, or the connection is gone.
func (db *postgresDB) fatal(err error) bool { return lost(err) || offline(err) }

// offline reports whether the server did not respond or went away.
func offline(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		// An error that ends the session or the server may come during a commit. Then
		// it is unknown whether the commit succeeded, whatever the code is.
		if e.SeverityUnlocalized == "FATAL" || e.SeverityUnlocalized == "PANIC" {
			return true
		}
		switch e.Code[:2] {
		case "08", "57", "58": // connection exception, operator intervention, system error
			return true
		}
		return e.Code == "53300" // too many connections
	}
	// A server that crashes ends the stream within its response.
	ended := errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, sqldriver.ErrBadConn)
	return ended || errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err)
}

func translatePostgres(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if offline(err) {
		return &octavo.Error{Type: octavo.Unavailable, Detail: "The database cannot be used at the moment.", RetryAfter: time.Second, Err: err}
	}
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case pgSerialization, pgDeadlock:
		return &octavo.Error{Type: octavo.Unavailable, Detail: "A concurrent update conflicts with this one. Try again.", RetryAfter: time.Second, Err: err}
	case pgReadOnly: // usually a former primary or a standby
		return &octavo.Error{Type: octavo.Unavailable, Detail: "The database is read-only at the moment.", RetryAfter: time.Second, Err: err}
	case "53100": // disk full
		return &octavo.Error{Type: octavo.StorageFull, Err: err}
	case "23505": // unique violation
		return &octavo.Error{Type: octavo.Conflict, Detail: "This exists already.", Err: err}
	}
	return err
}

// The error codes for a read-only database, and for a transaction that
// PostgreSQL ended in favour of another one.
const (
	pgReadOnly      = "25006"
	pgSerialization = "40001"
	pgDeadlock      = "40P01"
)

// refusal says what an operator can do about a database that cannot be
// prepared.
func refusal(err error) error {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == "42501" { // insufficient privilege
		return fmt.Errorf("the role may not create or change tables there: make it the owner of the database, see docs/operating/postgresql.md: %w", err)
	}
	return err
}

// damage returns nothing: PostgreSQL checks its files itself.
func (db *postgresDB) damage(context.Context) ([]string, error) { return nil, nil }

func (db *postgresDB) copyTo(context.Context, string) error { return ErrCopiedElsewhere }

func (db *postgresDB) migrate(ctx context.Context) (schemaVersion, error) {
	m, err := db.migrator()
	if err != nil {
		return schemaVersion{}, err
	}
	if err := db.writable(ctx); err != nil {
		return schemaVersion{}, err
	}
	v, err := migrateUp(ctx, m, db.pool)
	return v, refusal(err)
}

// writable refuses a read-only server, such as a standby, even if there is
// nothing to migrate: a running server always writes something.
func (db *postgresDB) writable(ctx context.Context) error {
	var reading bool
	if err := db.pool.QueryRowContext(ctx, "SELECT current_setting('transaction_read_only')::bool").Scan(&reading); err != nil {
		return translatePostgres(err)
	}
	if reading {
		return errors.New("the database takes no changes: name the primary server where this is a standby, and unset default_transaction_read_only of the role")
	}
	return nil
}

func (db *postgresDB) schema(ctx context.Context) (v schemaVersion, err error) {
	m, err := db.migrator()
	if err != nil {
		return v, err
	}
	var prepared bool // the library writes its table into a database that has none
	err = db.pool.QueryRowContext(ctx, "SELECT to_regclass('goose_db_version') IS NOT NULL").Scan(&prepared)
	if err != nil || !prepared {
		return schemaVersion{known: knownVersion(m)}, translatePostgres(err)
	}
	return readVersion(ctx, m, db.pool)
}

// migrator returns a provider that lets one process at a time read and
// change the schema.
func (db *postgresDB) migrator() (*goose.Provider, error) {
	const seconds, tries = 1, 300
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(seconds, tries), lock.WithUnlockTimeout(seconds, tries))
	if err != nil {
		return nil, err
	}
	return newMigrator(goose.DialectPostgres, db.pool, "postgres", goose.WithSessionLocker(locker))
}
