// Package changelog is the log of everything that happened: a transaction that
// changes state records a change in it, and what follows from the change reads it
// from there.
//
//	err := changelog.Record(tx, id, octavo.PageUpdated, page, version, public, payload)
//
// A [Follower] is handed every [Change] in order, in this and other processes, and
// goes on from where it was after a restart. [Log.Events] is the feed that clients
// read, and [Log.Await] waits for more of it. Old changes are removed by [Log.Sweep].
//
// It owns the tables of changes, of positions and of followers. It does not know
// what a change means: the packages that record one do.
//
// Begin with [Record] in record.go; tail.go finds where the log ends, follow.go
// hands it on, feed.go and recent.go answer readers.
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

	ends    sqldb.Looks[struct{}, int64] // where the log ends
	recent  recent
	quiet   atomic.Pointer[quiet]
	waiting atomic.Int64 // readers of the feed
	waited  atomic.Int64 // when the last of them began, in Unix milliseconds
}

// New returns the log of a database, which keeps changes for a time; 0 stands for
// [DefaultKeepChanges]. There is one for each database that is open, and it ends
// with that.
func New(db *sqldb.DB, keep time.Duration) *Log {
	if keep <= 0 {
		keep = DefaultKeepChanges
	}
	l := &Log{db: db, read: db.Read(), keep: keep, src: sqliteLog{db}}
	if db.Shared() {
		l.src = postgresLog{db}
	}
	l.tail = startTail(l.src, db)
	db.OnChange(l.tail.poke)
	l.ends.Start(l.lookAtEnd, db.Life().Go, 1, 0)
	return l
}

// Keep is how long changes are kept.
func (s *Log) Keep() time.Duration { return s.keep }

// source is what differs between SQLite and PostgreSQL.
type source interface {
	// LogReader runs statements that read the log.
	LogReader() sqldb.Conn
	// position names the column that orders changes for followers. settle
	// gives every committed change its place there and returns the last one.
	position() string
	settle(ctx context.Context) (int64, error)
	// lastPosition is the newest position that was given, and passOver has later
	// changes come at or behind another; see [Log.PassOver].
	lastPosition(ctx context.Context, c sqldb.Conn) (int64, error)
	passOver(tx *sqldb.Tx, to int64) error
	// listen calls heard when a process tells of a new position, or with 0
	// when one may have been missed, until ctx ends or it cannot go on.
	listen(ctx context.Context, heard func(position int64)) error
}

// sqliteLog is the log where no other process writes.
type sqliteLog struct{ *sqldb.DB }

// postgresLog is the log where other processes write too.
type postgresLog struct{ *sqldb.DB }

// FollowerNumbers tell how far a follower that runs here has come. Those
// without a name are told as one: the one that is furthest behind.
type FollowerNumbers struct {
	Name          string
	Position, Lag int64
}

// Followers returns the numbers of the followers that run here, by name.
func (s *Log) Followers() (list []FollowerNumbers) {
	for _, f := range s.tail.followers() {
		list = append(list, FollowerNumbers{f.o.Name, f.Position(), f.Lag()})
	}
	slices.SortFunc(list, func(a, b FollowerNumbers) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), -cmp.Compare(a.Lag, b.Lag))
	})
	return slices.CompactFunc(list, func(a, b FollowerNumbers) bool { return a.Name == b.Name })
}
