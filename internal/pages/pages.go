// Package pages is the feature that Octavo exists for: documentation pages,
// their tree, their revisions and the links between them. It derives what a
// page's source says about it and orders the steps of each operation.
//
// What must be true inside one transaction is the store's business; what a
// request looks like is the HTTP layer's.
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
	listings  entryCache[listingKey, *listing] // nil keeps nothing
	renderer  *html.Renderer

	// AssetURL returns the address of an asset's bytes. Only what includes
	// assets, and what renders pages, needs it.
	AssetURL func(octavo.Asset) string
	// PublicURL is what addresses of this server begin with, as Deriver is told.
	// Only what includes assets, and what renders pages, needs it.
	PublicURL string
	// OpenBlob opens the bytes of an asset; the error is fs.ErrNotExist where they
	// are lost. Only what renders pages needs it.
	OpenBlob func(ctx context.Context, key string) (io.ReadCloser, error)
}

// New returns the pages of a store. cache is how many bytes of memory may hold
// what is often read; 0 keeps nothing.
func New(db *sqldb.DB, pages *pagestore.Pages, files *assetstore.Assets, cache int64) *Service {
	listings := cache / 3
	s := &Service{db: db, stamps: db.Stamps(), pages: pages, assets: files, encodings: newEncodings(cache - listings), renderer: newRenderer()}
	if cache > 0 {
		s.listings = newListings(max(listings, 1))
	}
	return s
}

// Reply makes the answer to a mutation from the page it left behind. It runs
// before the commit, so that the answer can be kept for a repeated request.
type Reply func(octavo.Page) sqldb.Response

// replying completes the claim of a cause, if it has one, with the answer.
func replying(cause sqldb.Cause, response func() sqldb.Response) sqldb.Cause {
	if cause.Claim != nil {
		claim := *cause.Claim
		claim.Response = response
		cause.Claim = &claim
	}
	return cause
}

// mutate runs one change of one page in a transaction.
func (s *Service) mutate(ctx context.Context, cause sqldb.Cause, reply Reply, change func(*sqldb.Tx) (octavo.Page, error)) (octavo.Page, error) {
	var page octavo.Page
	cause = replying(cause, func() sqldb.Response { return reply(page) })
	err := s.db.Write(ctx, cause, func(tx *sqldb.Tx) (err error) {
		page, err = change(tx)
		return err
	})
	return page, err
}

// Create makes a page. Its errors are InvalidRequest and SlugTaken.
func (s *Service) Create(ctx context.Context, cause sqldb.Cause, in octavo.PageCreate, reply Reply) (octavo.Page, error) {
	page := newPage(in)
	s.pages.Prepare(&page)
	return s.mutate(ctx, cause, reply, func(tx *sqldb.Tx) (octavo.Page, error) {
		return s.pages.Create(tx, page)
	})
}

// Patch changes some members of a page. Its errors are NotFound,
// PreconditionFailed, InvalidRequest for a parent that does not exist, and
// Conflict for one that lies below the page.
func (s *Service) Patch(ctx context.Context, cause sqldb.Cause, id octavo.ID, in octavo.PagePatch, match sqldb.IfMatch) (octavo.Page, error) {
	return s.mutate(ctx, cause, nil, func(tx *sqldb.Tx) (octavo.Page, error) {
		return s.pages.Update(tx, id, patchChange(in), match)
	})
}

// Move puts a page into another place of the tree. Its errors are those of Patch, and
// InvalidRequest for a sibling that is none.
func (s *Service) Move(ctx context.Context, cause sqldb.Cause, id octavo.ID, to octavo.PageMove, match sqldb.IfMatch, reply Reply) (octavo.Page, error) {
	return s.mutate(ctx, cause, reply, func(tx *sqldb.Tx) (octavo.Page, error) {
		return s.pages.Move(tx, id, to, match)
	})
}

// Replace sets everything that a PageCreate holds; its status is kept when
// left out, its front matter removed, its parent untouched (decision 10).
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

// Purge removes a page for good, deleted or not.
func (s *Service) Purge(ctx context.Context, cause sqldb.Cause, id octavo.ID, children pagestore.ChildrenPolicy, match sqldb.IfMatch) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		return s.pages.Purge(tx, id, children, match)
	})
}

// Restore brings a deleted page back. Its errors are NotFound and SlugTaken.
func (s *Service) Restore(ctx context.Context, cause sqldb.Cause, id octavo.ID, reply Reply) (octavo.Page, error) {
	return s.mutate(ctx, cause, reply, func(tx *sqldb.Tx) (octavo.Page, error) {
		return s.pages.Restore(tx, id)
	})
}

// RestoreRevision makes an earlier revision the page's newest one.
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
