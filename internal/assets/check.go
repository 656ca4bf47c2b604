package assets

import (
	"context"
	"errors"
	"fmt"

	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
)

// The rules that Check holds files to, and what mends a file that is not there
// or cannot be read.
const (
	ruleBytes = "the bytes of an asset are in the blob store, as they were uploaded"
	ruleRead  = "the bytes of an asset can be read"
	mendRead  = "see that what the message names can be reached and read by whoever runs doctor, and run it again"
	mendBytes = "bring the file back under its name from a backup or from an older version in the bucket, or upload the same file again; one that is there and wrong has to be removed before that"
)

// mostUnread is how many files Check tries to read in vain before it takes the
// whole store for one that cannot be reached.
const mostUnread = 20

// Check looks for rows whose bytes are missing or are others than those that
// were uploaded; with quick set only for bytes that have another length, for
// which it reads none. It changes nothing. What is uploaded and deleted
// meanwhile does not disturb it.
func Check(ctx context.Context, st *store.Store, blobs blob.Store, quick bool) ([]store.Finding, error) {
	sizes := map[string]int64{}
	for info, err := range blobs.All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list the blob store: %w", err)
		}
		sizes[info.Key] = info.Size
	}
	var findings []store.Finding
	unread := 0
	for b, err := range st.Blobs(ctx) {
		if err != nil {
			return findings, err
		}
		if size, listed := sizes[b.Key]; quick && listed && size == b.Size {
			continue
		}
		wrong, err := compare(ctx, st, blobs, b, quick)
		if err != nil { // the others can still be looked at
			if unread++; ctx.Err() != nil || unread > mostUnread {
				return findings, err
			}
			findings = append(findings, store.Finding{Rule: ruleRead, Subject: "blob " + b.Key + ": " + err.Error(), Mend: mendRead})
		}
		if wrong != "" {
			findings = append(findings, store.Finding{Rule: ruleBytes, Subject: "blob " + b.Key + " " + wrong, Mend: mendBytes})
		}
	}
	return findings, nil
}

// compare says what is wrong with the bytes of a row. Those that are not there
// may have gone with it, and then nothing is wrong.
func compare(ctx context.Context, st *store.Store, blobs blob.Store, b store.BlobUse, quick bool) (wrong string, err error) {
	sum := b.SHA256
	if quick {
		sum = ""
	}
	wrong, err = blob.Compare(ctx, blobs, b.Key, b.Size, sum)
	if !errors.Is(err, blob.ErrNotFound) {
		return wrong, err
	}
	known, err := st.KnownBlobs(ctx, []string{b.Key})
	if err != nil || !known[b.Key] {
		return "", err
	}
	return "is missing", nil
}
