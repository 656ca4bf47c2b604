package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
)

// Numbers tell how the store is doing.
type Numbers struct {
	Pools     []Pool
	Errors    int64 // statements that failed, but for conflicts and those given up
	Position  int64 // of the newest change; see LastPosition
	Followers []FollowerNumbers
}

// Pool is a set of connections to the database.
type Pool struct {
	Name string // read and write on SQLite, main and log on PostgreSQL
	sql.DBStats
}

// FollowerNumbers tell how far a follower that runs here has come. Those
// without a name are told as one: the one that is furthest behind.
type FollowerNumbers struct {
	Name          string
	Position, Lag int64
}

// Numbers reads the numbers. The position is asked of the database; when that
// fails the rest is returned with the error.
func (s *Store) Numbers(ctx context.Context) (Numbers, error) {
	n := Numbers{Pools: s.db.pools(), Errors: s.db.measures().errors.Load()}
	for _, f := range s.tail.followers() {
		n.Followers = append(n.Followers, FollowerNumbers{f.o.Name, f.Position(), f.Lag()})
	}
	slices.SortFunc(n.Followers, func(a, b FollowerNumbers) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), -cmp.Compare(a.Lag, b.Lag))
	})
	n.Followers = slices.CompactFunc(n.Followers, func(a, b FollowerNumbers) bool { return a.Name == b.Name })
	var err error
	n.Position, err = s.LastPosition(ctx)
	return n, err
}

// meter measures what a database does.
type meter struct {
	now       func() time.Time
	committed func(writes int, took time.Duration) // may be nil
	errors    atomic.Int64
}

func newMeter(o Options) *meter {
	return &meter{now: o.Now, committed: o.Committed}
}

// commit runs the commit of so many writes.
func (m *meter) commit(writes int, run func() error) error {
	if m.committed == nil {
		return run()
	}
	begun := m.now()
	err := run()
	if err == nil {
		m.committed(writes, m.now().Sub(begun))
	}
	return err
}

// counting wraps a translation so that errors are counted.
func (m *meter) counting(translate func(error) error) func(error) error {
	return func(err error) error {
		if err == nil {
			return nil
		}
		err = translate(err)
		var known *octavo.Error
		conflict := errors.As(err, &known) && known.Type == octavo.Conflict
		if !conflict && !errors.Is(err, context.Canceled) {
			m.errors.Add(1)
		}
		return err
	}
}
