package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/octavo-docs/octavo"
)

// Asset returns an asset, or a NotFound error. Its URL is for the caller to
// fill in, here and elsewhere.
func (s *Store) Asset(ctx context.Context, aud octavo.Audience, id octavo.ID) (octavo.Asset, error) {
	if !octavo.ValidIdentifier(string(id)) {
		return octavo.Asset{}, errNoAsset(id)
	}
	return oneAsset(ctx, s.read, id, `a.id = $1 AND `+assetVisible(aud), id)
}

// AssetFile is an asset together with where its bytes are.
type AssetFile struct {
	octavo.Asset
	Blob string // key in the blob store
}

// AssetByKey returns the asset whose address has the key, or a NotFound error.
func (s *Store) AssetByKey(ctx context.Context, key string) (AssetFile, error) {
	files, err := collect(ctx, s.read, func(row scanner) (f AssetFile, err error) {
		f.Asset, err = scanAsset(row, &f.Blob)
		return f, err
	}, `SELECT `+assetColumns+`, b.key FROM `+assetTables+` WHERE a.key = $1`, plain(key))
	if err != nil {
		return AssetFile{}, fmt.Errorf("look up an asset by its address: %w", err)
	}
	if len(files) == 0 {
		return AssetFile{}, octavo.Errorf(octavo.NotFound, "No file has this address.")
	}
	return files[0], nil
}

func oneAsset(ctx context.Context, c conn, id octavo.ID, condition string, args ...any) (octavo.Asset, error) {
	assets, err := collect(ctx, c, func(row scanner) (octavo.Asset, error) { return scanAsset(row) },
		`SELECT `+assetColumns+` FROM `+assetTables+` WHERE `+condition, args...)
	if err != nil {
		return octavo.Asset{}, fmt.Errorf("read asset %s: %w", id, err)
	}
	if len(assets) == 0 {
		return octavo.Asset{}, errNoAsset(id)
	}
	return assets[0], nil
}

// ListAssets returns at most q.Limit assets and whether more follow.
func (s *Store) ListAssets(ctx context.Context, aud octavo.Audience, q AssetQuery) (assets []octavo.Asset, more bool, err error) {
	ctx, end, err := s.lists.enter(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("list assets: %w", err)
	}
	defer end()
	var a args
	assets, err = collect(ctx, s.read, meteredAsset(ctx), assetStatement(aud, q, &a), a...)
	if err != nil {
		return nil, false, fmt.Errorf("list assets: %w", err)
	}
	assets, more = cut(assets, q.Limit)
	return assets, more, nil
}

// assetStatement puts the query together. There is an index for every filter,
// so a page of the list costs the same however many assets there are.
func assetStatement(aud octavo.Audience, q AssetQuery, a *args) string {
	id, from, where := "a.id", assetTables, assetVisible(aud)
	if q.Tag != "" {
		// SQLite keeps to the order of CROSS JOIN, which is that of the index.
		id, from = "t.asset_id", "asset_tags t CROSS JOIN "+assetTables
		where += " AND a.id = t.asset_id AND t.tag = " + a.add(indexed(q.Tag))
	}
	if kind, all := strings.CutSuffix(q.ContentType, "/*"); all {
		where += " AND a.kind = " + a.add(plain(kind))
	} else if q.ContentType != "" {
		where += " AND a.media_type = " + a.add(plain(q.ContentType))
	}
	if q.Unused != nil {
		if *q.Unused {
			where += " AND NOT"
		} else {
			where += " AND"
		}
		where += " " + assetUsed(aud)
	}
	if q.After != "" {
		where += " AND " + id + " > " + a.add(plain(string(q.After)))
	}
	return "SELECT " + assetColumns + " FROM " + from + " WHERE " + where + " ORDER BY " + id + " LIMIT " + a.add(q.Limit+1)
}

// PageAssets returns the assets that each of the pages refers to, from the
// oldest on, with the references. At most 1,000 ids.
func (s *Store) PageAssets(ctx context.Context, aud octavo.Audience, ids []octavo.ID) (map[octavo.ID][]octavo.Asset, error) {
	var a args
	assets := map[octavo.ID][]octavo.Asset{}
	added := s.included(ctx)
	err := s.read.query(ctx, func(row scanner) error {
		var page octavo.ID
		var href string
		asset, err := scanAsset(row, &page, &href)
		if err != nil {
			return err
		}
		list := assets[page]
		if len(list) == 0 || list[len(list)-1].ID != asset.ID {
			list = append(list, asset)
		}
		last := &list[len(list)-1]
		last.References = append(last.References, href)
		assets[page] = list
		return added.add(len(href) + len(asset.Metadata.AppendJSON(nil)))
	}, `SELECT DISTINCT `+assetColumns+`, u.page_id, u.href
		FROM page_assets u JOIN pages p ON p.id = u.page_id JOIN asset_targets t ON t.target = u.target
		JOIN assets a ON a.id = t.asset_id JOIN blobs b ON b.hash = a.hash
		WHERE u.page_id IN `+list(&a, ids)+` AND `+visible(aud, "p")+`
		ORDER BY u.page_id, a.id, u.href`, a...)
	if err != nil {
		return nil, fmt.Errorf("read the assets of %d pages: %w", len(ids), err)
	}
	return assets, nil
}

// AssetUse is what a page calls an asset.
type AssetUse struct {
	Href   string
	Target string // what it means by that, see AssetTarget; for a path as it is
	Asset  octavo.ID
}

// AssetUses returns what the pages call assets, by the page and in the order of
// what is written; where that may mean several assets they follow one another, see
// Meant. It reads nothing of the assets themselves, which may be many times what
// the pages are. At most 1,000 ids.
func (s *Store) AssetUses(ctx context.Context, aud octavo.Audience, ids []octavo.ID) (map[octavo.ID][]AssetUse, error) {
	var a args
	uses, err := s.assetUses(ctx, aud, `u.page_id IN `+list(&a, ids), a...)
	if err != nil {
		return nil, fmt.Errorf("read which assets %d pages use: %w", len(ids), err)
	}
	return uses, nil
}

// AllAssetUses is AssetUses of all pages.
func (s *Store) AllAssetUses(ctx context.Context, aud octavo.Audience) (map[octavo.ID][]AssetUse, error) {
	uses, err := s.assetUses(ctx, aud, `TRUE`)
	if err != nil {
		return nil, fmt.Errorf("read which assets pages use: %w", err)
	}
	return uses, nil
}

func (s *Store) assetUses(ctx context.Context, aud octavo.Audience, which string, a ...any) (map[octavo.ID][]AssetUse, error) {
	uses := map[octavo.ID][]AssetUse{}
	err := s.slow().query(ctx, func(row scanner) error {
		var page octavo.ID
		var use AssetUse
		err := row.Scan(&page, &use.Href, &use.Target, &use.Asset)
		uses[page] = append(uses[page], use)
		return err
	}, `SELECT u.page_id, u.href, u.target, t.asset_id
		FROM page_assets u JOIN pages p ON p.id = u.page_id JOIN asset_targets t ON t.target = u.target
		WHERE `+which+` AND `+visible(aud, "p")+`
		ORDER BY u.page_id, u.href, u.target`, a...)
	return uses, err
}

// Meant leaves one of the uses of each href: of those that follow one another the
// one that first tells, by its place among their targets. It changes uses.
func Meant(uses []AssetUse, first func(href string, targets []string) int) []AssetUse {
	meant := uses[:0]
	var targets []string
	for len(uses) > 0 {
		href := uses[0].Href
		targets = targets[:0]
		for n := 0; n < len(uses) && uses[n].Href == href; n++ {
			targets = append(targets, uses[n].Target)
		}
		meant = append(meant, uses[first(href, targets)])
		uses = uses[len(targets):]
	}
	return meant
}

// assetPages returns at most limit pages that refer to an asset, by id.
func (tx *Tx) assetPages(id octavo.ID, limit int) ([]octavo.ID, error) {
	pages, err := collect(tx.ctx, tx.c, column[octavo.ID], `SELECT DISTINCT p.id
		FROM `+usesOf("$1")+` AND `+visible(octavo.Audience{}, "p")+` ORDER BY p.id LIMIT $2`, id, limit)
	if err != nil {
		return nil, fmt.Errorf("read the pages that refer to asset %s: %w", id, err)
	}
	return pages, nil
}
