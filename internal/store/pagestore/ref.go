package pagestore

import (
	"context"
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Ref identifies the state of a page for an audience, without its content.
// Cached data of a page is valid while its reference is the same.
type Ref struct {
	ID       octavo.ID
	Version  int64
	Updated  int64     // Unix milliseconds: a database that was set back may reuse versions
	ParentID octavo.ID // as the audience sees it
}

// RefOf returns the reference of a page that was read.
func RefOf(p octavo.Page) Ref {
	return Ref{ID: p.ID, Version: p.Version, Updated: p.UpdatedAt.UnixMilli(), ParentID: p.ParentID}
}

func refColumns(aud octavo.Audience) string {
	return "p.id, p.version, p.updated_at, COALESCE(" + parentOf(aud) + ", '')"
}

// into returns the Scan destinations of refColumns.
func (r *Ref) into(more ...any) []any {
	return append([]any{&r.ID, &r.Version, &r.Updated, &r.ParentID}, more...)
}

// Ref returns the reference to a page, or a NotFound error.
func (s *Pages) Ref(ctx context.Context, aud octavo.Audience, id octavo.ID) (r Ref, err error) {
	if !octavo.ValidIdentifier(string(id)) {
		return r, errNoPage(id)
	}
	found := false
	if s.db.Shared() { // used by nearly every read
		var refs map[refKey]Ref
		refs, err = s.refs.Share(ctx, refKey{aud, id})
		r, found = refs[refKey{aud, id}]
	} else {
		found, err = s.read.Row(ctx, r.into(),
			"SELECT "+refColumns(aud)+" FROM pages p WHERE p.id = $1 AND "+sqldb.Visible(aud, "p"), id)
	}
	if err != nil {
		return r, fmt.Errorf("read the version of page %s: %w", id, err)
	}
	if !found {
		return r, errNoPage(id)
	}
	return r, nil
}

// refKey identifies a page for an audience.
type refKey struct {
	aud octavo.Audience
	id  octavo.ID
}

// maxRefs is how many references one statement reads.
const maxRefs = 256

// lookAtRefs reads the references of the pages that exist.
func (s *Pages) lookAtRefs(keys []refKey) (map[refKey]Ref, error) {
	ctx, cancel := context.WithTimeout(s.db.Life().Context(), sqldb.ReadTimeout) // after which nobody waits for it
	defer cancel()
	ids := map[octavo.Audience][]octavo.ID{}
	for _, k := range keys {
		ids[k.aud] = append(ids[k.aud], k.id)
	}
	refs := make(map[refKey]Ref, len(keys))
	for aud, ids := range ids {
		for some := range slices.Chunk(ids, maxRefs) {
			var a sqldb.Args
			err := s.read.Query(ctx, func(row sqldb.Scanner) error {
				var r Ref
				err := row.Scan(r.into()...)
				refs[refKey{aud, r.ID}] = r
				return err
			}, "SELECT "+refColumns(aud)+" FROM pages p WHERE p.id IN "+sqldb.List(&a, some)+" AND "+sqldb.Visible(aud, "p"), a...)
			if err != nil {
				return nil, s.db.Life().Err(err)
			}
		}
	}
	return refs, nil
}

// ByFormerPath returns the published page whose file had a path before, by
// path key; "" if there is none, or more than one.
func (s *Pages) ByFormerPath(ctx context.Context, key string) (octavo.ID, error) {
	ids, err := sqldb.Collect(ctx, s.read, sqldb.Column[octavo.ID], `SELECT p.id FROM former_paths f CROSS JOIN pages p
		WHERE f.path_key = $1 AND p.id = f.page_id AND `+sqldb.Visible(octavo.Audience{PublishedOnly: true}, "p")+` LIMIT 2`, sqldb.Indexed(key))
	if err != nil {
		return "", fmt.Errorf("look for a page by a former path: %w", err)
	}
	if len(ids) != 1 {
		return "", nil
	}
	return ids[0], nil
}

// RefBySlug returns the reference of the page of a slug. For a former slug,
// it also returns the current one. Without a page, the error is NotFound.
func (s *Pages) RefBySlug(ctx context.Context, aud octavo.Audience, slug string) (r Ref, moved string, err error) {
	if octavo.CheckSlug(slug) != "" {
		return r, "", errNoSlug(slug)
	}
	var state, present string
	found, err := s.read.Row(ctx, r.into(&present, &state),
		"SELECT "+refColumns(aud)+`, p.slug, s.state FROM slugs s JOIN pages p ON p.id = s.page_id
		WHERE s.slug = $1 AND s.state <> 'released' AND `+sqldb.Visible(aud, "p")+" AND "+slugVisible(aud), slug)
	if err != nil {
		return r, "", fmt.Errorf("read the page at slug %s: %w", slug, err)
	}
	if !found {
		return r, "", errNoSlug(slug)
	}
	if state == slugFormer {
		moved = present
	}
	return r, moved, nil
}

// ByID returns those of the pages that the audience sees, unordered. At most 1,000 ids.
func (s *Pages) ByID(ctx context.Context, aud octavo.Audience, ids []octavo.ID) ([]octavo.Page, error) {
	var a sqldb.Args
	pages, err := sqldb.Collect(ctx, s.read, metered(ctx, func(row sqldb.Scanner) (octavo.Page, error) { return scanPage(row) }),
		"SELECT "+pageColumns(aud)+" FROM "+pageTables+" WHERE p.id IN "+sqldb.List(&a, ids)+" AND "+sqldb.Visible(aud, "p"), a...)
	if err != nil {
		return nil, fmt.Errorf("read %d pages: %w", len(ids), err)
	}
	return pages, nil
}
