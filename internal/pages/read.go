package pages

import (
	"context"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Include says what to add to pages in responses (decision 17).
type Include struct {
	Authors, Assets, Children bool
	RawFront                  bool // original front matter, if it is stored
	Imported                  bool // the state of the last import; its text only for single pages
	single                    bool
}

// Any reports whether anything is to be added.
func (i Include) Any() bool { return i.Elsewhere() || i.RawFront }

// Elsewhere reports whether anything is to be added that can change without the page.
func (i Include) Elsewhere() bool { return i.Authors || i.Assets || i.Children || i.Imported }

// Get returns the page if aud may see it, otherwise a NotFound error.
func (s *Service) Get(ctx context.Context, aud octavo.Audience, id octavo.ID, include Include) (octavo.Page, error) {
	page, err := s.pages.Get(ctx, aud, id)
	if err != nil {
		return page, err
	}
	include.single = true
	return page, s.include(ctx, aud, []*octavo.Page{&page}, include)
}

// BySlug returns the page with a current or former slug, and which of these it is.
func (s *Service) BySlug(ctx context.Context, aud octavo.Audience, slug string, include Include) (page octavo.Page, former bool, err error) {
	page, former, err = s.pages.BySlug(ctx, aud, slug)
	if err != nil || former {
		return page, former, err
	}
	include.single = true
	return page, former, s.include(ctx, aud, []*octavo.Page{&page}, include)
}

// Query selects pages of a list.
type Query = pagestore.Query

// List returns one page of a list that aud may see, and whether more follow.
func (s *Service) List(ctx context.Context, aud octavo.Audience, q pagestore.Query, include Include) ([]octavo.Page, bool, error) {
	list, more, err := s.pages.List(ctx, aud, q)
	if err != nil {
		return nil, false, err
	}
	refs := make([]*octavo.Page, len(list))
	for i := range list {
		refs[i] = &list[i]
	}
	return list, more, s.include(ctx, aud, refs, include)
}

// Revisions returns a page's revisions with numbers above after, oldest first.
func (s *Service) Revisions(ctx context.Context, aud octavo.Audience, id octavo.ID, after int64, limit int) ([]octavo.Revision, bool, error) {
	return s.pages.Revisions(ctx, aud, id, after, limit)
}

// Revision returns one revision with its content, and its original front
// matter if that is stored.
func (s *Service) Revision(ctx context.Context, aud octavo.Audience, id octavo.ID, number int64) (octavo.Revision, error) {
	return s.pages.Revision(ctx, aud, id, number)
}

// Backlinks returns the links on other pages to the page, and where to
// continue if more follow.
func (s *Service) Backlinks(ctx context.Context, aud octavo.Audience, id octavo.ID, after sqldb.Cursor, limit int) (links []octavo.Backlink, next sqldb.Cursor, more bool, err error) {
	return s.pages.Backlinks(ctx, aud, id, after, limit)
}

// LinkedFrom returns at most limit links to a page.
func (s *Service) LinkedFrom(ctx context.Context, aud octavo.Audience, id octavo.ID, limit int) ([]octavo.Backlink, error) {
	links, _, _, err := s.pages.Backlinks(ctx, aud, id, sqldb.Cursor{}, limit)
	return links, err
}

// include adds the requested data to pages, with one statement for each kind.
func (s *Service) include(ctx context.Context, aud octavo.Audience, list []*octavo.Page, include Include) error {
	if !include.Any() || len(list) == 0 {
		return nil
	}
	ids := make([]octavo.ID, len(list))
	for i, p := range list {
		ids[i] = p.ID
	}
	if include.Authors {
		authors, err := s.pages.Authors(ctx, aud, ids)
		if err != nil {
			return err
		}
		for _, p := range list {
			p.Authors = append([]octavo.Actor{}, authors[p.ID]...)
		}
	}
	if include.Children {
		children, err := s.pages.Children(ctx, aud, ids)
		if err != nil {
			return err
		}
		for _, p := range list {
			p.Children = append([]octavo.PageSummary{}, children[p.ID]...)
		}
	}
	if include.RawFront {
		kept, err := s.pages.RawOf(ctx, list)
		if err != nil {
			return err
		}
		for _, p := range list {
			p.FrontmatterRaw = kept[p.ID]
		}
	}
	if include.Imported {
		imported, err := s.pages.Imported(ctx, aud, list, include.single)
		if err != nil {
			return err
		}
		for _, p := range list {
			p.Imported = imported[p.ID]
		}
	}
	if include.Assets {
		return s.includeAssets(ctx, aud, list, ids)
	}
	return nil
}
