package store

import (
	"context"

	"github.com/octavo-docs/octavo"
)

// Sweep enforces retention. It removes:
//
//   - pages that were deleted longer ago than [pagestore.KeepDeleted],
//     except for a page.purged change;
//   - changes older than Options.KeepChanges, whether followers have read
//     them or not, and their deliveries;
//   - exports and imports that ended long enough ago, and responses older
//     than [sqldb.IdempotencyTTL];
//   - ended quota windows, expired sessions, grants and links, and
//     temporary entries of the audit log and rotated keys;
//   - feedback and queries of readers after a year.
//
// It returns how many pages it removed. Several processes may call it at once.
func (s *Store) Sweep(ctx context.Context, actor octavo.Actor) (purged int, err error) {
	// Nothing removed here may still wait for its position: the transaction
	// that assigns it would wait for the removal.
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
