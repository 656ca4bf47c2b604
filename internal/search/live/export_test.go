package live

import (
	"context"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search"
)

// Known returns how many pages a service remembers that has stopped.
func (s *Service) Known() int { return len(s.known) }

// Unfinished returns the position from which the log is followed when a first
// update has failed after some pages.
func (s *Service) Unfinished(ctx context.Context, ids ...octavo.ID) (position int64, err error) {
	index := search.New(s.Index)
	if err := s.put(ctx, index, ids, nil); err != nil {
		return 0, err
	}
	return s.update(ctx, index)
}
