package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
)

// Pool is a set of connections to the database.
type Pool struct {
	Name string // read and write on SQLite, main and log on PostgreSQL
	sql.DBStats
}

// meter measures a database.
type meter struct {
	now       func() time.Time
	committed func(writes int, took time.Duration) // may be nil
	errors    atomic.Int64
}

func newMeter(o Options) *meter {
	return &meter{now: o.Now, committed: o.Committed}
}

// commit runs the commit of a number of writes.
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

// counting wraps translate to count errors.
func (m *meter) counting(translate func(error) error) func(error) error {
	return func(err error) error {
		if err == nil {
			return nil
		}
		err = translate(err)
		if !octavo.IsType(err, octavo.Conflict) && !errors.Is(err, context.Canceled) {
			m.errors.Add(1)
		}
		return err
	}
}
