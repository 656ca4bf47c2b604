package pagestore

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// visibleRevision is the condition under which the audience may see revision
// r of a page that it may see (decision 13).
func visibleRevision(aud octavo.Audience) string {
	if aud.PublishedOnly {
		return "r.public"
	}
	return "TRUE"
}

const revisionColumns = `r.number, r.title, r.slug, r.frontmatter, r.author_id, r.author_name, r.created_at,
	COALESCE(m.proposal_id, ''), COALESCE(m.merged_id, ''), COALESCE(m.merged_name, '')`

// revisionTables joins the tables of revisionColumns and the page p. Only
// audiences that may see drafts get merges.
func revisionTables(aud octavo.Audience) string {
	merged := "m.page_id = r.page_id AND m.number = r.number"
	if aud.PublishedOnly {
		merged = "1 = 0"
	}
	return `revisions r JOIN pages p ON p.id = r.page_id LEFT JOIN revision_merges m ON ` + merged
}

func scanRevision(row sqldb.Scanner, more ...any) (octavo.Revision, error) {
	var (
		r           octavo.Revision
		frontmatter string
	)
	var merger octavo.Actor
	dest := []any{
		&r.Number, &r.Title, &r.Slug, &frontmatter, &r.Author.ID, &r.Author.Name, sqldb.ScanTime(&r.CreatedAt),
		&r.ProposalID, &merger.ID, &merger.Name,
	}
	if err := row.Scan(append(dest, more...)...); err != nil {
		return octavo.Revision{}, fmt.Errorf("read a revision: %w", err)
	}
	r.Frontmatter = object(frontmatter)
	if r.ProposalID != "" {
		r.MergedBy = &merger
	}
	return r, nil
}

// Revisions returns at most limit revisions of a page with numbers above
// after, oldest first and without content, and whether more follow.
func (s *Pages) Revisions(ctx context.Context, aud octavo.Audience, id octavo.ID, after int64, limit int) (list []octavo.Revision, more bool, err error) {
	if err := s.exists(ctx, aud, id); err != nil {
		return nil, false, err
	}
	scan := func(row sqldb.Scanner) (octavo.Revision, error) { return scanRevision(row) }
	measured := sqldb.Measured(ctx, scan, func(r octavo.Revision) int { return len(r.Frontmatter) })
	return sqldb.CollectUpTo(ctx, s.read, "list the revisions of page "+string(id), limit, measured, `SELECT `+revisionColumns+` FROM `+revisionTables(aud)+`
		WHERE r.page_id = $1 AND r.number > $2 AND `+sqldb.Visible(aud, "p")+` AND `+visibleRevision(aud)+`
		ORDER BY r.number LIMIT $3`, id, after, limit+1)
}

// Revision returns one revision of a page with its content and original front matter.
func (s *Pages) Revision(ctx context.Context, aud octavo.Audience, id octavo.ID, number int64) (octavo.Revision, error) {
	if err := s.exists(ctx, aud, id); err != nil {
		return octavo.Revision{}, err
	}
	list, err := sqldb.Collect(ctx, s.read, func(row sqldb.Scanner) (octavo.Revision, error) {
		var content string
		var raw []byte
		r, err := scanRevision(row, &content, &raw)
		r.Content, r.FrontmatterRaw = &content, string(raw)
		return r, err
	}, `SELECT `+revisionColumns+`, r.content, r.raw_front FROM `+revisionTables(aud)+`
		WHERE r.page_id = $1 AND r.number = $2 AND `+sqldb.Visible(aud, "p")+` AND `+visibleRevision(aud), id, number)
	if err != nil {
		return octavo.Revision{}, fmt.Errorf("read revision %d of page %s: %w", number, id, err)
	}
	if len(list) == 0 {
		return octavo.Revision{}, errNoRevision(id, number)
	}
	return list[0], nil
}

// exists returns a NotFound error unless the audience may see the page.
func (s *Pages) exists(ctx context.Context, aud octavo.Audience, id octavo.ID) error {
	if !octavo.ValidIdentifier(string(id)) {
		return errNoPage(id)
	}
	var one int
	found, err := s.read.Row(ctx, []any{&one}, `SELECT 1 FROM pages p WHERE p.id = $1 AND `+sqldb.Visible(aud, "p"), id)
	if err != nil {
		return fmt.Errorf("look up page %s: %w", id, err)
	}
	if !found {
		return errNoPage(id)
	}
	return nil
}

func errNoRevision(id octavo.ID, number int64) error {
	return octavo.Errorf(octavo.NotFound, "Page %s has no revision %d.", id, number)
}

// RestoreRevision restores the text of an earlier revision, as an ordinary change.
func (s *Pages) RestoreRevision(tx *sqldb.Tx, id octavo.ID, number int64, match sqldb.IfMatch) (octavo.Page, error) {
	old, err := load(tx, id)
	if err != nil {
		return octavo.Page{}, err
	}
	if err := check(match, &old.Page); err != nil {
		return octavo.Page{}, err
	}
	page := *old
	var frontmatter string
	found, err := tx.Row([]any{&page.Title, &page.Slug, &frontmatter, &page.rawFront, &page.Content},
		`SELECT r.title, r.slug, r.frontmatter, r.raw_front, r.content FROM revisions r WHERE r.page_id = $1 AND r.number = $2`,
		id, number)
	if err != nil {
		return octavo.Page{}, fmt.Errorf("read revision %d of page %s: %w", number, id, err)
	}
	if !found {
		return octavo.Page{}, errNoRevision(id, number)
	}
	page.Frontmatter = object(frontmatter)
	if err := s.save(tx, old, &page); err != nil {
		return octavo.Page{}, err
	}
	return page.Page, nil
}

// saveRevision adds a revision if one is needed. The newest one counts as
// public from the moment the page is published with it.
func saveRevision(tx *sqldb.Tx, page *pageRow, d difference) error {
	if d.revised {
		page.Revision++
		return insertRevision(tx, page)
	}
	if !d.status || page.Status != octavo.Published {
		return nil
	}
	if _, err := tx.Exec(`UPDATE revisions SET public = TRUE WHERE page_id = $1 AND number = $2`,
		page.ID, page.Revision); err != nil {
		return fmt.Errorf("make revision %d of page %s public: %w", page.Revision, page.ID, err)
	}
	return nil
}

func insertRevision(tx *sqldb.Tx, p *pageRow) error {
	author := tx.Cause().Actor
	if merge := tx.Cause().Merge; merge != nil {
		author = merge.Author
	}
	if _, err := tx.Exec(`INSERT INTO revisions (page_id, number, title, slug, author_id, author_name, created_at,
			public, frontmatter, raw_front, content)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		p.ID, p.Revision, p.Title, p.Slug, author.ID, author.Name, p.UpdatedAt.UnixMilli(),
		p.Status == octavo.Published, string(p.Frontmatter), p.rawFront, []byte(p.Content)); err != nil {
		return fmt.Errorf("write revision %d of page %s: %w", p.Revision, p.ID, err)
	}
	return nil
}

// ReplaceName replaces the name of the author of revisions. The last
// condition is that of the index that finds them.
func ReplaceName(tx *sqldb.Tx, author octavo.ID, name string) error {
	_, err := tx.Exec(`UPDATE revisions SET author_name = $2 WHERE author_id = $1 AND substr(author_id, 1, 4) = 'usr_'`, author, name)
	if err != nil {
		return fmt.Errorf("replace the author of revisions: %w", err)
	}
	return nil
}
