package assetstore

import (
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Create creates an asset and its event. If the store has the bytes already, they are
// used again: then kept is false, and those of n.Blob can be removed after the commit.
//
// Bytes and row cannot miss each other: a key of the blob store is used once, and the
// last transaction that locks the row of the blob sees what the other one did.
func (s *Assets) Create(tx *sqldb.Tx, n NewAsset) (asset octavo.Asset, kept bool, err error) {
	if err := checkFiles(tx, n.FilesID); err != nil {
		return octavo.Asset{}, false, err
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
		Metadata: n.Metadata, Source: sqldb.Plain(n.Source), CreatedAt: tx.Now(), UpdatedAt: tx.Now(), Version: 1,
	}
	return asset, blob == n.Blob.Key, insert(tx, &asset)
}

// assetInserted are the columns of a new asset, in the order of inserted.
const assetInserted = `id, key, hash, content_type, media_type, kind, name, width, height, metadata, source, version, created_at, updated_at`

func inserted(a *octavo.Asset) []any {
	media, kind := mediaType(a.ContentType)
	return []any{
		a.ID, a.Key, a.SHA256, a.ContentType, media, kind, a.Name, a.Width, a.Height,
		string(a.Metadata.AppendJSON(nil)), a.Source, a.Version, a.CreatedAt.UnixMilli(), a.UpdatedAt.UnixMilli(),
	}
}

// insert writes a new asset, whose bytes are counted already, and its event.
func insert(tx *sqldb.Tx, asset *octavo.Asset) error {
	if _, err := tx.Exec(`INSERT INTO assets (`+assetInserted+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`, inserted(asset)...); err != nil {
		return fmt.Errorf("create asset %s: %w", asset.ID, err)
	}
	for _, target := range []string{Target(asset.Key), asset.Source} {
		if target == "" {
			continue
		}
		if err := fileAsset(tx, asset.ID, target); err != nil {
			return fmt.Errorf("file asset %s under %s: %w", asset.ID, target, err)
		}
	}
	if asset.Source != "" {
		if err := nameAsset(tx, asset.ID, "//"+strings.ToLower(path.Base(asset.Source))); err != nil {
			return fmt.Errorf("file asset %s under its name: %w", asset.ID, err)
		}
	}
	if err := tagAsset(tx, asset); err != nil {
		return err
	}
	return recordAsset(tx, octavo.AssetCreated, asset)
}

func useBlob(tx *sqldb.Tx, b Blob) (key string, err error) {
	_, err = tx.Row([]any{&key}, `INSERT INTO blobs (hash, key, size, uses) VALUES ($1, $2, $3, 1)
		ON CONFLICT (hash) DO UPDATE SET uses = blobs.uses + 1 RETURNING key`,
		hex.EncodeToString(b.Hash[:]), b.Key, b.Size)
	return key, octavo.Wrapf(err, "use blob %s", b.Key)
}

// MoveBlob records that bytes in use moved to another key, and reports
// whether the former one was still in use.
func (s *Assets) MoveBlob(tx *sqldb.Tx, from, to string) (moved bool, err error) {
	n, err := tx.Exec(`UPDATE blobs SET key = $2 WHERE key = $1`, from, to)
	return n > 0, octavo.Wrapf(err, "move blob %s to %s", from, to)
}

// fileAsset makes a target lead to an asset. A path is taken from the asset
// that was imported from it before, which records a change of that asset.
func fileAsset(tx *sqldb.Tx, id octavo.ID, target string) error {
	// A concurrent transaction with the same target waits here, and then
	// sees the result of this one.
	var holder octavo.ID
	if _, err := tx.Row([]any{&holder}, `INSERT INTO asset_targets (target, asset_id) VALUES ($1, $2)
		ON CONFLICT (target) DO UPDATE SET asset_id = asset_targets.asset_id RETURNING asset_id`, sqldb.Indexed(target), id); err != nil {
		return err
	}
	if holder == id {
		return reviewed(tx, id, "t.target", sqldb.Indexed(target)) // pages may already refer to it
	}
	if err := reviewed(tx, holder, "t.target", sqldb.Indexed(target)); err != nil {
		return err
	}
	former, err := loadAsset(tx, holder)
	if err != nil {
		return err
	}
	former.Version++
	former.UpdatedAt = tx.After(former.UpdatedAt)
	if _, err := tx.Exec(`UPDATE assets SET source = '', version = $2, updated_at = $3 WHERE id = $1`,
		holder, former.Version, former.UpdatedAt.UnixMilli()); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE asset_targets SET asset_id = $2 WHERE target = $1`, sqldb.Indexed(target), id); err != nil {
		return err
	}
	return recordAsset(tx, octavo.AssetUpdated, &former)
}

// nameAsset makes a file name, as in wiki links, lead to an asset, unless it
// leads to one with that name.
func nameAsset(tx *sqldb.Tx, id octavo.ID, name string) error {
	named, err := tx.Exec(`INSERT INTO asset_targets (target, asset_id) VALUES ($1, $2) ON CONFLICT (target) DO NOTHING`, sqldb.Indexed(name), id)
	if err != nil || named == 0 {
		return err
	}
	return reviewed(tx, id, "t.target", sqldb.Indexed(name))
}

// Update changes the metadata of an asset. A patch without effect causes no event.
func (s *Assets) Update(tx *sqldb.Tx, id octavo.ID, patch octavo.AssetPatch, match sqldb.IfMatch) (octavo.Asset, error) {
	asset, err := loadAsset(tx, id)
	if err != nil {
		return octavo.Asset{}, err
	}
	if changed, err := apply(tx, "assets", &asset, patch, match); err != nil || !changed {
		return asset, err
	}
	if err := reviewed(tx, id, "t.asset_id", string(id)); err != nil {
		return octavo.Asset{}, err
	}
	if _, err := tx.Exec(`DELETE FROM asset_tags WHERE asset_id = $1`, id); err != nil {
		return octavo.Asset{}, fmt.Errorf("remove the tags of asset %s: %w", id, err)
	}
	if err := tagAsset(tx, &asset); err != nil {
		return octavo.Asset{}, err
	}
	return asset, recordAsset(tx, octavo.AssetUpdated, &asset)
}

// apply writes changed metadata into assets or pending_assets.
func apply(tx *sqldb.Tx, table string, asset *octavo.Asset, patch octavo.AssetPatch, match sqldb.IfMatch) (changed bool, err error) {
	if err := check(match, asset); err != nil {
		return false, err
	}
	before := string(asset.Metadata.AppendJSON(nil))
	asset.Metadata = patch.Apply(asset.Metadata)
	after := string(asset.Metadata.AppendJSON(nil))
	if before == after {
		return false, nil
	}
	asset.Version++
	asset.UpdatedAt = tx.After(asset.UpdatedAt)
	_, err = tx.Exec(`UPDATE `+table+` SET metadata = $2, version = $3, updated_at = $4 WHERE id = $1`,
		asset.ID, after, asset.Version, asset.UpdatedAt.UnixMilli())
	return true, octavo.Wrapf(err, "update asset %s", asset.ID)
}

// Delete deletes an asset permanently. If pages refer to it, it is a Conflict unless
// forced. It returns the key of bytes that can be removed after the commit, or "".
func (s *Assets) Delete(tx *sqldb.Tx, id octavo.ID, force bool, match sqldb.IfMatch) (unused string, err error) {
	asset, err := loadAsset(tx, id)
	if err != nil {
		return "", err
	}
	if err := check(match, &asset); err != nil {
		return "", err
	}
	if !force {
		if err := refuseUsed(tx, id); err != nil {
			return "", err
		}
	}
	if err := reviewed(tx, id, "t.asset_id", string(id)); err != nil {
		return "", err
	}
	if _, err := tx.Exec(`DELETE FROM assets WHERE id = $1`, id); err != nil {
		return "", fmt.Errorf("delete asset %s: %w", id, err)
	}
	if unused, err = release(tx, asset.SHA256); err != nil {
		return "", err
	}
	asset.Version++
	return unused, recordAsset(tx, octavo.AssetDeleted, &asset)
}

// release counts one use of bytes less, and returns their key if it was the last.
func release(tx *sqldb.Tx, hash string) (unused string, err error) {
	if _, err := tx.Exec(`UPDATE blobs SET uses = uses - 1 WHERE hash = $1`, hash); err != nil {
		return "", fmt.Errorf("count the uses of blob %s: %w", hash, err)
	}
	_, err = tx.Row([]any{&unused}, `DELETE FROM blobs WHERE hash = $1 AND uses = 0 RETURNING key`, hash)
	return unused, octavo.Wrapf(err, "delete blob %s", hash)
}

func check(match sqldb.IfMatch, a *octavo.Asset) error {
	if match != nil && !match(a.ID, a.Version) {
		return octavo.Errorf(octavo.PreconditionFailed, "Asset %s has changed since it was read.", a.ID)
	}
	return nil
}

// refuseUsed returns a Conflict if pages refer to the asset, or the site
// settings name it.
func refuseUsed(tx *sqldb.Tx, id octavo.ID) error {
	const most = 10
	pages, err := assetPages(tx, id, most+1)
	if err != nil {
		return err
	}
	site, err := tx.Row([]any{new(int)}, `SELECT 1 FROM site_assets WHERE asset_id = $1`, id)
	if err != nil {
		return fmt.Errorf("look whether the site shows asset %s: %w", id, err)
	}
	var names []string
	if site {
		names = []string{"the settings of the site"}
	}
	return usedBy(id, names, pages, most)
}

// usedBy returns the Conflict for an asset in use. It names at most most users.
func usedBy(id octavo.ID, names []string, users []octavo.ID, most int) error {
	users, more := sqldb.Cut(users, most)
	for _, user := range users {
		names = append(names, string(user))
	}
	if len(names) == 0 {
		return nil
	}
	text := strings.Join(names, ", ")
	if more {
		text += " and others"
	}
	return octavo.Errorf(octavo.Conflict, "Asset %s is used by %s. Set force=true to delete it anyway.", id, text)
}

// loadAsset reads an asset for a change and keeps other transactions from
// changing it.
func loadAsset(tx *sqldb.Tx, id octavo.ID) (octavo.Asset, error) {
	if !octavo.ValidIdentifier(string(id)) {
		return octavo.Asset{}, errNoAsset(id)
	}
	// A separate statement: one that also reads would return the state from
	// before it waited.
	if _, err := tx.Exec(`UPDATE assets SET version = version WHERE id = $1`, id); err != nil {
		return octavo.Asset{}, fmt.Errorf("lock asset %s: %w", id, err)
	}
	return oneAsset(tx.Context(), tx.Conn(), id, `a.id = $1`, id)
}

func tagAsset(tx *sqldb.Tx, asset *octavo.Asset) error {
	for _, tag := range asset.Metadata.Tags {
		if _, err := tx.Exec(`INSERT INTO asset_tags (tag, asset_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
			sqldb.Indexed(tag), asset.ID); err != nil {
			return fmt.Errorf("write the tags of asset %s: %w", asset.ID, err)
		}
	}
	return nil
}

// recordAsset records an event of an asset, which published-only credentials never get.
func recordAsset(tx *sqldb.Tx, kind octavo.EventType, asset *octavo.Asset) error {
	id, err := tx.NewID(octavo.PrefixEvent)
	if err != nil {
		return err
	}
	tx.TouchFile(asset.Key) // pages may show another file from now on
	return changelog.Record(tx, id, kind, asset.ID, asset.Version, false, changelog.SubjectOnly(asset.ID))
}
