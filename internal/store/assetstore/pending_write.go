package assetstore

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// KeepPending is how long a pending file stays if no proposal names it.
const KeepPending = 30 * 24 * time.Hour

// ErrPendingFull is the error if somebody has the maximum of pending files.
func ErrPendingFull() error {
	return octavo.Errorf(octavo.Conflict, "Your unmerged files would have more than %d bytes, the limit without pages:write. Delete some, or have proposals merged.", octavo.MaxPendingFiles)
}

// Create is [Assets.Create] for a file that waits for the merge of a
// proposal: it causes no event and has no path. Beyond
// [octavo.MaxPendingFiles] of its uploader, the actor, it is a Conflict.
func (s *Pending) Create(tx *sqldb.Tx, n NewAsset) (asset octavo.Asset, kept bool, err error) {
	if err := checkFiles(tx, n.FilesID); err != nil {
		return octavo.Asset{}, false, err
	}
	if err := tx.Lock(sqldb.PendingLock); err != nil {
		return octavo.Asset{}, false, fmt.Errorf("lock the pending files: %w", err)
	}
	uploader := tx.Cause().Actor.ID
	size, err := pendingSize(tx.Context(), tx.Conn(), uploader)
	if err != nil {
		return octavo.Asset{}, false, err
	}
	if size+n.Blob.Size > octavo.MaxPendingFiles {
		return octavo.Asset{}, false, ErrPendingFull()
	}
	id, err := tx.NewID(octavo.PrefixAsset)
	if err != nil {
		return octavo.Asset{}, false, err
	}
	blob, err := useBlob(tx, n.Blob)
	if err != nil {
		return octavo.Asset{}, false, err
	}
	asset = octavo.Asset{
		ID: id, Key: n.Key, ContentType: n.ContentType, Size: n.Blob.Size, SHA256: hex.EncodeToString(n.Blob.Hash[:]), Name: n.Name, Width: n.Width, Height: n.Height,
		Metadata: n.Metadata, Pending: true, CreatedAt: tx.Now(), UpdatedAt: tx.Now(), Version: 1,
	}
	_, err = tx.Exec(`INSERT INTO pending_assets (`+assetInserted+`, uploader_id, used_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
		append(inserted(&asset), uploader, tx.Now().UnixMilli())...)
	return asset, blob == n.Blob.Key, octavo.Wrapf(err, "create pending file %s", id)
}

// Lock is Get for a change, and keeps other transactions from changing the file. The
// error is NotFound if the viewer sees no such file, or if it has become an asset.
func (s *Pending) Lock(tx *sqldb.Tx, v Viewer, id octavo.ID) (PendingFile, error) {
	if !octavo.ValidIdentifier(string(id)) {
		return PendingFile{}, errNoAsset(id)
	}
	if err := tx.LockRow("pending_assets", string(id)); err != nil {
		return PendingFile{}, fmt.Errorf("lock pending file %s: %w", id, err)
	}
	return v.one(tx.Context(), tx.Conn(), id)
}

// Update is [Assets.Update] for a locked pending file. It ends approvals of
// proposals that name it, since they were for the former metadata.
func (s *Pending) Update(tx *sqldb.Tx, p PendingFile, patch octavo.AssetPatch, match sqldb.IfMatch) (octavo.Asset, error) {
	changed, err := apply(tx, "pending_assets", &p.Asset, patch, match)
	if err != nil || !changed {
		return p.Asset, err
	}
	_, err = tx.Exec(`UPDATE proposals SET content = content + 1 WHERE id IN (
		SELECT g.proposal_id FROM proposal_files f JOIN proposal_changes g ON g.id = f.change_id WHERE f.asset_id = $1)`, p.ID)
	return p.Asset, octavo.Wrapf(err, "end the approvals of what names %s", p.ID)
}

// Delete is [Assets.Delete] for a locked pending file. Unless forced, it is
// a Conflict while a proposal that the viewer sees names the file.
func (s *Pending) Delete(tx *sqldb.Tx, v Viewer, p PendingFile, force bool, match sqldb.IfMatch) (unused string, err error) {
	if err := check(match, &p.Asset); err != nil {
		return "", err
	}
	if !force {
		const most = 10
		var a sqldb.Args
		proposals, err := sqldb.Collect(tx.Context(), tx.Conn(), sqldb.Column[octavo.ID], `SELECT DISTINCT p.id FROM `+namedBy+`
			WHERE f.asset_id = `+a.Add(p.ID)+` AND `+sqldb.SeesProposal(&a, v.ID, v.PublishedOnly, "p")+` ORDER BY p.id LIMIT `+a.Add(most+1), a...)
		if err != nil {
			return "", fmt.Errorf("read the proposals that name %s: %w", p.ID, err)
		}
		if err := usedBy(p.ID, nil, proposals, most); err != nil {
			return "", err
		}
	}
	if _, err := tx.Exec(`DELETE FROM pending_assets WHERE id = $1`, p.ID); err != nil {
		return "", fmt.Errorf("delete pending file %s: %w", p.ID, err)
	}
	return release(tx, p.SHA256)
}

// Keep turns the pending files that a proposal names into assets, as part of its merge.
func (s *Pending) Keep(tx *sqldb.Tx, proposal octavo.ID) error {
	// A separate statement, which waits for transactions that change one of them.
	var a sqldb.Args
	if _, err := tx.Exec(`UPDATE pending_assets SET version = version + 1 WHERE `+namedIn(&a, proposal), a...); err != nil {
		return fmt.Errorf("lock the files of proposal %s: %w", proposal, err)
	}
	a = nil
	assets, err := sqldb.Collect(tx.Context(), tx.Conn(), func(row sqldb.Scanner) (octavo.Asset, error) { return scanAsset(row) },
		`SELECT `+assetColumns+` FROM `+pendingTables+` WHERE a.`+namedIn(&a, proposal)+` ORDER BY a.id`, a...)
	if err != nil {
		return fmt.Errorf("read the files of proposal %s: %w", proposal, err)
	}
	for i := range assets {
		asset := &assets[i]
		asset.UpdatedAt = tx.After(asset.UpdatedAt)
		if _, err := tx.Exec(`DELETE FROM pending_assets WHERE id = $1`, asset.ID); err != nil {
			return fmt.Errorf("keep file %s: %w", asset.ID, err)
		}
		if err := insert(tx, asset); err != nil {
			return err
		}
	}
	return nil
}

// pendingUnused is the condition for a pending file that no change has named
// since a time. A change that begins to name one sets used_at, and this
// statement waits for that.
const pendingUnused = `used_at <= $1 AND NOT EXISTS (SELECT 1 FROM proposal_files f WHERE f.asset_id = pending_assets.id)`

// sweep removes files that no proposal has named for KeepPending. The sweep
// of the blob store removes their bytes.
func (s *Pending) sweep(ctx context.Context) error {
	cutoff := s.db.Now().Add(-KeepPending).UnixMilli()
	for {
		ids, err := sqldb.Collect(ctx, s.read, sqldb.Column[octavo.ID], `SELECT id FROM pending_assets WHERE `+pendingUnused+` ORDER BY used_at LIMIT 100`, cutoff)
		if err != nil {
			return fmt.Errorf("look for pending files that nothing names: %w", err)
		}
		for _, id := range ids {
			err := s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
				var hash string
				found, err := tx.Row([]any{&hash}, `DELETE FROM pending_assets WHERE `+pendingUnused+` AND id = $2 RETURNING hash`, cutoff, id)
				if err == nil && found {
					_, err = release(tx, hash)
				}
				return err
			})
			if err != nil {
				return fmt.Errorf("remove pending file %s: %w", id, err)
			}
		}
		if len(ids) == 0 {
			return nil
		}
	}
}
