package store

import (
	"context"

	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Numbers tell how the store is doing.
type Numbers struct {
	Pools     []sqldb.Pool
	Errors    int64 // statements that failed, but for conflicts and those given up
	Position  int64 // of the newest change
	Followers []changelog.FollowerNumbers
}

// Numbers reads the numbers. The position is asked of the database; when that
// fails the rest is returned with the error.
func (s *Store) Numbers(ctx context.Context) (Numbers, error) {
	n := Numbers{Pools: s.DB.Pools(), Errors: s.DB.Errors(), Followers: s.Log.Followers()}
	var err error
	n.Position, err = s.Log.Last(ctx)
	return n, err
}
