package pagestore

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// metered is scan with the meter of the context.
func metered(ctx context.Context, scan func(sqldb.Scanner) (octavo.Page, error)) func(sqldb.Scanner) (octavo.Page, error) {
	return sqldb.Measured(ctx, scan, func(p octavo.Page) int {
		return len(p.Content) + len(p.Links) + len(p.Frontmatter)
	})
}

// parentOf is the parent of page p as the audience sees it. A page that is
// not deleted never has a deleted parent.
func parentOf(aud octavo.Audience) string {
	if aud.PublishedOnly {
		return "(SELECT parent.id FROM pages parent WHERE parent.id = p.parent_id AND " + sqldb.Visible(aud, "parent") + ")"
	}
	return "p.parent_id"
}

// pageColumns are the columns that scanPage reads, of page p and its newest revision r.
func pageColumns(aud octavo.Audience) string {
	return `p.id, p.title, p.slug, p.status, r.content, p.frontmatter, COALESCE(` + parentOf(aud) + `, ''),
		p.created_at, p.updated_at, p.links, p.position, p.publish_at, p.unpublish_at, p.path, p.import_set, p.language, p.dialect, p.version, p.revision`
}

// pageTables joins the tables of pageColumns.
const pageTables = `pages p JOIN revisions r ON r.page_id = p.id AND r.number = p.revision`

// scanPage reads pageColumns, and after them more.
func scanPage(row sqldb.Scanner, more ...any) (octavo.Page, error) {
	var (
		p                  octavo.Page
		frontmatter, links string
		created, updated   int64
		publish, unpublish *int64
	)
	dest := []any{
		&p.ID, &p.Title, &p.Slug, &p.Status, &p.Content, &frontmatter, &p.ParentID,
		&created, &updated, &links, &p.Position, &publish, &unpublish, &p.Source, &p.ImportSet, &p.Language, &p.Dialect, &p.Version, &p.Revision,
	}
	if err := row.Scan(append(dest, more...)...); err != nil {
		return octavo.Page{}, fmt.Errorf("read a page: %w", err)
	}
	p.Frontmatter = object(frontmatter)
	p.Language = octavo.PageLanguage(p.Frontmatter, p.Language)
	p.Links = json.RawMessage(links)
	p.CreatedAt, p.UpdatedAt = sqldb.Moment(created), sqldb.Moment(updated)
	p.PublishAt, p.UnpublishAt = sqldb.OptMoment(publish), sqldb.OptMoment(unpublish)
	return p, nil
}

// object is a stored JSON object; "" means none.
func object(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

// pageRow is a page in a transaction, with members that readers do not see.
type pageRow struct {
	octavo.Page
	wasPublic bool
	imported  string // its language, from its import
	rawFront  []byte
}

// load reads a page for a change and keeps other transactions from changing
// it. A deleted page does not exist.
func load(tx *sqldb.Tx, id octavo.ID) (*pageRow, error) {
	return loadWhere(tx, id, "p.deleted_at IS NULL")
}

func loadWhere(tx *sqldb.Tx, id octavo.ID, condition string, args ...any) (*pageRow, error) {
	if !octavo.ValidIdentifier(string(id)) {
		return nil, errNoPage(id)
	}
	if err := tx.LockRow("pages", string(id)); err != nil {
		return nil, fmt.Errorf("lock page %s: %w", id, err)
	}
	rows, err := sqldb.Collect(tx.Context(), tx.Conn(), func(row sqldb.Scanner) (*pageRow, error) {
		var r pageRow
		page, err := scanPage(row, &r.wasPublic, &r.imported, &r.rawFront)
		r.Page = page
		return &r, err
	}, `SELECT `+pageColumns(octavo.Audience{})+`, p.was_public, p.language, r.raw_front
		FROM `+pageTables+` WHERE p.id = $1 AND `+condition, append([]any{id}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("load page %s: %w", id, err)
	}
	if len(rows) == 0 {
		return nil, errNoPage(id)
	}
	return rows[0], nil
}

// spoken is the language of the page in lower case, for searching.
func (r *pageRow) spoken() string {
	return strings.ToLower(octavo.PageLanguage(r.Frontmatter, r.imported))
}

func errNoPage(id octavo.ID) error {
	return octavo.Errorf(octavo.NotFound, "There is no page %q.", id)
}
