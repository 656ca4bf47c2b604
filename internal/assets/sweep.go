package assets

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
)

const (
	// sweepGrace is how long bytes may wait for their row, from the start of
	// their upload: some buckets date them by that, and all do so with uploads
	// that are not complete. An upload may take half of it.
	sweepGrace = 24 * time.Hour
	// sweepBatch is how many blobs are looked up at once.
	sweepBatch = 500
	// removeTimeout bounds the removal of bytes behind an answer.
	removeTimeout = 30 * time.Second
)

// Sweep removes bytes that no asset has and that are older than a day, and
// what interrupted uploads left behind, and returns how many of both there
// were. While files are held for a backup it leaves them to the next sweep.
// Several processes may sweep at once.
func (s *Service) Sweep(ctx context.Context) (removed int, err error) {
	held, err := s.o.Store.FilesHeld(ctx)
	if err != nil || s.o.Now().Before(held) {
		return 0, err
	}
	before := s.o.Now().Add(-sweepGrace)
	removed, err = s.o.Blobs.Sweep(ctx, before)
	if err != nil {
		return removed, fmt.Errorf("sweep the blob store: %w", err)
	}
	var batch []string
	flush := func() error {
		known, err := s.o.Store.KnownBlobs(ctx, batch)
		if err != nil {
			return err
		}
		for _, key := range batch {
			if known[key] {
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

// Check looks for rows whose bytes are missing or have another length. It
// lists the whole blob store, and changes nothing. What is uploaded and deleted
// meanwhile does not disturb it.
func Check(ctx context.Context, st *store.Store, blobs blob.Store) ([]store.Finding, error) {
	const rule = "the bytes of an asset are in the blob store, all of them"
	sizes := map[string]int64{}
	for info, err := range blobs.All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list the blob store: %w", err)
		}
		sizes[info.Key] = info.Size
	}
	var findings []store.Finding
	for b, err := range st.Blobs(ctx) {
		if err != nil {
			return findings, err
		}
		size, found := sizes[b.Key]
		if !found {
			if size, found, err = lookAgain(ctx, st, blobs, b); err != nil {
				return findings, err
			}
		}
		switch {
		case !found:
			findings = append(findings, store.Finding{Rule: rule, Subject: fmt.Sprintf("blob %s is missing", b.Key)})
		case size != b.Size:
			findings = append(findings, store.Finding{Rule: rule, Subject: fmt.Sprintf("blob %s has %d bytes, not %d", b.Key, size, b.Size)})
		}
	}
	return findings, nil
}

// lookAgain returns the size of bytes that were not there when the blob store
// was listed: they may have come since, or their row may have gone, and then
// nothing is wrong.
func lookAgain(ctx context.Context, st *store.Store, blobs blob.Store, b store.BlobUse) (size int64, found bool, err error) {
	file, err := blobs.Open(ctx, b.Key)
	if err == nil {
		return file.Size(), true, file.Close()
	}
	if !errors.Is(err, blob.ErrNotFound) {
		return 0, false, err
	}
	known, err := st.KnownBlobs(ctx, []string{b.Key})
	return b.Size, !known[b.Key], err
}
