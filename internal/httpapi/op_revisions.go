package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

func (a *API) listRevisions(r *request) (*response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	p := readParams(r)
	limit, list := p.limit(), "revisions\x01"+string(id)
	var after int64
	if m := p.cursor(a.cursors, list); m != nil {
		if after, err = strconv.ParseInt(m.Key, 10, 64); err != nil {
			return nil, err
		}
	}
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	var found []octavo.Revision
	var more bool
	err = a.boundedList(r, limit, func(ctx context.Context, limit int) (_ int, err error) {
		found, more, err = a.Pages.Revisions(ctx, r.principal.Audience(), id, after, limit)
		return 0, err
	})
	if err != nil {
		return nil, err
	}
	cursor := ""
	if more {
		cursor = a.cursors.encode(list, store.Mark{Key: strconv.FormatInt(found[len(found)-1].Number, 10)})
	}
	return listResponse(found, appendRevision, limit, cursor), nil
}

// appendRevision encodes a revision with times as the API writes them.
func appendRevision(dst []byte, rev octavo.Revision) []byte {
	dst = strconv.AppendInt(append(dst, `{"number":`...), rev.Number, 10)
	dst = octavo.AppendString(append(dst, `,"title":`...), rev.Title)
	dst = octavo.AppendString(append(dst, `,"slug":`...), rev.Slug)
	if len(rev.Frontmatter) > 0 {
		dst = append(append(dst, `,"frontmatter":`...), rev.Frontmatter...)
	}
	dst = append(append(dst, `,"author":`...), encodeJSON(rev.Author)...)
	dst = octavo.AppendTime(append(dst, `,"createdAt":`...), rev.CreatedAt)
	if rev.Content != nil {
		dst = octavo.AppendString(append(dst, `,"content":`...), *rev.Content)
	}
	return append(dst, '}')
}

// revisionPath reads the page and the number in the path of one revision.
func revisionPath(r *request) (octavo.ID, int64, error) {
	var faults octavo.Faults
	id, err := pagePath(r)
	faults.Merge(err)
	text := r.PathValue("number")
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < 1 || text[0] == '+' {
		faults.Add("number", "must be the number of a revision, from 1")
	}
	return id, number, faults.Err()
}

func (a *API) getRevision(r *request) (*response, error) {
	id, number, err := revisionPath(r)
	if err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	rev, err := a.Pages.Revision(r.Context(), r.principal.Audience(), id, number)
	if err != nil {
		return nil, err
	}
	return jsonResponse(http.StatusOK, appendRevision(nil, rev)), nil
}

func (a *API) restoreRevision(r *request) (*response, error) {
	id, number, err := revisionPath(r)
	if err != nil {
		return nil, err
	}
	match, err := writeCondition(r)
	if err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	answer := a.changedPage(r, http.StatusOK)
	page, err := a.Pages.RestoreRevision(r.Context(), r.cause(), id, number, match, kept(answer))
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}
