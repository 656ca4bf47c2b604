// Package changelog is the log of all changes. A transaction that changes state records
// a change in it. Whatever follows from the change reads it from there.
//
//	err := changelog.Record(tx, id, octavo.PageUpdated, page, version, public, payload)
//
// A [Follower] receives every [Change] in order, in this and other processes, and
// continues from its saved position after a restart. [Log.Events] is the feed that
// clients read, and [Log.Await] waits for more of it. [Log.Sweep] removes old changes.
//
// It owns the tables of changes, positions and followers. It does not
// interpret changes: the packages that record them do.
//
// Start with [Record] in record.go. tail.go finds the end of the log,
// follow.go passes changes on, and feed.go serves readers.
package changelog

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Log is the change log of a database. It is safe for concurrent use.
type Log struct {
	db   *sqldb.DB
	read sqldb.Conn
	src  source
	keep time.Duration // how long changes are kept
	tail *tail

	looks sqldb.Looks[asked, looked]
	quiet atomic.Pointer[quiet]
}

// New returns the log of a database. keep is its retention; 0 means
// [DefaultKeepChanges]. Each open database has one log, which ends with it.
func New(db *sqldb.DB, keep time.Duration) *Log {
	if keep <= 0 {
		keep = DefaultKeepChanges
	}
	l := &Log{db: db, read: db.Read(), keep: keep, src: sqliteLog{db}}
	if db.Shared() {
		l.src = postgresLog{db}
	}
	l.tail = startTail(l.src, db)
	db.OnChange(l.tail.wake.Ring)
	l.looks.Start(l.look, db.Life().Go, 1, 0)
	return l
}

// Keep is the retention of changes.
func (s *Log) Keep() time.Duration { return s.keep }

// source is what differs between SQLite and PostgreSQL.
type source interface {
	// LogReader returns a connection for reading the log.
	LogReader() sqldb.Conn
	// position names the column that orders changes for followers. settle
	// gives every committed change its position and returns the last one.
	position() string
	settle(ctx context.Context) (int64, error)
	// lastPosition is the newest position in use. passOver makes later
	// changes continue at or after another; see [Log.PassOver].
	lastPosition(ctx context.Context, c sqldb.Conn) (int64, error)
	passOver(tx *sqldb.Tx, to int64) error
	// listen calls heard when a process reports a new position, or with 0 if one may
	// have been missed. It returns when ctx ends or it cannot continue.
	listen(ctx context.Context, heard func(position int64)) error
}

// sqliteLog is the log of a database with a single writing process.
type sqliteLog struct{ *sqldb.DB }

// postgresLog is the log of a database that other processes write too.
type postgresLog struct{ *sqldb.DB }

// FollowerNumbers are the position and lag of a follower in this process.
// Those without a name are reported as one: the one that is furthest behind.
type FollowerNumbers struct {
	Name          string
	Position, Lag int64
}

// Followers returns the numbers of the followers in this process, by name.
func (s *Log) Followers() (list []FollowerNumbers) {
	for _, f := range s.tail.followers() {
		list = append(list, FollowerNumbers{f.o.Name, f.Position(), f.Lag()})
	}
	slices.SortFunc(list, func(a, b FollowerNumbers) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), -cmp.Compare(a.Lag, b.Lag))
	})
	return slices.CompactFunc(list, func(a, b FollowerNumbers) bool { return a.Name == b.Name })
}
