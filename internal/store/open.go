package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
)

// Store is the whole lasting state of an installation but for the bytes of
// assets. It is safe for concurrent use. [OpenSQLite] and [OpenPostgres] make
// one; Close ends it.
type Store struct {
	opts       Options
	db         database
	read       conn
	lists      gate
	few        int // fewPages; smaller in tests
	most       int // MaxSlice of what is included; smaller in tests
	claims     claims
	tail       *tail
	links      inserter
	tags       inserter
	assets     inserter
	deliveries inserter
	stamps     *stamps // nil where other processes write to the database too

	ends      looks[struct{}, int64]            // where the change log ends
	snapshots looks[struct{}, string]           // where stamps are nil
	refs      looks[refKey, map[refKey]PageRef] // the same

	recent  recent
	waiting atomic.Int64 // readers of the feed
	waited  atomic.Int64 // when the last of them began, in Unix milliseconds
}

// database is what differs between SQLite and PostgreSQL.
type database interface {
	// reader runs single statements outside of transactions, each for up to
	// readTimeout.
	reader() conn
	// logReader is a reader that is not held up by many who write.
	logReader() conn
	// write runs fn in a transaction of its own effects: all are kept and on
	// disk when write returns nil, else none. It may run fn more than once.
	// fn's context does not end with ctx.
	write(ctx context.Context, fn func(context.Context, conn) error) error
	migrate(ctx context.Context) (schemaVersion, error)
	schema(ctx context.Context) (schemaVersion, error)
	shared() bool
	// stamps are those of the pages, nil where other processes write too.
	stamps() *stamps
	// snapshot names the commits that a statement sees now, where stamps are nil.
	snapshot(ctx context.Context) (string, error)
	ping(ctx context.Context) error
	// pools tells of the connections, first of those that read.
	pools() []Pool
	measures() *meter
	close() error

	// lockPage keeps other transactions from changing the page until this one
	// ends, lockTree those that change parents, delete or restore.
	lockPage(ctx context.Context, c conn, id string) error
	lockTree(ctx context.Context, c conn) error
	// lockName reports false when another transaction holds the name.
	lockName(ctx context.Context, c conn, name string) (bool, error)
	// lockLine keeps who puts deliveries in line alone, and those who end them
	// from doing so meanwhile.
	lockLine(ctx context.Context, c conn, alone bool) error
	// lockExports keeps others from claiming exports until the transaction ends.
	lockExports(ctx context.Context, c conn) error
	// skipLocked ends a SELECT that locks the rows it finds until the
	// transaction ends, and passes over those that somebody else has locked.
	skipLocked() string
	// position names the column that orders changes for followers. settle
	// gives every committed change its place there and returns the last one.
	position() string
	settle(ctx context.Context) (int64, error)
	// lockPositions keeps others from giving positions until the transaction ends,
	// lastPosition is the newest that was given, and passOver has later changes
	// come at or behind another; see skipLost.
	lockPositions(ctx context.Context, c conn) error
	lastPosition(ctx context.Context, c conn) (int64, error)
	passOver(ctx context.Context, c conn, to int64) error
	// listen calls heard when a process tells of a new position, or with 0
	// when one may have been missed, until ctx ends or it cannot go on.
	listen(ctx context.Context, heard func(position int64)) error
	// fatal reports whether err ended the whole transaction it happened in.
	fatal(err error) bool
	// damage describes what the database itself finds wrong with its files.
	damage(ctx context.Context) ([]string, error)
	// copyTo writes the database into a new file, or returns ErrCopiedElsewhere.
	copyTo(ctx context.Context, path string) error
}

func newStore(ctx context.Context, o Options, db database) (*Store, error) {
	s := &Store{
		opts: o, db: db, read: db.reader(), few: fewPages, most: MaxSlice, stamps: db.stamps(),
		lists:  make(gate, max(1, db.pools()[0].MaxOpenConnections/2)),
		claims: claims{running: map[[2]string]bool{}},
	}
	s.links = newInserter("page_links", "page_id, link, rank, target_id, target_path, target_slug, label", "")
	s.tags = newInserter("page_tags", "tag, page_id, title, status, updated_at", " ON CONFLICT DO NOTHING")
	s.assets = newInserter("page_assets", "page_id, href, target", " ON CONFLICT DO NOTHING")
	s.deliveries = newDeliveries()
	if s.opts.Derive == nil {
		s.opts.Derive = func(Source) Derived { return Derived{} }
	}
	if s.opts.Logger == nil {
		s.opts.Logger = slog.New(slog.DiscardHandler)
	}
	if s.opts.KeepChanges <= 0 {
		s.opts.KeepChanges = DefaultKeepChanges
	}
	if err := s.prepare(ctx); err != nil {
		db.close() //nolint:errcheck // the first error is the one to tell
		return nil, err
	}
	s.tail = startTail(db, s.opts.Logger)
	s.startLooks()
	return s, nil
}

// ErrOlder says that a database which is not to be changed has the schema of an
// older program.
var ErrOlder = errors.New("the schema of the database is older than this program")

// ErrEmpty says that a database which is not to be changed holds no schema.
var ErrEmpty = errors.New("the database holds nothing of octavo: name the right one, bring a backup back if its data were lost, or run octavo migrate where a new installation is to be")

// errUnversioned says that nobody knows what the schema is.
var errUnversioned = errors.New("the tables of octavo are there, but goose_db_version, which says how far their schema is, is missing or empty: bring that table back from a copy of the same version of octavo or, where more was lost, all of the newest backup with which doctor found nothing")

// checkVersioned refuses a database that has lost the table of migrations, or
// what is in it: it would be begun anew. Tables come after what is said of them,
// so that whoever looks while another process makes them is not deceived.
func (s *Store) checkVersioned(ctx context.Context) error {
	made := `SELECT COUNT(*) = 2 FROM sqlite_master m WHERE m.name IN ('revisions', 'change_retention')`
	kept := `SELECT COUNT(*) = 1 FROM sqlite_master m WHERE m.name = 'goose_db_version'`
	if s.Shared() {
		made = `SELECT to_regclass('revisions') IS NOT NULL AND to_regclass('change_retention') IS NOT NULL`
		kept = `SELECT to_regclass('goose_db_version') IS NOT NULL`
	}
	var there bool
	if _, err := s.read.row(ctx, []any{&there}, made); err != nil {
		return fmt.Errorf("look what the database holds: %w", err)
	}
	if !there {
		return nil
	}
	for _, query := range []string{kept, `SELECT COUNT(*) > 0 FROM goose_db_version g WHERE g.version_id > 0`} {
		if _, err := s.read.row(ctx, []any{&there}, query); err != nil {
			return fmt.Errorf("look how far the schema is: %w", err)
		}
		if !there {
			return errUnversioned
		}
	}
	return nil
}

// prepare sees to it that the schema is one that this program can work on.
func (s *Store) prepare(ctx context.Context) error {
	look := s.db.migrate
	if s.opts.NoMigrate {
		look = s.db.schema
	}
	if err := s.checkVersioned(ctx); err != nil {
		return err
	}
	v, err := look(ctx)
	switch {
	case err != nil:
		return err
	case v.have == 0:
		return ErrEmpty
	case v.have < v.known:
		return fmt.Errorf("%w: it is %d and this program works on %d: run octavo migrate", ErrOlder, v.have, v.known)
	}
	if err := v.check(); err != nil {
		return err
	}
	if v.have > v.known {
		s.opts.Logger.WarnContext(ctx, "the schema is that of a newer octavo, on which this one can still work", "schema", v.have, "known", v.known)
	}
	return nil
}

// Close ends the followers, waits for them and for running writes, and closes
// the database. Nothing may use the store afterwards.
func (s *Store) Close() error {
	s.tail.close()
	return s.db.close()
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.db.ping(ctx) }

// Shared reports whether other processes are expected to use the database at
// the same time, as they are on PostgreSQL.
func (s *Store) Shared() bool { return s.db.shared() }
