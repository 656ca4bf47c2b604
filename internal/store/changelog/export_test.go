package changelog

import (
	"context"
	"sync/atomic"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

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
