// Package pages is the main feature of Octavo: documentation pages, their tree, their
// revisions and the links between them. It computes the derived data of a page, orders
// the steps of each operation, caches pages for readers and renders them.
//
// The rules within a transaction are in pagestore, and the form of requests in httpapi.
// Start with [Service] in pages.go, then read.go, encoding.go and render.go.
package pages

import (
	"context"
	"io"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/html"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Service reads and changes pages. It is safe for concurrent use.
type Service struct {
	db        *sqldb.DB
	stamps    *sqldb.Stamps
	pages     *pagestore.Pages
	assets    *assetstore.Assets
	encodings *encodings
	listings  entryCache[listingKey, *listing] // nil disables it
	renderer  *html.Renderer

	// AssetURL returns the address of an asset's bytes. It is needed only
	// for including assets and rendering pages.
	AssetURL func(octavo.Asset) string
	// PublicURL is the prefix of this server's addresses, as for Deriver. It
	// is needed only for including assets and rendering pages.
	PublicURL string
	// OpenBlob opens the bytes of an asset; the error is fs.ErrNotExist if
	// they are lost. It is needed only for rendering pages.
	OpenBlob func(ctx context.Context, key string) (io.ReadCloser, error)
}

// New returns the pages of a store. cache is the size of the page cache in
// bytes; 0 disables it.
func New(db *sqldb.DB, pages *pagestore.Pages, files *assetstore.Assets, cache int64) *Service {
	listings := cache / 3
	s := &Service{db: db, stamps: db.Stamps(), pages: pages, assets: files, encodings: newEncodings(cache - listings), renderer: html.NewKeeping(4 << 20)}
	if cache > 0 {
		s.listings = newListings(max(listings, 1))
	}
	return s
}

// Reply makes the response to a mutation from the resulting page. It runs before the
// commit, so that the response can be stored for a repeated request.
type Reply func(octavo.Page) sqldb.Response

// mutate runs one change of one page in a transaction.
func (s *Service) mutate(ctx context.Context, cause sqldb.Cause, reply Reply, change func(*sqldb.Tx) (octavo.Page, error)) (octavo.Page, error) {
	var page octavo.Page
	cause = cause.Replying(func() sqldb.Response { return reply(page) })
	err := s.db.Write(ctx, cause, func(tx *sqldb.Tx) (err error) {
		page, err = change(tx)
		return err
	})
	return page, err
}

// Create creates a page. Its errors are InvalidRequest and SlugTaken.
func (s *Service) Create(ctx context.Context, cause sqldb.Cause, in octavo.PageCreate, reply Reply) (octavo.Page, error) {
	page := newPage(in)
	s.pages.Prepare(&page)
	return s.mutate(ctx, cause, reply, func(tx *sqldb.Tx) (octavo.Page, error) {
		return s.pages.Create(tx, page)
	})
}

// Patch changes some members of a page. Its errors are NotFound, PreconditionFailed,
// InvalidRequest for a parent that does not exist, and Conflict for one below the page.
func (s *Service) Patch(ctx context.Context, cause sqldb.Cause, id octavo.ID, in octavo.PagePatch, match sqldb.IfMatch) (octavo.Page, error) {
	return s.mutate(ctx, cause, nil, func(tx *sqldb.Tx) (octavo.Page, error) {
		return s.pages.Update(tx, id, patchChange(in), match)
	})
}

// Move moves a page in the tree. Its errors are those of Patch, and
// InvalidRequest for an invalid sibling.
func (s *Service) Move(ctx context.Context, cause sqldb.Cause, id octavo.ID, to octavo.PageMove, match sqldb.IfMatch, reply Reply) (octavo.Page, error) {
	return s.mutate(ctx, cause, reply, func(tx *sqldb.Tx) (octavo.Page, error) {
		return s.pages.Move(tx, id, to, match)
	})
}

// Replace sets all members of a PageCreate. An omitted status is kept, omitted front
// matter is removed, and the parent does not change (decision 10).
func (s *Service) Replace(ctx context.Context, cause sqldb.Cause, id octavo.ID, in octavo.PageCreate, match sqldb.IfMatch) (octavo.Page, error) {
	return s.mutate(ctx, cause, nil, func(tx *sqldb.Tx) (octavo.Page, error) {
		return s.pages.Update(tx, id, replaceChange(in), match)
	})
}

// Delete removes a page; it can be restored for 30 days.
func (s *Service) Delete(ctx context.Context, cause sqldb.Cause, id octavo.ID, children pagestore.ChildrenPolicy, match sqldb.IfMatch) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		return s.pages.Delete(tx, id, children, match)
	})
}

// Purge removes a page permanently, deleted or not.
func (s *Service) Purge(ctx context.Context, cause sqldb.Cause, id octavo.ID, children pagestore.ChildrenPolicy, match sqldb.IfMatch) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		return s.pages.Purge(tx, id, children, match)
	})
}

// Restore restores a deleted page. Its errors are NotFound and SlugTaken.
func (s *Service) Restore(ctx context.Context, cause sqldb.Cause, id octavo.ID, reply Reply) (octavo.Page, error) {
	return s.mutate(ctx, cause, reply, func(tx *sqldb.Tx) (octavo.Page, error) {
		return s.pages.Restore(tx, id)
	})
}

// RestoreRevision makes the text of an earlier revision the newest one.
func (s *Service) RestoreRevision(ctx context.Context, cause sqldb.Cause, id octavo.ID, number int64, match sqldb.IfMatch, reply Reply) (octavo.Page, error) {
	return s.mutate(ctx, cause, reply, func(tx *sqldb.Tx) (octavo.Page, error) {
		return s.pages.RestoreRevision(tx, id, number, match)
	})
}

func newPage(in octavo.PageCreate) pagestore.NewPage {
	if in.Status == "" {
		in.Status = octavo.Draft
	}
	return pagestore.NewPage{PageCreate: in}
}

func patchChange(in octavo.PagePatch) pagestore.Change {
	return pagestore.Change{
		Title: in.Title, Content: in.Content, Status: in.Status, ParentID: in.ParentID,
		Position: in.Position, Publish: in.Publish, Unpublish: in.Unpublish, Dialect: in.Dialect,
	}
}

func replaceChange(in octavo.PageCreate) pagestore.Change {
	frontmatter := []byte(in.Frontmatter)
	c := pagestore.Change{Title: &in.Title, Slug: &in.Slug, Content: &in.Content, Frontmatter: &frontmatter, Dialect: in.Dialect}
	if in.Status != "" {
		c.Status = &in.Status
	}
	return c
}
