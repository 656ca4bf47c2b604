package store

import (
	"context"

	"github.com/octavo-docs/octavo"
)

// Sweep removes what is kept for a time only: pages that were deleted longer
// ago than [pagestore.KeepDeleted], with everything of them but a page.purged
// change, changes older than Options.KeepChanges, whether followers have read them
// or not, and what became of their deliveries, exports and imports that ended as long ago,
// answers to requests older than [sqldb.IdempotencyTTL], quotas whose window has
// ended, what the audit log and rotated keys had for a time, and sessions,
// grants and links that have expired, and what readers of the site said a year ago. It returns how many pages it removed.
// Several processes may sweep at once.
func (s *Store) Sweep(ctx context.Context, actor octavo.Actor) (purged int, err error) {
	// Nothing that is removed here may still wait for its position: whoever
	// gives it that would wait for the removal.
	if _, err := s.Log.Last(ctx); err != nil {
		return 0, err
	}
	if purged, err = s.Pages.Sweep(ctx, actor); err != nil {
		return purged, err
	}
	for _, sweep := range []func(context.Context) error{
		s.Log.Sweep, s.Hooks.Sweep, s.Exports.Sweep, s.Imports.Sweep, s.sweepQuotas, s.Accounts.Sweep, s.Assets.Sweep, s.Sites.Sweep, s.DB.SweepClaims,
	} {
		if err := sweep(ctx); err != nil {
			return purged, err
		}
	}
	return purged, nil
}
