package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/octavo-docs/octavo"
)

const sqliteBusy = 10 * time.Second

// sqliteDB stores everything in one file. A pool of connections reads, and
// one connection writes. Other processes may open the same file.
type sqliteDB struct {
	path      string
	pool      *sql.DB
	single    *sql.DB // holds only the writer's connection
	stmts     *prepared
	writer    *writer
	stamp     *Stamps
	meter     *meter
	translate func(error) error // translateSQLite, counted
}

// OpenSQLite opens the database file at path and brings its schema up to
// date. The folder must exist; a missing file is created.
func OpenSQLite(ctx context.Context, path string, o Options) (*DB, error) {
	db, err := openSQLite(ctx, path, o)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	return newDB(ctx, o, db)
}

func openSQLite(ctx context.Context, path string, o Options) (_ *sqliteDB, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	readers := o.Connections
	if readers <= 0 {
		readers = min(8, max(4, runtime.GOMAXPROCS(0)))
	}
	db := &sqliteDB{path: path, stamp: countedStamps(), meter: newMeter(o)}
	db.translate = db.meter.counting(translateSQLite)
	defer func() {
		if err != nil {
			err = errors.Join(err, db.close())
		}
	}()
	if o.NoMigrate { // opening would create an empty database, which then looks like a new one
		if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
			return nil, ErrEmpty
		}
	}
	// The file holds secrets. SQLite gives the same mode to its companion files.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	// Two processes that switch a new file to WAL at once would disturb each
	// other, so this holds the lock of migrations.
	wal, err := isWAL(path)
	if err != nil {
		return nil, err
	}
	if !wal {
		unlock, err := db.lockFile(ctx)
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	// A slow reader keeps the WAL from restarting, and the file would stay
	// large. It is truncated to 256 MiB when it restarts.
	durable, cache := "synchronous(FULL)", "cache_size(-16000)"
	if o.Throwaway {
		durable, cache = "synchronous(OFF)", "cache_size(-2000)"
	}
	if db.single, err = openPool(path, 1, "journal_mode(WAL)", durable, "foreign_keys(1)", "wal_autocheckpoint(16000)", cache, "journal_size_limit(268435456)"); err != nil {
		return nil, err
	}
	if db.writer, err = startWriter(ctx, db.single, db.translate, db.meter, db.stamp.outdate); err != nil {
		if code, _ := sqliteCode(err); code == sqlite3.SQLITE_READONLY {
			return nil, fmt.Errorf("it and its folder must be writable by the user who runs this: %w", err)
		}
		return nil, translateSQLite(err)
	}
	if db.pool, err = openPool(path, readers, "query_only(1)", cache); err != nil {
		return nil, err
	}
	db.stmts = newPrepared(db.pool.PrepareContext)
	return db, db.ping(ctx)
}

func isWAL(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()  //nolint:errcheck // it is only read
	const versions = 18 // offset of the format versions in the header, 2 for WAL
	var header [versions + 2]byte
	if _, err := io.ReadFull(file, header[:]); err != nil {
		return false, nil //nolint:nilerr // an empty file, or none of SQLite's
	}
	return header[versions] == 2 && header[versions+1] == 2, nil
}

// openPool opens connections. Temporary data of SQLite is in memory. As a
// file, undoing a savepoint would take 40 % of a write. Sorting many rows,
// such as for an index in a migration, would need /tmp, which a minimal
// image does not have. The file must exist: if somebody has removed it, a
// later connection would otherwise create an empty database.
func openPool(path string, size int, pragmas ...string) (*sql.DB, error) {
	query := url.Values{"_pragma": append(pragmas, "temp_store(MEMORY)"), "_busy_timeout": {fmt.Sprint(sqliteBusy.Milliseconds())}, "mode": {"rw"}}
	dsn := url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}
	pool, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	return pool, nil
}

// lockFile waits for the lock that guards schema changes.
func (db *sqliteDB) lockFile(ctx context.Context) (unlock func(), err error) {
	lock := flock.New(db.path + ".lock")
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return nil, fmt.Errorf("lock %s: %w", lock.Path(), err)
	}
	return func() { lock.Unlock() }, nil //nolint:errcheck // the process's end unlocks too
}

func (db *sqliteDB) reader() Conn { return Conn{db.stmts, db.translate, ReadTimeout} }

func (db *sqliteDB) logReader() Conn { return db.reader() }

func (db *sqliteDB) write(ctx context.Context, fn func(context.Context, Conn) error) error {
	return db.writer.do(ctx, fn)
}

func (db *sqliteDB) shared() bool { return false }

func (db *sqliteDB) stamps() *Stamps { return db.stamp }

func (db *sqliteDB) measures() *meter { return db.meter }

func (db *sqliteDB) pools() []Pool {
	return []Pool{{"read", db.pool.Stats()}, {"write", db.single.Stats()}}
}

func (db *sqliteDB) ping(ctx context.Context) error {
	return translateSQLite(db.pool.PingContext(ctx))
}

func (db *sqliteDB) close() error {
	var errs []error
	if db.stmts != nil {
		errs = append(errs, db.stmts.close())
	}
	if db.pool != nil {
		errs = append(errs, db.pool.Close())
	}
	if db.writer != nil {
		errs = append(errs, db.writer.stop())
	}
	if db.single != nil {
		errs = append(errs, db.single.Close())
	}
	return errors.Join(errs...)
}

// listen receives nothing: changes of other processes are found by polling.
func (db *sqliteDB) listen(ctx context.Context, _ string, _ func(string)) error {
	<-ctx.Done()
	return nil
}

func (db *sqliteDB) damage(ctx context.Context) ([]string, error) {
	lines, err := Collect(ctx, Conn{db.pool, db.translate, 0}, Column[string], "PRAGMA integrity_check")
	if len(lines) == 1 && lines[0] == "ok" {
		lines = nil
	}
	if err != nil {
		return lines, err
	}
	// The check above does not cover references between rows.
	lost, err := Collect(ctx, Conn{db.pool, db.translate, 0}, Column[string], `SELECT 'a row of ' || c."table" || ' belongs to one of ' || c.parent || ' that is not there'
		|| COALESCE(': row ' || c.rowid, '') FROM pragma_foreign_key_check c LIMIT 100`)
	return append(lines, lost...), err
}

func sqliteCode(err error) (primary, extended int) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0, 0
	}
	return e.Code() & 0xff, e.Code()
}

// fatal: after these errors SQLite may have rolled back the transaction by itself.
func (db *sqliteDB) fatal(err error) bool {
	switch code, _ := sqliteCode(err); code {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY,
		sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_READONLY:
		return true
	}
	return false
}

func translateSQLite(err error) error {
	code, extended := sqliteCode(err)
	switch code {
	case sqlite3.SQLITE_FULL:
		return &octavo.Error{Type: octavo.StorageFull, Err: err}
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR,
		sqlite3.SQLITE_CANTOPEN:
		return &octavo.Error{Type: octavo.Unavailable, Detail: "The database cannot be used at the moment.", RetryAfter: time.Second, Err: err}
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("the file of the database is damaged, or is none: check the disk, and restore the newest backup: %w", err)
	}
	if extended == sqlite3.SQLITE_CONSTRAINT_UNIQUE || extended == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY {
		return &octavo.Error{Type: octavo.Conflict, Detail: "This exists already.", Err: err}
	}
	return err
}

// prepared keeps prepared statements. The store has a bounded number of
// different texts.
type prepared struct {
	prepare func(context.Context, string) (*sql.Stmt, error)

	mu    sync.RWMutex
	stmts map[string]*sql.Stmt
}

func newPrepared(prepare func(context.Context, string) (*sql.Stmt, error)) *prepared {
	return &prepared{prepare: prepare, stmts: map[string]*sql.Stmt{}}
}

func (p *prepared) get(ctx context.Context, query string) (*sql.Stmt, error) {
	p.mu.RLock()
	stmt := p.stmts[query]
	p.mu.RUnlock()
	if stmt != nil {
		return stmt, nil
	}
	stmt, err := p.prepare(ctx, unnamed(query))
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if first := p.stmts[query]; first != nil {
		return first, stmt.Close() //nolint:sqlclosecheck // another goroutine was faster
	}
	p.stmts[query] = stmt
	return stmt, nil
}

// ExecContext implements executor.
func (p *prepared) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := p.get(ctx, query) //nolint:sqlclosecheck // kept until close
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(ctx, args...)
}

// QueryContext implements executor.
func (p *prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := p.get(ctx, query) //nolint:sqlclosecheck // kept until close
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

func (p *prepared) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, stmt := range p.stmts {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(errs...)
}

// copyTo lets SQLite write the database into another file. A copy page by page starts
// again after each concurrent commit. This is one read that no writer disturbs, and it
// leaves out free pages with deleted data. SQLite does not flush the file.
func (db *sqliteDB) copyTo(ctx context.Context, path string) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	pool, err := openPool(db.path, 1, "cache_size(-16000)") // readers cannot write anywhere
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	if _, err := pool.ExecContext(ctx, "VACUUM INTO ?", path); err != nil {
		return db.translate(err)
	}
	return file.Sync()
}
