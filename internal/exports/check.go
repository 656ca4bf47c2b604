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

// The rules that files are held to, and what mends them.
const (
	ruleResult = "the result of an export is in the blob store, as it was made"
	mendResult = "delete the export and ask for it anew"
	ruleRead   = "the result of an export can be read"
	mendRead   = "see that what the message names can be reached and read by whoever runs doctor, and run it again"
	ruleUnused = "a server removes bytes that nothing has within a day"
	mendUnused = "let a server with the role worker run for an hour, and look at its log when they stay"
)

// mostUnread is how many files Check tries to read in vain before it takes the
// whole store for one that cannot be reached.
const mostUnread = 20

// Check looks for results of exports whose bytes are missing or are others than
// those that were made; with quick set only for bytes that have another length,
// for which it reads none. What ends meanwhile does not disturb it.
func Check(ctx context.Context, st *store.Store, blobs blob.Store, quick bool) (findings []store.Finding, err error) {
	const slice = 1000
	unread := 0
	for after := octavo.ID(""); ; {
		list, err := st.ExportBlobs(ctx, after, slice)
		if err != nil {
			return findings, err
		}
		for _, b := range list {
			after = b.ID
			wrong, err := lookAt(ctx, st, blobs, b, quick)
			if err != nil { // the others can still be looked at
				if unread++; ctx.Err() != nil || unread > mostUnread {
					return findings, err
				}
				findings = append(findings, store.Finding{Rule: ruleRead, Subject: string(b.ID) + ": " + err.Error(), Mend: mendRead})
			}
			if wrong != "" {
				findings = append(findings, store.Finding{Rule: ruleResult, Subject: "the result of export " + string(b.ID) + " " + wrong, Mend: mendResult})
			}
		}
		if len(list) < slice {
			return findings, nil
		}
	}
}

// orphanAge is how old bytes may be that nothing has; a server removes them
// within a day and an hour.
const orphanAge = 48 * time.Hour

// heldGrace is how long bytes may stay behind a backup that held them, however
// old they are: a server removes them when it next looks.
const heldGrace = 2 * time.Hour

// CheckOrphans looks for bytes that neither an asset nor an export has and that
// were there before now for longer than a server leaves them. What is deleted,
// and backups that begin, meanwhile do not disturb it.
func CheckOrphans(ctx context.Context, st *store.Store, blobs blob.Store, now time.Time) (findings []store.Finding, err error) {
	held, err := st.FilesHeld(ctx)
	if err != nil || now.Before(held.Add(heldGrace)) {
		return nil, err
	}
	const lookUp = 500
	var batch []string
	flush := func() error {
		known, err := st.KnownBlobs(ctx, batch)
		if err != nil {
			return err
		}
		for _, key := range batch {
			if known[key] {
				continue
			}
			there, err := isThere(ctx, blobs, key)
			if err != nil {
				return err
			}
			if there {
				findings = append(findings, store.Finding{Rule: ruleUnused, Subject: "blob " + key, Mend: mendUnused})
			}
		}
		batch = batch[:0]
		return nil
	}
	for info, err := range blobs.All(ctx) {
		if err != nil {
			return findings, fmt.Errorf("list the blob store: %w", err)
		}
		if now.Sub(info.Modified) < orphanAge {
			continue
		}
		if batch = append(batch, info.Key); len(batch) == lookUp {
			if err := flush(); err != nil {
				return findings, err
			}
		}
	}
	if err := flush(); err != nil || len(findings) == 0 {
		return findings, err
	}
	held, err = st.FilesHeld(ctx)
	if err == nil && now.Before(held.Add(heldGrace)) {
		return nil, nil // since a while ago
	}
	return findings, err
}

// isThere reports whether there are bytes under a key.
func isThere(ctx context.Context, blobs blob.Store, key string) (bool, error) {
	file, err := blobs.Open(ctx, key)
	if errors.Is(err, blob.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for blob %s: %w", key, err)
	}
	return true, file.Close()
}

// lookAt says what is wrong with the bytes of an export.
func lookAt(ctx context.Context, st *store.Store, blobs blob.Store, b store.ExportBlob, quick bool) (wrong string, err error) {
	sum := b.SHA256
	if quick {
		sum = ""
	}
	wrong, err = blob.Compare(ctx, blobs, b.Key, b.Size, sum)
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
	return wrong, nil
}
