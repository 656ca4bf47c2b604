package pageapi

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/merge"
	"github.com/octavo-docs/octavo/internal/pages"
)

// DiffRevisions returns the changes from one revision to another, by default the
// newest.
func (o Operations) DiffRevisions(r *rest.Request) (*rest.Response, error) {
	id, number, err := revisionPath(r)
	var faults octavo.Faults
	faults.Merge(err)
	p := r.Params()
	faults.Merge(p.Faults.Err())
	var to int64
	if text, given := p.Get("to"); given {
		if to, err = strconv.ParseInt(text, 10, 64); err != nil || to < 1 || text[0] == '+' {
			faults.Add("to", "must be the number of a revision, from 1")
		}
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	media, err := r.Negotiate(rest.MediaJSON, merge.MediaType)
	if err != nil {
		return nil, err
	}
	if to == 0 {
		page, err := o.Service.Get(r.Context(), r.Principal.Audience(), id, pages.Include{})
		if err != nil {
			return nil, err
		}
		to = page.Revision
	}
	before, err := o.Service.Revision(r.Context(), r.Principal.Audience(), id, number)
	if err != nil {
		return nil, err
	}
	after, err := o.Service.Revision(r.Context(), r.Principal.Audience(), id, to)
	if err != nil {
		return nil, err
	}
	if err := rest.TakeTexts(r, len(*before.Content)+len(*after.Content)); err != nil {
		return nil, err
	}
	hunks := merge.Hunks(*before.Content, *after.Content)
	if media == rest.MediaJSON {
		return rest.JSON(http.StatusOK, rest.EncodeJSON(octavo.RevisionDiff{From: before.Number, To: after.Number, Hunks: hunks})), nil
	}
	name := func(rev octavo.Revision) string { return fmt.Sprintf("%s (revision %d)", rev.Slug, rev.Number) }
	return &rest.Response{Status: http.StatusOK, ContentType: merge.MediaType + "; charset=utf-8", Body: []byte(merge.Unified(hunks, name(before), name(after)))}, nil
}
