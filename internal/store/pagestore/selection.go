package pagestore

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Stub is a page without its text, as an audience sees it.
type Stub struct {
	ID       octavo.ID         `json:"id"`
	Revision int64             `json:"revision"`
	ParentID octavo.ID         `json:"parent,omitempty"` // as the audience sees it
	Position *int64            `json:"position,omitempty"`
	Status   octavo.PageStatus `json:"status"`
	Slug     string            `json:"slug"`
	Title    string            `json:"title"`
	Path     string            `json:"path,omitempty"`     // of the imported file
	Language string            `json:"language,omitempty"` // from its import
	Dialect  octavo.Dialect    `json:"dialect,omitempty"`
	Created  int64             `json:"created"` // Unix milliseconds
	Updated  int64             `json:"updated"` // Unix milliseconds
}

func stubColumns(aud octavo.Audience) string {
	return `p.id, p.revision, COALESCE(` + parentOf(aud) + `, ''), p.position, p.status, p.slug, p.title, p.path, p.language, p.dialect, p.created_at, p.updated_at`
}

func scanStub(row sqldb.Scanner) (p Stub, err error) {
	var position sql.NullInt64
	err = row.Scan((*string)(&p.ID), &p.Revision, (*string)(&p.ParentID), &position, (*string)(&p.Status), &p.Slug, &p.Title, &p.Path, &p.Language, (*string)(&p.Dialect), &p.Created, &p.Updated)
	if position.Valid {
		p.Position = &position.Int64
	}
	return p, err
}

// StubQuery selects pages.
type StubQuery struct {
	Statuses     []octavo.PageStatus
	Tags         []string  // all of them
	UpdatedAfter time.Time // exclusive; zero does not filter
	Language     string    // "" does not filter
	Unsaid       bool      // with Language, includes pages without a language
}

// Stubs returns the pages of a query in a consistent state, by id.
func (s *Selection) Stubs(ctx context.Context, aud octavo.Audience, q StubQuery) ([]Stub, error) {
	var a sqldb.Args
	where := sqldb.Visible(aud, "p") + " AND p.status IN " + sqldb.List(&a, q.Statuses)
	for _, tag := range q.Tags {
		where += " AND EXISTS (SELECT 1 FROM page_tags t WHERE t.tag = " + a.Add(sqldb.Indexed(tag)) + " AND t.page_id = p.id)"
	}
	if !q.UpdatedAfter.IsZero() {
		where += " AND p.updated_at > " + a.Add(q.UpdatedAfter.UnixMilli())
	}
	if q.Language != "" {
		in := inLanguage(q.Language, "p", &a)
		if q.Unsaid {
			in = "(" + in + ") OR p.spoken = ''"
		}
		where += " AND (" + in + ")"
	}
	pages, err := sqldb.Collect(ctx, s.db.Slow(), scanStub, `SELECT `+stubColumns(aud)+` FROM pages p WHERE `+where+` ORDER BY p.id`, a...)
	return pages, octavo.Wrapf(err, "select pages")
}

// StubsByID returns those of the pages that the audience sees, by id. At
// most 1,000 ids.
func (s *Selection) StubsByID(ctx context.Context, aud octavo.Audience, ids []octavo.ID) (map[octavo.ID]Stub, error) {
	var a sqldb.Args
	pages := make(map[octavo.ID]Stub, len(ids))
	err := s.db.Slow().Query(ctx, func(row sqldb.Scanner) error {
		p, err := scanStub(row)
		pages[p.ID] = p
		return err
	}, `SELECT `+stubColumns(aud)+` FROM pages p WHERE p.id IN `+sqldb.List(&a, ids)+` AND `+sqldb.Visible(aud, "p"), a...)
	return pages, octavo.Wrapf(err, "select %d pages", len(ids))
}

// StubsBelow returns the pages below a page that the audience reaches from
// it through visible pages, in a consistent state, down to depth levels.
func (s *Selection) StubsBelow(ctx context.Context, aud octavo.Audience, id octavo.ID, depth int) ([]Stub, error) {
	pages, err := sqldb.Collect(ctx, s.db.Slow(), scanStub, stubsBelow(aud), sqldb.Plain(string(id)), depth)
	return pages, octavo.Wrapf(err, "select the pages below %s", id)
}

// stubsBelow finds the pages below one. For CROSS JOIN see aboveStatement.
func stubsBelow(aud octavo.Audience) string {
	return `WITH RECURSIVE tree (id, depth) AS (
			SELECT p.id, 1 FROM pages p WHERE p.parent_id = $1 AND ` + sqldb.Visible(aud, "p") + `
			UNION ALL
			SELECT p.id, tree.depth + 1 FROM tree CROSS JOIN pages p
			WHERE p.parent_id = tree.id AND ` + sqldb.Visible(aud, "p") + ` AND tree.depth < $2
		) SELECT ` + stubColumns(aud) + ` FROM tree CROSS JOIN pages p WHERE p.id = tree.id AND tree.depth <= $2 ORDER BY p.id`
}

// FormerSlugs returns the former slugs of pages that the audience may see,
// in order. At most 1,000 ids.
func (s *Selection) FormerSlugs(ctx context.Context, aud octavo.Audience, ids []octavo.ID) (map[octavo.ID][]string, error) {
	var a sqldb.Args
	slugs, err := s.texts(ctx, `SELECT s.page_id, s.slug FROM slugs s WHERE s.page_id IN `+sqldb.List(&a, ids)+` AND s.state = 'former' AND `+slugVisible(aud)+` ORDER BY s.page_id, s.slug`, a)
	return slugs, octavo.Wrapf(err, "read the former slugs of %d pages", len(ids))
}

// Labels returns the keys of the labels in pages, without a visibility check. At most
// 1,000 ids.
func (s *Selection) Labels(ctx context.Context, ids []octavo.ID) (map[octavo.ID][]string, error) {
	var a sqldb.Args
	labels, err := s.texts(ctx, `SELECT page_id, label FROM page_labels WHERE page_id IN `+sqldb.List(&a, ids)+` ORDER BY page_id, label`, a)
	return labels, octavo.Wrapf(err, "read the labels of %d pages", len(ids))
}

func (s *Selection) texts(ctx context.Context, query string, a sqldb.Args) (map[octavo.ID][]string, error) {
	texts := map[octavo.ID][]string{}
	err := s.db.Slow().Query(ctx, func(row sqldb.Scanner) error {
		var id octavo.ID
		var text string
		err := row.Scan(&id, &text)
		texts[id] = append(texts[id], text)
		return err
	}, query, a...)
	return texts, err
}

// RevisionKey names a revision.
type RevisionKey struct {
	Page   octavo.ID
	Number int64
}

// RevisionText is the content of a revision, without a visibility check.
type RevisionText struct {
	Kept        bool // false if there is no such revision, or no longer
	Content     []byte
	Frontmatter []byte // a JSON object, or nil
	RawFront    []byte // as its author wrote it; nil if its meaning has changed
}

// RevisionTexts returns the contents of revisions, each at the index of its
// key. It is for callers that checked visibility earlier. At most 100 keys.
// The results use the memory in room, as far as that suffices: memory of
// earlier results that are no longer used.
func (s *Selection) RevisionTexts(ctx context.Context, keys []RevisionKey, room []byte) (texts []RevisionText, used []byte, err error) {
	texts, used = make([]RevisionText, len(keys)), room[:0]
	if len(keys) == 0 {
		return texts, used, nil
	}
	a := make(sqldb.Args, 0, 2*len(keys))
	var values strings.Builder
	for i, k := range keys {
		if i > 0 {
			values.WriteString(", ")
		}
		values.WriteString("(" + strconv.Itoa(i) + ", " + a.Add(string(k.Page)) + ", CAST(" + a.Add(k.Number) + " AS BIGINT))")
	}
	keep := func(text sql.RawBytes) []byte {
		if text == nil {
			return nil
		}
		begin := len(used)
		used = append(used, text...)
		return used[begin:len(used):len(used)]
	}
	var (
		i            int
		frontmatter  string
		raw, content sql.RawBytes // valid until the next row
	)
	dest := []any{&i, &frontmatter, &raw, &content}
	err = s.db.Slow().Query(ctx, func(row sqldb.Scanner) error {
		if err := row.Scan(dest...); err != nil {
			return err
		}
		texts[i] = RevisionText{true, keep(content), object(frontmatter), keep(raw)}
		return nil
	}, `WITH wanted (place, id, number) AS (VALUES `+values.String()+`)
		SELECT w.place, r.frontmatter, r.raw_front, r.content
		FROM wanted w CROSS JOIN revisions r WHERE r.page_id = w.id AND r.number = w.number`, a...)
	return texts, used, octavo.Wrapf(err, "read %d revisions", len(keys))
}
