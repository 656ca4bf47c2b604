package pagestore

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// LinkTarget is the page that a link leads to. Link is its number among the
// links of its page, from 0.
type LinkTarget struct {
	Link int
	ID   octavo.ID
	Slug string
}

// LinkTargets returns where the links of a page lead now, as [Pages.Backlinks]
// has it, in their order. Links to no page, and to one that the audience does
// not see, are left out.
func (s *Pages) LinkTargets(ctx context.Context, aud octavo.Audience, id octavo.ID) ([]LinkTarget, error) {
	ctx, end, err := s.db.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("resolve links: %w", err)
	}
	defer end()
	targets, err := sqldb.Collect(ctx, s.read, func(row sqldb.Scanner) (t LinkTarget, err error) {
		err = row.Scan(&t.Link, &t.ID, &t.Slug)
		return t, err
	}, `SELECT l.link, p.id, p.slug FROM (
			SELECT DISTINCT f.link, `+firstTarget("f")+` AS target
			FROM page_links f WHERE f.page_id = $1
		) l JOIN pages p ON p.id = l.target
		WHERE `+sqldb.Visible(aud, "p")+` ORDER BY l.link`, id)
	if err != nil {
		return nil, fmt.Errorf("resolve the links of page %s: %w", id, err)
	}
	return targets, nil
}
