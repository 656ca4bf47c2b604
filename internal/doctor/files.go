package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
)

// The rules about files, and their remedies.
const (
	ruleLocation  = "files are at the location that the database names"
	ruleAsset     = "the bytes of an asset are in the blob store, unaltered since the upload"
	mendAsset     = "restore the file under its name from a backup or from an older version in the bucket, or upload the same file again; remove an altered file before that"
	ruleAssetRead = "the bytes of an asset can be read"
	ruleResult    = "the result of an export is in the blob store, unaltered"
	mendResult    = "delete the export and request it again"
	ruleRead      = "the result of an export can be read"
	ruleWaiting   = "the file of an import that has not ended is in the blob store, unaltered"
	mendWaiting   = "delete the import and send the file again"
	ruleUnused    = "a server removes orphans within a day"
	mendUnused    = "let a server with the role worker run for an hour, and look at its log if they remain"
)

// checkFiles looks for assets and export results without bytes, and for orphans.
func checkFiles(ctx context.Context, st *storage.Storage, o Options) (findings []storecheck.Finding, err error) {
	blobs, err := st.ReadFiles(ctx, o.Storage)
	if errors.Is(err, assets.ErrElsewhere) {
		subject := strings.TrimSuffix(err.Error(), ": "+assets.ErrElsewhere.Error())
		return []storecheck.Finding{{Rule: ruleLocation, Subject: subject, Mend: assets.ErrElsewhere.Error()}}, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, blobs.Close()) }()
	findings, unread := CheckAssets(ctx, st.Store, blobs, o.Quick)
	results, err := checkResults(ctx, st.Store, blobs, o.Quick)
	if findings, err = append(findings, results...), errors.Join(unread, err); err != nil {
		return findings, err
	}
	orphans, err := checkOrphans(ctx, st.Store, blobs, st.Env.Now())
	return append(findings, orphans...), err
}

// CheckAssets looks for rows whose bytes are missing or differ from the upload. With quick
// it only compares sizes and reads nothing. Concurrent uploads and deletions cause no
// findings.
func CheckAssets(ctx context.Context, st *store.Store, blobs blob.Store, quick bool) ([]storecheck.Finding, error) {
	sizes := map[string]int64{}
	for info, err := range blobs.All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list the blob store: %w", err)
		}
		sizes[info.Key] = info.Size
	}
	c := comparison{st: st, blobs: blobs, quick: quick, rule: ruleAsset, mend: mendAsset, ruleRead: ruleAssetRead}
	for b, err := range st.Assets.Blobs(ctx) {
		if err != nil {
			return c.findings, err
		}
		if size, listed := sizes[b.Key]; quick && listed && size == b.Size {
			continue
		}
		if err := c.compare(ctx, "blob "+b.Key, b.Key, b.Size, b.SHA256); err != nil {
			return c.findings, err
		}
	}
	return c.findings, nil
}

// checkResults looks for export results and import files in the same way.
func checkResults(ctx context.Context, st *store.Store, blobs blob.Store, quick bool) ([]storecheck.Finding, error) {
	c := comparison{st: st, blobs: blobs, quick: quick, rule: ruleResult, mend: mendResult, ruleRead: ruleRead}
	files, err := st.Assets.JobFiles(ctx)
	for _, f := range files {
		subject := "the result of export "
		if f.ID.Is(octavo.PrefixImport) {
			subject, c.rule, c.mend = "the file of import ", ruleWaiting, mendWaiting
		}
		if err := c.compare(ctx, subject+string(f.ID), f.Key, f.Size, f.SHA256); err != nil {
			return c.findings, err
		}
	}
	return c.findings, err
}

// mostUnread is the number of unreadable files of a kind after which the whole store
// counts as unreachable.
const mostUnread = 20

// comparison compares files of a kind with what the store says of them.
type comparison struct {
	st                   *store.Store
	blobs                blob.Store
	quick                bool // only compare sizes
	rule, mend, ruleRead string
	unread               int
	findings             []storecheck.Finding
}

// compare checks one file. It fails if the rest cannot be checked either.
func (c *comparison) compare(ctx context.Context, subject, key string, size int64, sum string) error {
	if c.quick {
		sum = ""
	}
	wrong, err := blob.Compare(ctx, c.blobs, key, size, sum)
	if errors.Is(err, blob.ErrNotFound) {
		var known map[string]bool
		if known, err = c.st.Assets.KnownBlobs(ctx, []string{key}); known[key] { // otherwise it was removed meanwhile
			wrong = "is missing"
		}
	}
	if err != nil {
		if c.unread++; ctx.Err() != nil || c.unread > mostUnread {
			return fmt.Errorf("look at %s: %w", subject, err)
		}
		c.findings = append(c.findings, storecheck.Finding{Rule: c.ruleRead, Subject: subject + ": " + err.Error(), Mend: mendDone})
	}
	if wrong != "" {
		c.findings = append(c.findings, storecheck.Finding{Rule: c.rule, Subject: subject + " " + wrong, Mend: c.mend})
	}
	return nil
}

// orphanAge is the maximum age of orphans; a server removes them within 25 hours.
const orphanAge = 48 * time.Hour

// heldGrace is how long bytes may remain after the backup that protected them; the next
// sweep of a server removes them.
const heldGrace = 2 * time.Hour

// orphanBatch is the number of keys looked up at once.
const orphanBatch = 500

// checkOrphans looks for bytes that neither an asset nor an export has, and that are older
// than a server leaves them. Concurrent deletions and starting backups cause no findings.
func checkOrphans(ctx context.Context, st *store.Store, blobs blob.Store, now time.Time) (findings []storecheck.Finding, err error) {
	held, err := st.Assets.FilesHeld(ctx)
	if err != nil || now.Before(held.Add(heldGrace)) {
		return nil, err
	}
	files, err := st.Assets.Files(ctx)
	if err != nil {
		return nil, err
	}
	var batch []string
	flush := func() error {
		known, err := st.Assets.KnownBlobs(ctx, batch)
		if err != nil {
			return err
		}
		for _, key := range batch {
			if known[key] || key == files.Mark {
				continue
			}
			there, err := isThere(ctx, blobs, key)
			if err != nil {
				return err
			}
			if there {
				findings = append(findings, storecheck.Finding{Rule: ruleUnused, Subject: "blob " + key, Mend: mendUnused})
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
		if batch = append(batch, info.Key); len(batch) == orphanBatch {
			if err := flush(); err != nil {
				return findings, err
			}
		}
	}
	if err := flush(); err != nil || len(findings) == 0 {
		return findings, err
	}
	held, err = st.Assets.FilesHeld(ctx)
	if err == nil && now.Before(held.Add(heldGrace)) {
		return nil, nil // removed meanwhile
	}
	return findings, err
}

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
