package assetstore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Get returns an asset, or a NotFound error. The caller fills in its URL,
// here and elsewhere.
func (s *Assets) Get(ctx context.Context, aud octavo.Audience, id octavo.ID) (octavo.Asset, error) {
	if !octavo.ValidIdentifier(string(id)) {
		return octavo.Asset{}, errNoAsset(id)
	}
	return oneAsset(ctx, s.read, id, `a.id = $1 AND `+assetVisible(aud), id)
}

// File is an asset and where its bytes are.
type File struct {
	octavo.Asset
	Blob string // key in the blob store
}

// ByKey returns the asset whose address has the key, or a NotFound error.
func (s *Assets) ByKey(ctx context.Context, key string) (File, error) {
	return sqldb.One(ctx, s.read, "look up an asset by its address", errNoFile(), func(row sqldb.Scanner) (f File, err error) {
		f.Asset, err = scanAsset(row, &f.Blob)
		return f, err
	}, `SELECT `+assetColumns+`, b.key FROM `+assetTables+` WHERE a.key = $1`, sqldb.Plain(key))
}

func oneAsset(ctx context.Context, c sqldb.Conn, id octavo.ID, condition string, args ...any) (octavo.Asset, error) {
	return sqldb.One(ctx, c, "read asset "+string(id), errNoAsset(id), func(row sqldb.Scanner) (octavo.Asset, error) { return scanAsset(row) },
		`SELECT `+assetColumns+` FROM `+assetTables+` WHERE `+condition, args...)
}

// List returns at most q.Limit assets and whether more follow.
func (s *Assets) List(ctx context.Context, aud octavo.Audience, q Query) (assets []octavo.Asset, more bool, err error) {
	ctx, end, err := s.db.List(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("list assets: %w", err)
	}
	defer end()
	var a sqldb.Args
	assets, err = sqldb.Collect(ctx, s.read, metered(ctx), assetStatement(aud, q, &a), a...)
	if err != nil {
		return nil, false, fmt.Errorf("list assets: %w", err)
	}
	if assets, err = s.addPending(ctx, q, assets); err != nil {
		return nil, false, err
	}
	assets, more = sqldb.Cut(assets, q.Limit)
	return assets, more, nil
}

// assetStatement builds the query. There is an index for every filter, so a
// page of the list costs the same however many assets there are.
func assetStatement(aud octavo.Audience, q Query, a *sqldb.Args) string {
	id, from, where := "a.id", assetTables, assetVisible(aud)
	if q.Tag != "" {
		// SQLite keeps the order of CROSS JOIN, which is that of the index.
		id, from = "t.asset_id", "asset_tags t CROSS JOIN "+assetTables
		where += " AND a.id = t.asset_id AND t.tag = " + a.Add(sqldb.Indexed(q.Tag))
	}
	where += q.ofType(a)
	if q.Unused != nil {
		if *q.Unused {
			where += " AND NOT"
		} else {
			where += " AND"
		}
		where += " " + assetUsed(aud)
	}
	if q.After != "" {
		where += " AND " + id + " > " + a.Add(sqldb.Plain(string(q.After)))
	}
	return "SELECT " + assetColumns + " FROM " + from + " WHERE " + where + " ORDER BY " + id + " LIMIT " + a.Add(q.Limit+1)
}

func (q Query) ofType(a *sqldb.Args) string {
	if kind, all := strings.CutSuffix(q.ContentType, "/*"); all {
		return " AND a.kind = " + a.Add(sqldb.Plain(kind))
	} else if q.ContentType != "" {
		return " AND a.media_type = " + a.Add(sqldb.Plain(q.ContentType))
	}
	return ""
}

// PartPages returns the pages that refer to those of the assets that may be
// included in pages: text of any kind. At most 1,000 ids.
func (s *Assets) PartPages(ctx context.Context, ids []octavo.ID) ([]octavo.ID, error) {
	var a sqldb.Args
	pages, err := sqldb.Collect(ctx, s.db.Slow(), sqldb.Column[octavo.ID], `SELECT DISTINCT u.page_id
		FROM assets a CROSS JOIN asset_targets t CROSS JOIN page_assets u
		WHERE a.id IN `+sqldb.List(&a, ids)+` AND a.source <> '' AND a.kind NOT IN ('image', 'video', 'audio', 'font')
			AND t.asset_id = a.id AND u.target = t.target`, a...)
	return pages, octavo.Wrapf(err, "look for the pages that take in %d assets", len(ids))
}

// OfPages returns the assets that each page refers to, oldest first, with
// the references. At most 1,000 ids.
func (s *Assets) OfPages(ctx context.Context, aud octavo.Audience, ids []octavo.ID) (map[octavo.ID][]octavo.Asset, error) {
	var a sqldb.Args
	assets := map[octavo.ID][]octavo.Asset{}
	added := sqldb.NewIncluded(ctx, s.most)
	err := s.read.Query(ctx, func(row sqldb.Scanner) error {
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
		return added.Add(len(href) + len(asset.Metadata.AppendJSON(nil)))
	}, `SELECT DISTINCT `+assetColumns+`, u.page_id, u.href
		FROM page_assets u JOIN pages p ON p.id = u.page_id JOIN asset_targets t ON t.target = u.target
		JOIN assets a ON a.id = t.asset_id JOIN blobs b ON b.hash = a.hash
		WHERE u.page_id IN `+sqldb.List(&a, ids)+` AND `+sqldb.Visible(aud, "p")+`
		ORDER BY u.page_id, a.id, u.href`, a...)
	return assets, octavo.Wrapf(err, "read the assets of %d pages", len(ids))
}

// Use is a page's reference to an asset.
type Use struct {
	Href   string
	Target string // what it refers to, see AssetTarget; a path unchanged
	Asset  octavo.ID
}

// Uses returns the pages' references to assets, by page and in the order of
// the text. If a reference may mean several assets, its uses follow one
// another, see Meant. It reads nothing of the assets themselves, which may
// be much larger than the pages. At most 1,000 ids.
func (s *Assets) Uses(ctx context.Context, aud octavo.Audience, ids []octavo.ID) (map[octavo.ID][]Use, error) {
	var a sqldb.Args
	uses, err := s.uses(ctx, aud, `u.page_id IN `+sqldb.List(&a, ids), a...)
	return uses, octavo.Wrapf(err, "read which assets %d pages use", len(ids))
}

// Reference is a reference in a text and the assets that it may mean.
type Reference struct {
	Href    string
	Targets []string // see Target
}

// Named resolves references of a text that is not stored as a page, and
// returns them like Uses.
func (s *Assets) Named(ctx context.Context, references []Reference) (uses []Use, err error) {
	var targets []string
	for _, r := range references {
		targets = append(targets, r.Targets...)
	}
	assets := map[string]octavo.ID{}
	for some := range slices.Chunk(targets, maxTargets) {
		var a sqldb.Args
		keys := make([]string, len(some))
		for i, target := range some {
			keys[i] = sqldb.Indexed(target)
		}
		found, err := sqldb.Pairs[string, octavo.ID](ctx, s.read, `SELECT target, asset_id FROM asset_targets WHERE target IN `+sqldb.List(&a, keys), a...)
		if err != nil {
			return nil, fmt.Errorf("look up %d assets: %w", len(some), err)
		}
		maps.Copy(assets, found)
	}
	for _, r := range references {
		for _, target := range r.Targets {
			if id, found := assets[sqldb.Indexed(target)]; found {
				uses = append(uses, Use{r.Href, target, id})
			}
		}
	}
	return uses, nil
}

const maxTargets = 100

// AllUses is Uses for all pages.
func (s *Assets) AllUses(ctx context.Context, aud octavo.Audience) (map[octavo.ID][]Use, error) {
	uses, err := s.uses(ctx, aud, `TRUE`)
	return uses, octavo.Wrapf(err, "read which assets pages use")
}

func (s *Assets) uses(ctx context.Context, aud octavo.Audience, which string, a ...any) (map[octavo.ID][]Use, error) {
	uses := map[octavo.ID][]Use{}
	err := s.db.Slow().Query(ctx, func(row sqldb.Scanner) error {
		var page octavo.ID
		var use Use
		err := row.Scan(&page, &use.Href, &use.Target, &use.Asset)
		uses[page] = append(uses[page], use)
		return err
	}, `SELECT u.page_id, u.href, u.target, t.asset_id
		FROM page_assets u JOIN pages p ON p.id = u.page_id JOIN asset_targets t ON t.target = u.target
		WHERE `+which+` AND `+sqldb.Visible(aud, "p")+`
		ORDER BY u.page_id, u.href, u.target`, a...)
	return uses, err
}

// Meant keeps one use of each href: from consecutive uses, the one that
// first selects, by its index among their targets. It changes uses.
func Meant(uses []Use, first func(href string, targets []string) int) []Use {
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

func assetPages(tx *sqldb.Tx, id octavo.ID, limit int) ([]octavo.ID, error) {
	pages, err := sqldb.Collect(tx.Context(), tx.Conn(), sqldb.Column[octavo.ID], `SELECT DISTINCT p.id
		FROM `+usesOf("$1")+` AND `+sqldb.Visible(octavo.Audience{}, "p")+` ORDER BY p.id LIMIT $2`, id, limit)
	return pages, octavo.Wrapf(err, "read the pages that refer to asset %s", id)
}

// Pages returns at most limit pages after one that the audience sees and
// that refer to an asset, and whether more follow. The error is NotFound if
// the audience does not see the asset.
func (s *Assets) Pages(ctx context.Context, aud octavo.Audience, id, after octavo.ID, limit int) (pages []octavo.PageSummary, more bool, err error) {
	ctx, end, err := s.db.List(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("list the pages of an asset: %w", err)
	}
	defer end()
	if _, err := s.Get(ctx, aud, id); err != nil {
		return nil, false, err
	}
	pages, err = sqldb.Collect(ctx, s.read, func(row sqldb.Scanner) (p octavo.PageSummary, err error) {
		err = row.Scan(&p.ID, &p.Title, &p.Slug, &p.Status)
		return p, err
	}, `SELECT DISTINCT p.id, p.title, p.slug, p.status FROM `+usesOf("$1")+` AND p.id > $2 AND `+sqldb.Visible(aud, "p")+` ORDER BY p.id LIMIT $3`,
		id, sqldb.Plain(string(after)), limit+1)
	if err != nil {
		return nil, false, fmt.Errorf("list the pages of asset %s: %w", id, err)
	}
	pages, more = sqldb.Cut(pages, limit)
	return pages, more, nil
}

// FilesByID returns those of the assets that the audience sees, by id, with
// the location of their bytes. At most 1,000 ids.
func (s *Assets) FilesByID(ctx context.Context, aud octavo.Audience, ids []octavo.ID) (map[octavo.ID]File, error) {
	var a sqldb.Args
	files := make(map[octavo.ID]File, len(ids))
	err := s.db.Slow().Query(ctx, func(row sqldb.Scanner) (err error) {
		var f File
		f.Asset, err = scanAsset(row, &f.Blob)
		files[f.ID] = f
		return err
	}, `SELECT `+assetColumns+`, b.key FROM `+assetTables+` WHERE a.id IN `+sqldb.List(&a, ids)+` AND `+assetVisible(aud), a...)
	return files, octavo.Wrapf(err, "read %d assets", len(ids))
}
