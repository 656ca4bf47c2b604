package exports

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
)

// StuckAfter is how long an export may be due before something is wrong.
const StuckAfter = 15 * time.Minute

// Check looks for results of exports whose bytes are missing or have another
// length. What ends meanwhile does not disturb it.
func Check(ctx context.Context, st *store.Store, blobs blob.Store) (findings []store.Finding, err error) {
	const slice = 1000
	for after := octavo.ID(""); ; {
		list, err := st.ExportBlobs(ctx, after, slice)
		if err != nil {
			return findings, err
		}
		for _, b := range list {
			after = b.ID
			wrong, err := lookAt(ctx, st, blobs, b)
			if err != nil {
				return findings, err
			}
			if wrong != "" {
				findings = append(findings, store.Finding{Rule: "the result of an export is in the blob store, all of it", Subject: "the result of export " + string(b.ID) + " " + wrong})
			}
		}
		if len(list) < slice {
			return findings, nil
		}
	}
}

// lookAt says what is wrong with the bytes of an export.
func lookAt(ctx context.Context, st *store.Store, blobs blob.Store, b store.ExportBlob) (wrong string, err error) {
	file, err := blobs.Open(ctx, b.Key)
	if errors.Is(err, blob.ErrNotFound) {
		known, err := st.KnownBlobs(ctx, []string{b.Key}) // it may have ended since
		if err != nil || !known[b.Key] {
			return "", err
		}
		return "is missing", nil
	}
	if err != nil {
		return "", fmt.Errorf("look at the result of export %s: %w", b.ID, err)
	}
	if size := file.Size(); size != b.Size {
		wrong = fmt.Sprintf("has %d bytes, not %d", size, b.Size)
	}
	return wrong, file.Close()
}
