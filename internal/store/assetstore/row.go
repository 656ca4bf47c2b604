package assetstore

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Target is how a reference names the asset with that key. The path of an
// imported file is its own target, without a leading slash.
func Target(key string) string { return "/" + key }

// Blob is bytes under a key of the blob store.
type Blob struct {
	Key  string
	Hash [32]byte // SHA-256
	Size int64
}

// NewAsset is an asset to be created.
type NewAsset struct {
	Blob          Blob
	FilesID       string // the identifier of files under which the bytes were put
	Key           string // the part of its address that cannot be guessed
	Name          string
	ContentType   string
	Width, Height int
	Metadata      octavo.AssetMetadata
	Source        string // path of the imported file, or ""
}

// Query selects assets, oldest first. Zero members do not filter.
type Query struct {
	ContentType string // a media type without parameters, or a kind, as in image/*
	Tag         string
	Unused      *bool     // whether no page that the audience sees refers to it
	Uploader    string    // whose pending files are included; "" for none
	After       octavo.ID // continue after this asset
	Limit       int
}

// assetColumns are the columns that scanAsset reads, of asset a and its blob b.
const assetColumns = `a.id, a.key, a.content_type, b.size, b.hash, a.name, a.width, a.height, a.metadata, a.source,
	a.version, a.created_at, a.updated_at`

// assetTables joins the tables of assetColumns.
const assetTables = `assets a JOIN blobs b ON b.hash = a.hash`

func scanAsset(row sqldb.Scanner, more ...any) (octavo.Asset, error) {
	var (
		a        octavo.Asset
		metadata string
	)
	dest := []any{
		&a.ID, &a.Key, &a.ContentType, &a.Size, &a.SHA256, &a.Name, &a.Width, &a.Height, &metadata, &a.Source,
		&a.Version, sqldb.ScanTime(&a.CreatedAt), sqldb.ScanTime(&a.UpdatedAt),
	}
	if err := row.Scan(append(dest, more...)...); err != nil {
		return octavo.Asset{}, fmt.Errorf("read an asset: %w", err)
	}
	if err := json.Unmarshal([]byte(metadata), &a.Metadata); err != nil {
		return octavo.Asset{}, fmt.Errorf("read the metadata of asset %s: %w", a.ID, err)
	}
	return a, nil
}

// assetUsed is the condition under which a page that the audience sees refers
// to asset a, or the site shows it on every page.
func assetUsed(aud octavo.Audience) string {
	return `(EXISTS (SELECT 1 FROM ` + usesOf("a.id") + ` AND ` + sqldb.Visible(aud, "p") + `) OR EXISTS (SELECT 1 FROM site_assets WHERE asset_id = a.id))`
}

// usesOf returns the pages p that refer to an asset, starting from the asset. SQLite
// keeps the order of CROSS JOIN, and would otherwise start with all published pages.
func usesOf(asset string) string {
	return `asset_targets u0 CROSS JOIN page_assets u CROSS JOIN pages p
		WHERE u0.asset_id = ` + asset + ` AND u.target = u0.target AND p.id = u.page_id`
}

// assetVisible is the condition under which the audience sees asset a:
// published-only audiences see the assets of published pages (decision 22).
func assetVisible(aud octavo.Audience) string {
	if aud.PublishedOnly {
		return assetUsed(aud)
	}
	return "1 = 1"
}

// mediaType returns a content type without its parameters, and its kind.
func mediaType(contentType string) (media, kind string) {
	media, _, _ = strings.Cut(contentType, ";")
	media = strings.TrimSpace(media)
	kind, _, _ = strings.Cut(media, "/")
	return media, kind
}

func errNoAsset(id octavo.ID) error {
	return octavo.Errorf(octavo.NotFound, "There is no asset %q.", id)
}

func errNoFile() error { return octavo.Errorf(octavo.NotFound, "No file has this address.") }

// metered is scanAsset with the meter of the context.
func metered(ctx context.Context) func(sqldb.Scanner) (octavo.Asset, error) {
	return sqldb.Measured(ctx, func(row sqldb.Scanner) (octavo.Asset, error) { return scanAsset(row) }, func(a octavo.Asset) int {
		return len(a.Metadata.AppendJSON(nil))
	})
}
