package store

import (
	"fmt"

	"github.com/octavo-docs/octavo"
)

// Prepare computes what the text of a new page says about it ahead of the
// transaction, so that on SQLite nobody waits for that.
func (s *Store) Prepare(n *NewPage) {
	d := s.opts.Derive(Source{Slug: n.Slug, Path: plain(n.Path), Content: n.Content, Frontmatter: n.Frontmatter})
	n.Derived = &d
}

// derive computes what the page's text says about it and sets page.Links.
func (tx *Tx) derive(page *pageRow) Derived {
	d := tx.s.opts.Derive(Source{
		ID: page.ID, Slug: page.Slug, Path: page.Source, Content: page.Content, Frontmatter: page.Frontmatter,
	})
	page.Links = encodeLinks(d.Links)
	return d
}

// encodeLinks writes the links as a JSON array.
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

// rederive replaces the derived rows of a page.
func (tx *Tx) rederive(page *pageRow) error {
	d := tx.derive(page)
	if err := tx.deleteDerived(page.ID); err != nil {
		return err
	}
	if _, err := tx.exec(`UPDATE pages SET path_key = $2 WHERE id = $1`, page.ID, indexed(d.PathKey)); err != nil {
		return fmt.Errorf("file page %s under its path: %w", page.ID, err)
	}
	return tx.insertDerived(page, d)
}

// resort gives the tags of a page what lists of them are sorted by.
func (tx *Tx) resort(page *pageRow) error {
	if _, err := tx.exec(`UPDATE page_tags SET title = $2, status = $3, updated_at = $4 WHERE page_id = $1`,
		page.ID, page.Title, page.Status, page.UpdatedAt.UnixMilli()); err != nil {
		return fmt.Errorf("sort the tags of page %s: %w", page.ID, err)
	}
	return nil
}

func (tx *Tx) deleteDerived(id octavo.ID) error {
	if _, err := tx.exec(`DELETE FROM page_links WHERE page_id = $1`, id); err != nil {
		return fmt.Errorf("remove the links of page %s: %w", id, err)
	}
	if _, err := tx.exec(`DELETE FROM page_tags WHERE page_id = $1`, id); err != nil {
		return fmt.Errorf("remove the tags of page %s: %w", id, err)
	}
	if _, err := tx.exec(`DELETE FROM page_assets WHERE page_id = $1`, id); err != nil {
		return fmt.Errorf("remove the assets of page %s: %w", id, err)
	}
	return nil
}

func (tx *Tx) insertDerived(page *pageRow, d Derived) error {
	id := page.ID
	links := make([]any, 0, tx.s.links.width*len(d.Targets))
	for _, t := range d.Targets {
		links = append(links, id, t.Link, t.Rank,
			indexed(string(t.Page)), indexed(t.Path), indexed(t.Slug), plain(d.Links[t.Link].Label))
	}
	if err := tx.insert(tx.s.links, links); err != nil {
		return fmt.Errorf("write the links of page %s: %w", id, err)
	}
	tags := make([]any, 0, tx.s.tags.width*len(d.Tags))
	for _, tag := range d.Tags {
		tags = append(tags, indexed(tag), id, page.Title, page.Status, page.UpdatedAt.UnixMilli())
	}
	if err := tx.insert(tx.s.tags, tags); err != nil {
		return fmt.Errorf("write the tags of page %s: %w", id, err)
	}
	assets := make([]any, 0, 2*tx.s.assets.width*len(d.Assets))
	for _, r := range d.Assets {
		for _, target := range r.Targets {
			assets = append(assets, id, indexed(r.Href), indexed(target))
		}
	}
	if err := tx.insert(tx.s.assets, assets); err != nil {
		return fmt.Errorf("write the assets of page %s: %w", id, err)
	}
	return nil
}
