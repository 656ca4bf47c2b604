package pagestore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// PresentPage is the present state of a page for a proposed change.
type PresentPage struct {
	octavo.Page
	RawFront []byte
	Deleted  bool
}

// Present returns the pages that the audience sees, by id. Only audiences
// that see every page get deleted ones.
func Present(ctx context.Context, c sqldb.Conn, aud octavo.Audience, ids []octavo.ID) (map[octavo.ID]*PresentPage, error) {
	found := make(map[octavo.ID]*PresentPage, len(ids))
	visible := "1 = 1"
	if aud.PublishedOnly {
		visible = sqldb.Visible(aud, "p")
	}
	for some := range slices.Chunk(ids, fewPages) {
		var a sqldb.Args
		err := c.Query(ctx, func(row sqldb.Scanner) error {
			var p PresentPage
			var err error
			p.Page, err = scanPage(row, &p.RawFront, &p.Deleted)
			found[p.ID] = &p
			return err
		}, `SELECT `+pageColumns(aud)+`, r.raw_front, p.deleted_at IS NOT NULL FROM `+pageTables+`
			WHERE p.id IN `+sqldb.List(&a, some)+` AND `+visible, a...)
		if err != nil {
			return nil, fmt.Errorf("read %d pages: %w", len(some), err)
		}
	}
	return found, nil
}

// RevisionRef names a revision of a page.
type RevisionRef struct {
	Page   octavo.ID
	Number int64
}

// RevisionNumbers returns those of the revisions that the audience may see.
func RevisionNumbers(ctx context.Context, c sqldb.Conn, aud octavo.Audience, refs []RevisionRef) (map[RevisionRef]bool, error) {
	found := make(map[RevisionRef]bool, len(refs))
	for some := range slices.Chunk(refs, fewPages) {
		var a sqldb.Args
		err := c.Query(ctx, func(row sqldb.Scanner) error {
			var ref RevisionRef
			err := row.Scan(&ref.Page, &ref.Number)
			found[ref] = true
			return err
		}, `SELECT r.page_id, r.number FROM revisions r WHERE `+among(&a, some)+` AND `+visibleRevision(aud), a...)
		if err != nil {
			return nil, fmt.Errorf("look up %d revisions: %w", len(some), err)
		}
	}
	return found, nil
}

// among is the condition that revision r is in refs.
func among(a *sqldb.Args, refs []RevisionRef) string {
	rows := make([]string, len(refs))
	for i, ref := range refs {
		rows[i] = "r.page_id = " + a.Add(ref.Page) + " AND r.number = " + a.Add(ref.Number)
	}
	return "(" + strings.Join(rows, " OR ") + ")"
}

// RevisionBody is the content of a revision.
type RevisionBody struct {
	Title, Slug, Content string
	Frontmatter          []byte // a JSON object or nil
}

// RevisionBodies returns the contents of revisions without checking visibility.
func RevisionBodies(ctx context.Context, c sqldb.Conn, refs []RevisionRef) (map[RevisionRef]RevisionBody, error) {
	found := make(map[RevisionRef]RevisionBody, len(refs))
	for some := range slices.Chunk(refs, fewPages) {
		var a sqldb.Args
		err := c.Query(ctx, func(row sqldb.Scanner) error {
			var ref RevisionRef
			var t RevisionBody
			var frontmatter string
			err := row.Scan(&ref.Page, &ref.Number, &t.Title, &t.Slug, &frontmatter, &t.Content)
			t.Frontmatter = object(frontmatter)
			found[ref] = t
			return err
		}, `SELECT r.page_id, r.number, r.title, r.slug, r.frontmatter, r.content FROM revisions r
			WHERE `+among(&a, some), a...)
		if err != nil {
			return nil, fmt.Errorf("read %d revisions: %w", len(some), err)
		}
	}
	return found, nil
}

// SlugOwners returns the pages that currently have some slugs, as far as the
// audience sees them.
func SlugOwners(ctx context.Context, c sqldb.Conn, aud octavo.Audience, slugs []string) (map[string]octavo.ID, error) {
	owners := map[string]octavo.ID{}
	for some := range slices.Chunk(slugs, fewPages) {
		var a sqldb.Args
		err := c.Query(ctx, func(row sqldb.Scanner) error {
			var slug string
			var id octavo.ID
			err := row.Scan(&slug, &id)
			owners[slug] = id
			return err
		}, `SELECT s.slug, s.page_id FROM slugs s JOIN pages p ON p.id = s.page_id
			WHERE s.state = 'current' AND s.slug IN `+sqldb.List(&a, some)+` AND `+sqldb.Visible(aud, "p"), a...)
		if err != nil {
			return nil, fmt.Errorf("look up %d slugs: %w", len(some), err)
		}
	}
	return owners, nil
}

// SlugsOf returns the slugs of a page, current and former.
func SlugsOf(ctx context.Context, c sqldb.Conn, id octavo.ID) ([]string, error) {
	slugs, err := sqldb.Collect(ctx, c, sqldb.Column[string], `SELECT slug FROM slugs WHERE page_id = $1 AND state <> 'released' ORDER BY slug`, id)
	if err != nil {
		return nil, fmt.Errorf("read the slugs of page %s: %w", id, err)
	}
	return slugs, nil
}

// Parents returns the parent of every page that the audience sees, "" of root pages.
func Parents(ctx context.Context, c sqldb.Conn, aud octavo.Audience) (map[octavo.ID]octavo.ID, error) {
	parents := map[octavo.ID]octavo.ID{}
	err := c.Query(ctx, func(row sqldb.Scanner) error {
		var id, parent octavo.ID
		err := row.Scan(&id, &parent)
		parents[id] = parent
		return err
	}, `SELECT p.id, COALESCE(`+parentOf(aud)+`, '') FROM pages p WHERE `+sqldb.Visible(aud, "p"))
	if err != nil {
		return nil, fmt.Errorf("read the tree: %w", err)
	}
	return parents, nil
}

// GiveUpSlug releases a page's current slug, so that another page can take it in the
// same transaction. The page must get another slug there, or be deleted.
func GiveUpSlug(tx *sqldb.Tx, id octavo.ID, slug string) error {
	if _, err := tx.Exec(`UPDATE slugs SET state = 'former' WHERE slug = $1 AND page_id = $2`, slug, id); err != nil {
		return fmt.Errorf("give up slug %s of page %s: %w", slug, id, err)
	}
	return nil
}

// RecordMerge records the proposal of revisions, and that the actor merged it.
func (s *Pages) RecordMerge(tx *sqldb.Tx, proposal octavo.ID, revisions []RevisionRef) error {
	rows := make([]any, 0, s.merges.Width*len(revisions))
	for _, r := range revisions {
		rows = append(rows, r.Page, r.Number, proposal, tx.Cause().Actor.ID, tx.Cause().Actor.Name)
	}
	if err := tx.Insert(s.merges, rows); err != nil {
		return fmt.Errorf("write the merge of proposal %s: %w", proposal, err)
	}
	return nil
}

// Branch describes the pages below one. Equal texts mean that they are the
// same, except for their positions.
func Branch(ctx context.Context, c sqldb.Conn, id octavo.ID) (string, error) {
	hash := sha256.New()
	err := c.Query(ctx, func(row sqldb.Scanner) error {
		var page, status, parent string
		var revision int64
		err := row.Scan(&page, &revision, &status, &parent)
		fmt.Fprintln(hash, page, revision, status, parent)
		return err
	}, descendants+`SELECT p.id, p.revision, p.status, p.parent_id FROM down d JOIN pages p ON p.id = d.id WHERE d.depth > 1 ORDER BY p.id`, id, treeBound)
	if err != nil {
		return "", fmt.Errorf("read the branch of page %s: %w", id, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
