package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/deflate"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store"
)

func (a *API) listPages(r *request) (*response, error) {
	p := readParams(r)
	q, include := p.pageQuery(), p.include()
	list := listName(q)
	q.After = p.cursor(a.cursors, list)
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	if !include.Any() {
		return a.encodedList(r, q, list)
	}
	var found []octavo.Page
	var more bool
	asked := q.Limit
	err := a.boundedList(r, q.Limit, func(ctx context.Context, limit int) (_ int, err error) {
		q.Limit = limit
		found, more, err = a.Pages.List(ctx, r.principal.Audience(), q, include)
		return 0, err
	})
	if err != nil {
		return nil, err
	}
	cursor := ""
	if more {
		cursor = a.cursors.encode(list, store.MarkOf(found[len(found)-1], q.Sort))
	}
	return listResponse(found, func(dst []byte, page octavo.Page) []byte { return page.AppendJSON(dst) }, asked, cursor), nil
}

// encodedList answers with pages that are encoded already.
func (a *API) encodedList(r *request, q store.PageQuery, list string) (*response, error) {
	var found []*pages.Encoding
	var last store.Mark
	var more bool
	slice, err := a.Pages.FindList(r.Context(), r.principal.Audience(), q, acceptsGzip(r))
	if err != nil {
		return nil, err
	}
	if kept := slice.Answer(); kept.Body != nil {
		return &response{status: http.StatusOK, contentType: mediaJSON, kept: kept}, nil
	}
	err = a.boundedList(r, q.Limit, func(ctx context.Context, limit int) (size int, err error) {
		found, last, more, err = slice.Pages(ctx, limit)
		for _, e := range found {
			size += len(e.JSON)
		}
		return size, err
	})
	if err != nil {
		return nil, err
	}
	pieces := make([]deflate.Piece, 0, 2*len(found)+1)
	before := listStart
	for _, e := range found {
		pieces = append(pieces, deflate.Piece{Plain: []byte(before)}, deflate.Piece{Plain: e.JSON, Compressed: e.Deflated})
		before = ","
	}
	end := []byte{}
	if len(found) == 0 {
		end = append(end, listStart...)
	}
	cursor := ""
	if more {
		cursor = a.cursors.encode(list, last)
	}
	pieces = append(pieces, deflate.Piece{Plain: appendPagination(end, q.Limit, cursor)})
	return &response{status: http.StatusOK, contentType: mediaJSON, pieces: pieces, keeper: slice.Keep}, nil
}

// listResponse answers with one slice of a list. There is a cursor exactly
// when more follows.
func listResponse[T any](items []T, appendItem func([]byte, T) []byte, limit int, cursor string) *response {
	body := append(make([]byte, 0, 4096*(len(items)+1)), listStart...)
	for i, item := range items {
		if i > 0 {
			body = append(body, ',')
		}
		body = appendItem(body, item)
	}
	return jsonResponse(http.StatusOK, appendPagination(body, limit, cursor))
}

const listStart = `{"data":[`

// appendPagination ends a list.
func appendPagination(dst []byte, limit int, cursor string) []byte {
	dst = append(dst, `],"pagination":{`...)
	if cursor != "" {
		dst = octavo.AppendString(append(dst, `"cursor":`...), cursor)
		dst = append(dst, ',')
	}
	dst = strconv.AppendInt(append(dst, `"limit":`...), int64(limit), 10)
	dst = strconv.AppendBool(append(dst, `,"hasMore":`...), cursor != "")
	return append(dst, `}}`...)
}

// appendAny encodes an item of the smaller lists.
func appendAny[T any](dst []byte, item T) []byte { return append(dst, encodeJSON(item)...) }

func (a *API) listBacklinks(r *request) (*response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	p := readParams(r)
	limit, list := p.limit(), "backlinks\x01"+string(id)
	var after store.Mark
	if m := p.cursor(a.cursors, list); m != nil {
		after = *m
	}
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	var found []octavo.Backlink
	var next store.Mark
	var more bool
	err = a.boundedList(r, limit, func(ctx context.Context, limit int) (_ int, err error) {
		found, next, more, err = a.Pages.Backlinks(ctx, r.principal.Audience(), id, after, limit)
		return 0, err
	})
	if err != nil {
		return nil, err
	}
	cursor := ""
	if more {
		cursor = a.cursors.encode(list, next)
	}
	return listResponse(found, appendAny[octavo.Backlink], limit, cursor), nil
}

// listByID answers with one slice of a list that is in the order of its
// identifiers.
func listByID[T any](a *API, r *request, list string, read func(ctx context.Context, after octavo.ID, limit int) ([]T, bool, error),
	id func(T) octavo.ID, appendItem func([]byte, T) []byte,
) (*response, error) {
	p := readParams(r)
	limit := p.limit()
	var after octavo.ID
	if m := p.cursor(a.cursors, list); m != nil {
		after = m.ID
	}
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	var found []T
	var more bool
	err := a.boundedList(r, limit, func(ctx context.Context, limit int) (_ int, err error) {
		found, more, err = read(ctx, after, limit)
		return 0, err
	})
	if err != nil {
		return nil, err
	}
	cursor := ""
	if more {
		cursor = a.cursors.encode(list, store.Mark{ID: id(found[len(found)-1])})
	}
	return listResponse(found, appendItem, limit, cursor), nil
}
