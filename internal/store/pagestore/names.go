package pagestore

import (
	"context"
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// NameKey is one of the names by which links find pages: an identifier, a path key or a
// slug; the others are "".
type NameKey struct {
	Page       octavo.ID
	Path, Slug string
}

// Keys returns the names of a candidate, in the order in which they count.
func (t Target) Keys() []NameKey {
	if t.Page != "" {
		return []NameKey{{Page: t.Page}}
	}
	keys := []NameKey{{Path: sqldb.Indexed(t.Path)}}
	if t.Slug != "" {
		keys = append(keys, NameKey{Slug: t.Slug})
	}
	return keys
}

// Name is a page that has a name.
type Name struct {
	Key       NameKey
	Page      octavo.ID
	Slug      string // its own one
	Source    string
	ImportSet string
	Former    bool // a slug that leads to the page no more than by redirect
	Hidden    bool // the audience does not see the page
}

// Named returns the pages that have some names. Which of them a link means is what
// leadsTo says.
func Named(ctx context.Context, c sqldb.Conn, aud octavo.Audience, keys []NameKey) (names []Name, err error) {
	var ids, paths, slugs []string
	for _, k := range keys {
		switch {
		case k.Page != "":
			ids = append(ids, sqldb.Plain(string(k.Page)))
		case k.Path != "":
			paths = append(paths, k.Path)
		default:
			slugs = append(slugs, k.Slug)
		}
	}
	for _, look := range []struct {
		keys                 []string
		key, former, in, has string
	}{
		{ids, "p.id, '', ''", "1 = 0", "pages p", "p.deleted_at IS NULL AND p.id"},
		{paths, "'', p.path_key, ''", "1 = 0", "pages p", "p.deleted_at IS NULL AND p.path_key <> '' AND p.path_key"},
		{slugs, "'', '', s.slug", "s.state <> 'current'", "slugs s JOIN pages p ON p.id = s.page_id", "s.state <> 'released' AND s.slug"},
	} {
		for some := range slices.Chunk(look.keys, fewPages) {
			var a sqldb.Args
			err := c.Query(ctx, func(row sqldb.Scanner) error {
				var n Name
				err := row.Scan(&n.Key.Page, &n.Key.Path, &n.Key.Slug, &n.Page, &n.Slug, &n.Source, &n.ImportSet, &n.Former, &n.Hidden)
				names = append(names, n)
				return err
			}, `SELECT `+look.key+`, p.id, p.slug, p.path, p.import_set, `+look.former+`, NOT (`+sqldb.Visible(aud, "p")+`)
				FROM `+look.in+` WHERE `+look.has+` IN `+sqldb.List(&a, some), a...)
			if err != nil {
				return nil, fmt.Errorf("look up %d names of pages: %w", len(keys), err)
			}
		}
	}
	return names, nil
}

// SlugsOf returns the slugs of a page, current and former.
func SlugsOf(ctx context.Context, c sqldb.Conn, id octavo.ID) ([]string, error) {
	slugs, err := sqldb.Collect(ctx, c, sqldb.Column[string], `SELECT slug FROM slugs WHERE page_id = $1 AND state <> 'released' ORDER BY slug`, id)
	if err != nil {
		return nil, fmt.Errorf("read the slugs of page %s: %w", id, err)
	}
	return slugs, nil
}
