package pageapi

import (
	"context"
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// List returns one page of the list that a query selects.
func (o Operations) List(r *rest.Request) (*rest.Response, error) {
	p := r.Params()
	q, include := pageQuery(p), readInclude(p)
	if q.Language != "" {
		site, err := o.Language(r.Context())
		if err != nil {
			return nil, err
		}
		q.Unsaid = octavo.InLanguage(site, q.Language)
	}
	if q.Deleted && !r.Principal.Scopes.Allow(octavo.ScopeWrite) {
		return nil, r.Lacks(octavo.ScopeWrite, "Deleted pages need the scope %s.")
	}
	if !include.Any() && !q.Deleted {
		return o.encodedList(r, p, q)
	}
	return rest.List(r, p, listName(q), func(ctx context.Context, after *sqldb.Cursor, limit int) ([]octavo.Page, bool, error) {
		q.After, q.Limit = after, limit
		return o.Service.List(ctx, r.Principal.Audience(), q, include)
	}, func(page octavo.Page) sqldb.Cursor { return pagestore.CursorOf(page, q.Sort) }, func(dst []byte, page octavo.Page) []byte {
		if include.RawFront {
			page.FrontmatterRaw = frontText(page.FrontmatterRaw, page.Frontmatter)
		}
		return page.AppendJSON(dst)
	})
}

// encodedList returns pages in their cached encoding.
func (o Operations) encodedList(r *rest.Request, p *rest.Params, q pagestore.Query) (*rest.Response, error) {
	list := listName(q)
	q.Limit, q.After = p.Limit(), p.Cursor(list)
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	var found []*pages.Encoding
	var last sqldb.Cursor
	var more bool
	slice, err := o.Service.FindList(r.Context(), r.Principal.Audience(), q, r.AcceptsGzip())
	if err != nil {
		return nil, err
	}
	if kept := slice.Answer(); kept.Body != nil {
		return &rest.Response{Status: http.StatusOK, ContentType: rest.MediaJSON, Kept: rest.Encoded(kept)}, nil
	}
	err = r.BoundedList(q.Limit, func(ctx context.Context, limit int) (size int, err error) {
		found, last, more, err = slice.Pages(ctx, limit)
		for _, e := range found {
			size += len(e.JSON)
		}
		return size, err
	})
	if err != nil {
		return nil, err
	}
	cursor := ""
	if more {
		cursor = r.Cursor(list, last)
	}
	return &rest.Response{
		Status: http.StatusOK, ContentType: rest.MediaJSON,
		Pieces: rest.ListPieces(found, pieceOf, q.Limit, cursor), Keeper: func(e rest.Encoded) { slice.Keep(pages.Answer(e)) },
	}, nil
}
