package pageapi

import (
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/outline"
)

// Tree returns the pages below one, or all pages, in tree order.
func (o Operations) Tree(r *rest.Request) (*rest.Response, error) {
	p := r.Params()
	q := outline.Query{Status: pageStatus(p)}
	if parent := parentParam(p); parent != nil {
		q.Parent = *parent
	}
	if text, given := p.Get("depth"); given {
		n, err := strconv.Atoi(text)
		if err != nil || text[0] == '+' || n < 1 || n > octavo.MaxDepth {
			p.Faults.Add("depth", "must be a whole number from 1 to %d", octavo.MaxDepth)
		}
		q.Depth = n
	}
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	now, err := o.Outline.Now(r.Context())
	if err != nil {
		return nil, err
	}
	tree, err := o.Outline.Tree(now.For(r.Principal.Audience()), q)
	if err != nil {
		return nil, err
	}
	resp := &rest.Response{Status: http.StatusOK, ContentType: rest.MediaJSON, Tag: rest.EntityTag{ID: tree.Tag}, Kept: rest.Encoded{Body: tree.JSON}}
	if r.AcceptsGzip() {
		body, err := tree.Packed()
		if err != nil {
			return nil, err
		}
		resp.Kept = rest.Encoded{Body: body, Packed: true}
	}
	return resp, nil
}
