package assets

import (
	"context"
	"fmt"
	"time"
)

const (
	// sweepGrace is how long bytes may be without a row, from the start of
	// their upload, since some buckets date them by that, and all do so with
	// incomplete uploads. An upload may take half of it.
	sweepGrace = 24 * time.Hour
	// sweepBatch is how many blobs are looked up at once.
	sweepBatch = 500
)

// Sweep removes orphans that are older than a day, and the rest of
// interrupted uploads, and returns their number. During a hold for a backup,
// it leaves them to the next sweep. Several processes may sweep at once.
func (s *Service) Sweep(ctx context.Context) (removed int, err error) {
	held, err := s.o.Assets.FilesHeld(ctx)
	if err != nil || s.o.Now().Before(held) {
		return 0, err
	}
	before := s.o.Now().Add(-sweepGrace)
	removed, err = s.o.Blobs.Sweep(ctx, before)
	if err != nil {
		return removed, fmt.Errorf("sweep the blob store: %w", err)
	}
	files, err := s.o.Assets.Files(ctx)
	if err != nil {
		return removed, err
	}
	var batch []string
	flush := func() error {
		known, err := s.o.Assets.KnownBlobs(ctx, batch)
		if err != nil {
			return err
		}
		for _, key := range batch {
			if known[key] || key == files.Mark {
				continue
			}
			if err := s.o.Blobs.Remove(ctx, key); err != nil {
				return fmt.Errorf("remove unused bytes: %w", err)
			}
			removed++
		}
		batch = batch[:0]
		return nil
	}
	for info, err := range s.o.Blobs.All(ctx) {
		if err != nil {
			return removed, fmt.Errorf("look for unused bytes: %w", err)
		}
		if !info.Modified.Before(before) {
			continue
		}
		if batch = append(batch, info.Key); len(batch) == sweepBatch {
			if err := flush(); err != nil {
				return removed, err
			}
		}
	}
	if len(batch) == 0 {
		return removed, nil
	}
	return removed, flush()
}
