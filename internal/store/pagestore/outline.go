package pagestore

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Outlined is a page without its text, but with its front matter.
type Outlined struct {
	Stub
	Version     int64
	Frontmatter json.RawMessage // a JSON object, or nil
}

// Ref returns the reference to the page, as [Pages.Ref] does.
func (p *Outlined) Ref() Ref {
	return Ref{ID: p.ID, Version: p.Version, Updated: p.Updated, ParentID: p.ParentID}
}

// Outline returns those of the pages that are not deleted, by id; nil means
// all pages. At most 1,000 ids.
func (s *Selection) Outline(ctx context.Context, ids []octavo.ID) ([]Outlined, error) {
	var a sqldb.Args
	which := "1 = 1"
	if ids != nil {
		which = "p.id IN " + sqldb.List(&a, ids)
	}
	var all octavo.Audience
	list, err := sqldb.Collect(ctx, s.db.Slow(), func(row sqldb.Scanner) (p Outlined, err error) {
		var position sql.NullInt64
		var frontmatter string
		err = row.Scan((*string)(&p.ID), &p.Revision, (*string)(&p.ParentID), &position, (*string)(&p.Status), &p.Slug, &p.Title, &p.Path, &p.Language, (*string)(&p.Dialect), &p.Created, &p.Updated, &p.Version, &frontmatter)
		if position.Valid {
			p.Position = &position.Int64
		}
		p.Frontmatter = object(frontmatter)
		return p, err
	}, `SELECT `+stubColumns(all)+`, p.version, p.frontmatter FROM pages p
		WHERE `+which+` AND `+sqldb.Visible(all, "p")+` ORDER BY p.id`, a...)
	if err != nil {
		return nil, fmt.Errorf("outline the pages: %w", err)
	}
	return list, nil
}

// CompareSiblings orders pages with one parent: by position, those without
// one last, then by creation.
func CompareSiblings(a, b Stub) int {
	switch {
	case a.Position != nil && b.Position != nil:
		return cmp.Or(cmp.Compare(*a.Position, *b.Position), cmp.Compare(a.ID, b.ID))
	case a.Position != nil:
		return -1
	case b.Position != nil:
		return 1
	}
	return cmp.Compare(a.ID, b.ID)
}
