package pagestore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// keepImported stores the state of an import for the page: its imported text, which is
// that of the page unless the object has a content, and the other members.
func keepImported(tx *sqldb.Tx, page *pageRow, imported json.RawMessage) error {
	if imported == nil {
		return nil
	}
	v, err := octavo.ValueOf(imported)
	if err != nil {
		return fmt.Errorf("read what an import brought to page %s: %w", page.ID, err)
	}
	var content []byte // NULL if the revision has it
	if text, found := v.Get("content"); found && text.Str != page.Content {
		content = []byte(text.Str)
	}
	v.Members = slices.DeleteFunc(slices.Clone(v.Members), func(m octavo.Member) bool { return m.Name == "content" })
	if _, err := tx.Exec(`INSERT INTO page_imports (page_id, revision, content, members) VALUES ($1, $2, $3, $4)
		ON CONFLICT (page_id) DO UPDATE SET revision = excluded.revision, content = excluded.content, members = excluded.members`,
		page.ID, page.Revision, content, string(v.AppendJSON(nil))); err != nil {
		return fmt.Errorf("keep what an import brought to page %s: %w", page.ID, err)
	}
	return nil
}

// moreImported multiplies the limit of included data for import states,
// which are about as large as the front matter of the pages.
const moreImported = 4

// Imported returns the import states of pages, for audiences that see all of
// a page. With text, each has its imported content, unless the revision that
// was read has it. At most 100 pages.
func (s *Pages) Imported(ctx context.Context, aud octavo.Audience, list []*octavo.Page, text bool) (map[octavo.ID]json.RawMessage, error) {
	imported := map[octavo.ID]json.RawMessage{}
	if aud.PublishedOnly {
		return imported, nil
	}
	var a sqldb.Args
	ids, read := make([]octavo.ID, len(list)), make([]string, len(list))
	for i, p := range list {
		ids[i] = p.ID
	}
	content := "NULL"
	if text {
		for i, p := range list {
			read[i] = "(" + a.Add(string(p.ID)) + ", CAST(" + a.Add(p.Revision) + " AS BIGINT))"
		}
		content = `CASE WHEN i.content IS NOT NULL THEN i.content
			WHEN (i.page_id, i.revision) NOT IN (VALUES ` + strings.Join(read, ", ") + `) THEN r.content END`
	}
	added := sqldb.NewIncluded(ctx, moreImported*s.most)
	err := s.read.Query(ctx, func(row sqldb.Scanner) error {
		var id octavo.ID
		var members string
		var content *string
		if err := row.Scan(&id, &members, &content); err != nil {
			return err
		}
		imported[id] = json.RawMessage(members)
		if content != nil {
			v, err := octavo.ValueOf(imported[id])
			if err != nil {
				return err
			}
			v.Members = append(v.Members, octavo.Member{Name: "content", Value: octavo.String(*content)})
			imported[id] = v.AppendJSON(nil)
		}
		return added.Add(len(imported[id]))
	}, `SELECT i.page_id, i.members, `+content+`
		FROM page_imports i JOIN revisions r ON r.page_id = i.page_id AND r.number = i.revision
		WHERE i.page_id IN `+sqldb.List(&a, ids), a...)
	if err != nil {
		return nil, fmt.Errorf("read what imports brought to %d pages: %w", len(list), err)
	}
	return imported, nil
}
