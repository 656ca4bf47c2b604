package pagestore

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Prepare computes the derived data of a new page before the transaction, so
// that on SQLite other writers do not wait for it.
func (s *Pages) Prepare(n *NewPage) {
	if n.Dialect != nil {
		n.prepared = *n.Dialect
	}
	d := s.compute(Source{Slug: n.Slug, Path: sqldb.Plain(n.Path), Content: n.Content, Frontmatter: n.Frontmatter, Dialect: n.prepared})
	n.Derived = &d
}

// derive computes the derived data of a page and sets page.Links.
func (s *Pages) derive(tx *sqldb.Tx, page *pageRow) Derived {
	d := s.compute(Source{
		ID: page.ID, Slug: page.Slug, Path: page.Source, Content: page.Content, Frontmatter: page.Frontmatter, Dialect: page.Dialect,
	})
	page.Links = encodeLinks(d.Links)
	return d
}

func encodeLinks(links []octavo.Link) []byte {
	text := []byte{'['}
	for i, link := range links {
		if i > 0 {
			text = append(text, ',')
		}
		text = octavo.AppendString(append(text, `{"href":`...), link.Href)
		text = octavo.AppendString(append(text, `,"label":`...), link.Label)
		text = append(text, '}')
	}
	return append(text, ']')
}

func (s *Pages) rederive(tx *sqldb.Tx, page *pageRow) error {
	d := s.derive(tx, page)
	if err := deleteDerived(tx, page.ID); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE pages SET path_key = $2, name_key = $3 WHERE id = $1`, page.ID, sqldb.Indexed(d.PathKey), sqldb.Indexed(d.NameKey)); err != nil {
		return fmt.Errorf("file page %s under its path: %w", page.ID, err)
	}
	return s.insertDerived(tx, page, d)
}

func keepPath(tx *sqldb.Tx, id octavo.ID) error {
	_, err := tx.Exec(`INSERT INTO former_paths (path_key, page_id) SELECT path_key, id FROM pages WHERE id = $1 AND path_key <> ''
		ON CONFLICT (path_key, page_id) DO NOTHING`, id)
	return octavo.Wrapf(err, "keep the path of page %s", id)
}

func resort(tx *sqldb.Tx, page *pageRow) error {
	_, err := tx.Exec(`UPDATE page_tags SET title = $2, status = $3, updated_at = $4 WHERE page_id = $1`,
		page.ID, page.Title, page.Status, page.UpdatedAt.UnixMilli())
	return octavo.Wrapf(err, "sort the tags of page %s", page.ID)
}

func deleteDerived(tx *sqldb.Tx, id octavo.ID) error {
	for _, table := range []string{"page_links", "page_tags", "page_assets", "page_labels"} {
		if _, err := tx.Exec(`DELETE FROM `+table+` WHERE page_id = $1`, id); err != nil {
			return fmt.Errorf("remove page %s from %s: %w", id, table, err)
		}
	}
	return nil
}

func (s *Pages) insertDerived(tx *sqldb.Tx, page *pageRow, d Derived) error {
	id := page.ID
	links := make([]any, 0, s.links.Width*len(d.Targets))
	for _, t := range d.Targets {
		links = append(links, id, t.Link, t.Rank,
			sqldb.Indexed(string(t.Page)), sqldb.Indexed(t.Path), sqldb.Indexed(t.Slug), sqldb.Plain(d.Links[t.Link].Label))
	}
	if err := tx.Insert(s.links, links); err != nil {
		return fmt.Errorf("write the links of page %s: %w", id, err)
	}
	tags := make([]any, 0, s.tags.Width*len(d.Tags))
	for _, tag := range d.Tags {
		tags = append(tags, sqldb.Indexed(tag), id, page.Title, page.Status, page.UpdatedAt.UnixMilli())
	}
	if err := tx.Insert(s.tags, tags); err != nil {
		return fmt.Errorf("write the tags of page %s: %w", id, err)
	}
	labels := make([]any, 0, s.labels.Width*len(d.Labels))
	for _, label := range d.Labels {
		labels = append(labels, sqldb.Indexed(label), id)
	}
	if err := tx.Insert(s.labels, labels); err != nil {
		return fmt.Errorf("write the labels of page %s: %w", id, err)
	}
	assets := make([]any, 0, 2*s.assets.Width*len(d.Assets))
	for _, r := range d.Assets {
		for _, target := range r.Targets {
			assets = append(assets, id, sqldb.Indexed(r.Href), sqldb.Indexed(target))
		}
	}
	err := tx.Insert(s.assets, assets)
	return octavo.Wrapf(err, "write the assets of page %s", id)
}
