// Package changes derives the changes of a proposal from what an import would do. It
// writes nothing; the caller does.
package changes

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer"
)

// Target records the operations of an import without carrying them out. A page keeps its
// slug and parent unless its file was renamed or its front matter sets others: moves in
// the target stay.
type Target struct {
	// List has the changes. New pages have temporary ids, to which the parents of later
	// changes may refer.
	List []octavo.PageChange

	from  importer.Target
	pages map[octavo.ID]present
	at    map[octavo.ID]int // in List, by page
}

// present is an existing page without its text.
type present struct {
	octavo.Page
	sum [sha256.Size]byte
}

// New returns a target that records changes to the pages of another.
func New(of importer.Target) *Target {
	return &Target{from: of, pages: map[octavo.ID]present{}, at: map[octavo.ID]int{}}
}

// Pages implements importer.Target.
func (c *Target) Pages(ctx context.Context) iter.Seq2[octavo.Page, error] {
	return func(yield func(octavo.Page, error) bool) {
		for page, err := range c.from.Pages(ctx) {
			if err == nil {
				p := present{page, sha256.Sum256([]byte(page.Content))}
				p.Content, p.Links = "", nil
				c.pages[page.ID] = p
			}
			if !yield(page, err) {
				return
			}
		}
	}
}

// Page implements importer.Target.
func (c *Target) Page(ctx context.Context, id octavo.ID) (octavo.Page, error) {
	return c.from.Page(ctx, id)
}

// Find returns a page that was read, by id, path of its file or slug.
func (c *Target) Find(name string) (octavo.Page, bool) {
	var found octavo.Page
	for _, p := range c.pages {
		if string(p.ID) == name || p.Source == name {
			return p.Page, true
		}
		if p.Slug == name {
			found = p.Page
		}
	}
	return found, found.ID != ""
}

// Delete adds the deletion of a page. Its children move up.
func (c *Target) Delete(page octavo.ID) {
	*c.change(page, octavo.ChangeDelete) = octavo.PageChange{Op: octavo.ChangeDelete, PageID: page, Children: "reparent"}
}

// change returns the change of a page in List, and adds it if missing.
func (c *Target) change(page octavo.ID, op octavo.ChangeOp) *octavo.PageChange {
	i, found := c.at[page]
	if !found {
		i = len(c.List)
		c.at[page] = i
		c.List = append(c.List, octavo.PageChange{Op: op, PageID: page})
	}
	return &c.List[i]
}

// Apply implements importer.Target.
func (c *Target) Apply(_ context.Context, operations []octavo.BulkOperation) ([]importer.Result, error) {
	results := make([]importer.Result, len(operations))
	for i, op := range operations {
		switch results[i].ID = op.ID; {
		case op.Patch != nil:
			change := c.change(op.ID, octavo.ChangeUpdate)
			change.Publish, change.Unpublish = op.Patch.Publish, op.Patch.Unpublish
		case op.Op == octavo.BulkCreate:
			results[i].ID = octavo.ID(fmt.Sprintf("new_%d", len(c.List)))
			c.create(results[i].ID, op)
		case op.Op == octavo.BulkUpdate && op.Create != nil: // an update without Create records import data, which proposals do not have
			c.update(op)
		}
	}
	return results, nil
}

func (c *Target) create(id octavo.ID, op octavo.BulkOperation) {
	change, page := c.change(id, octavo.ChangeCreate), op.Create
	change.ID, change.PageID = id, ""
	change.Title, change.Slug, change.Content, change.Status = &page.Title, &page.Slug, &page.Content, &page.Status
	change.RawFront, change.Source, change.ImportSet, change.FormerSlugs, change.Imported = op.RawFront, op.Source, op.ImportSet, op.FormerSlugs, op.Imported
	if op.RawFront == nil && len(page.Frontmatter) > 0 {
		change.Frontmatter = &page.Frontmatter
	}
	if *op.ParentID != "" {
		change.ParentID = op.ParentID
	}
	if op.Position.Value != nil {
		change.Position = op.Position
	}
}

// update adds the differences between an operation and its page, if there are any.
func (c *Target) update(op octavo.BulkOperation) {
	page, next := c.pages[op.ID], op.Create
	renamed := page.Source != "" && page.Source != *op.Source
	address, position := importer.Moves(page.Page, next.Frontmatter)
	var u octavo.PageChange
	if next.Title != page.Title {
		u.Title = &next.Title
	}
	if sha256.Sum256([]byte(next.Content)) != page.sum {
		u.Content = &next.Content
	}
	if front := compact(next.Frontmatter); front != compact(page.Frontmatter) {
		u.Frontmatter, u.FormerSlugs = new(json.RawMessage(front)), op.FormerSlugs
	}
	if next.Status != "" && next.Status != page.Status {
		u.Status = &next.Status
	}
	if (renamed || address) && next.Slug != page.Slug {
		u.Slug = &next.Slug
	}
	if (renamed || position) && op.Position != nil && !same(op.Position.Value, page.Position) {
		u.Position = op.Position
	}
	if renamed {
		u.Source = op.Source
		if op.ParentID != nil && *op.ParentID != page.ParentID {
			u.ParentID = op.ParentID
		}
	}
	if u.Empty() {
		return
	}
	if op.RawFront != nil && (*op.RawFront != "" || u.Frontmatter != nil) {
		u.Frontmatter, u.RawFront = nil, op.RawFront // RawFront alone if only the format differs
	}
	change := c.change(op.ID, octavo.ChangeUpdate)
	if u.Imported = op.Imported; op.ImportSet != nil && *op.ImportSet != page.ImportSet {
		u.ImportSet = op.ImportSet
	}
	u.Op, u.PageID, u.Publish, u.Unpublish = change.Op, change.PageID, change.Publish, change.Unpublish
	*change = u
}

func same(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

// compact encodes front matter canonically.
func compact(front json.RawMessage) string {
	v, err := octavo.ValueOf(front)
	if err != nil {
		v = octavo.Object() // none
	}
	return string(v.AppendJSON(nil))
}
