package changelog

import (
	"context"
	"sync/atomic"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// EventsFromDatabase is Events without what is kept in memory.
func EventsFromDatabase(ctx context.Context, s *Log, q EventQuery) ([]Change, int64, error) {
	plain := &Log{db: s.db, read: s.read, src: s.src, tail: s.tail}
	plain.ends.Start(plain.lookAtEnd, s.db.Life().Go, 1, 0)
	return plain.Events(ctx, q)
}

// Remembered returns behind which position changes are kept in memory, and up
// to which; ok is false when none are.
func Remembered(s *Log) (start, end int64, ok bool) {
	s.recent.mu.RLock()
	defer s.recent.mu.RUnlock()
	return s.recent.start, s.recent.end, s.recent.on
}

// CountStatements counts the readings of the change log from now on. Nobody may
// use the log meanwhile.
func CountStatements(s *Log) *atomic.Int64 {
	var n atomic.Int64
	s.src = &countingSource{s.src, &n}
	return &n
}

type countingSource struct {
	source
	n *atomic.Int64
}

func (c *countingSource) settle(ctx context.Context) (int64, error) {
	c.n.Add(1)
	return c.source.settle(ctx)
}

// LogReader is used for every other reading of the log.
func (c *countingSource) LogReader() sqldb.Conn {
	c.n.Add(1)
	return c.source.LogReader()
}
