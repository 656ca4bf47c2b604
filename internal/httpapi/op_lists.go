package httpapi

import (
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
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
	found, more, err := a.Pages.List(r.Context(), r.principal.Audience(), q, include)
	if err != nil {
		return nil, err
	}
	cursor := ""
	if more {
		cursor = a.cursors.encode(list, store.MarkOf(found[len(found)-1], q.Sort))
	}
	return listResponse(found, func(dst []byte, page octavo.Page) []byte { return page.AppendJSON(dst) }, q.Limit, cursor), nil
}

// listResponse answers with one slice of a list. There is a cursor exactly
// when more follows.
func listResponse[T any](items []T, appendItem func([]byte, T) []byte, limit int, cursor string) *response {
	body := append(make([]byte, 0, 4096*(len(items)+1)), `{"data":[`...)
	for i, item := range items {
		if i > 0 {
			body = append(body, ',')
		}
		body = appendItem(body, item)
	}
	body = append(body, `],"pagination":{`...)
	if cursor != "" {
		body = octavo.AppendString(append(body, `"cursor":`...), cursor)
		body = append(body, ',')
	}
	body = strconv.AppendInt(append(body, `"limit":`...), int64(limit), 10)
	body = strconv.AppendBool(append(body, `,"hasMore":`...), cursor != "")
	return jsonResponse(http.StatusOK, append(body, `}}`...))
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
	found, next, more, err := a.Pages.Backlinks(r.Context(), r.principal.Audience(), id, after, limit)
	if err != nil {
		return nil, err
	}
	cursor := ""
	if more {
		cursor = a.cursors.encode(list, next)
	}
	return listResponse(found, appendAny[octavo.Backlink], limit, cursor), nil
}
