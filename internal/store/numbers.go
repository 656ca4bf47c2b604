package store

import (
	"context"

	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Numbers are metrics of the store.
type Numbers struct {
	Pools     []sqldb.Pool
	Errors    int64 // failed statements, except conflicts and cancelled ones
	Position  int64 // of the newest change
	Followers []changelog.FollowerNumbers
}

// Numbers reads the metrics. The position comes from the database; if that
// fails, the others are returned with the error.
func (s *Store) Numbers(ctx context.Context) (Numbers, error) {
	n := Numbers{Pools: s.DB.Pools(), Errors: s.DB.Errors(), Followers: s.Log.Followers()}
	var err error
	n.Position, err = s.Log.Last(ctx)
	return n, err
}
