package pageapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store"
)

func (o Operations) ListRevisions(r *rest.Request) (*rest.Response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	p := r.Params()
	limit, list := p.Limit(), "revisions\x01"+string(id)
	var after int64
	if m := p.Cursor(list); m != nil {
		if after, err = strconv.ParseInt(m.Key, 10, 64); err != nil {
			return nil, err
		}
	}
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	if _, err := r.Negotiate(rest.MediaJSON); err != nil {
		return nil, err
	}
	var found []octavo.Revision
	var more bool
	err = r.BoundedList(limit, func(ctx context.Context, limit int) (_ int, err error) {
		found, more, err = o.Service.Revisions(ctx, r.Principal.Audience(), id, after, limit)
		return 0, err
	})
	if err != nil {
		return nil, err
	}
	cursor := ""
	if more {
		cursor = r.Cursor(list, store.Mark{Key: strconv.FormatInt(found[len(found)-1].Number, 10)})
	}
	return rest.List(found, appendRevision, limit, cursor), nil
}

// appendRevision encodes a revision with times as the API writes them.
func appendRevision(dst []byte, rev octavo.Revision) []byte {
	dst = strconv.AppendInt(append(dst, `{"number":`...), rev.Number, 10)
	dst = octavo.AppendString(append(dst, `,"title":`...), rev.Title)
	dst = octavo.AppendString(append(dst, `,"slug":`...), rev.Slug)
	if len(rev.Frontmatter) > 0 {
		dst = append(append(dst, `,"frontmatter":`...), rev.Frontmatter...)
	}
	dst = append(append(dst, `,"author":`...), rest.EncodeJSON(rev.Author)...)
	dst = octavo.AppendTime(append(dst, `,"createdAt":`...), rev.CreatedAt)
	if rev.Content != nil {
		dst = octavo.AppendString(append(dst, `,"content":`...), *rev.Content)
	}
	return append(dst, '}')
}

// revisionPath reads the page and the number in the path of one revision.
func revisionPath(r *rest.Request) (octavo.ID, int64, error) {
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

func (o Operations) GetRevision(r *rest.Request) (*rest.Response, error) {
	id, number, err := revisionPath(r)
	if err != nil {
		return nil, err
	}
	if _, err := r.Negotiate(rest.MediaJSON); err != nil {
		return nil, err
	}
	rev, err := o.Service.Revision(r.Context(), r.Principal.Audience(), id, number)
	if err != nil {
		return nil, err
	}
	return rest.JSON(http.StatusOK, appendRevision(nil, rev)), nil
}

func (o Operations) RestoreRevision(r *rest.Request) (*rest.Response, error) {
	id, number, err := revisionPath(r)
	if err != nil {
		return nil, err
	}
	match, err := r.WriteCondition()
	if err != nil {
		return nil, err
	}
	if _, err := r.Negotiate(rest.MediaJSON); err != nil {
		return nil, err
	}
	answer := o.changedPage(r, http.StatusOK)
	page, err := o.Service.RestoreRevision(r.Context(), r.Cause(), id, number, match, kept(answer))
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}

func (o Operations) ListBacklinks(r *rest.Request) (*rest.Response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	p := r.Params()
	limit, list := p.Limit(), "backlinks\x01"+string(id)
	var after store.Mark
	if m := p.Cursor(list); m != nil {
		after = *m
	}
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	if _, err := r.Negotiate(rest.MediaJSON); err != nil {
		return nil, err
	}
	var found []octavo.Backlink
	var next store.Mark
	var more bool
	err = r.BoundedList(limit, func(ctx context.Context, limit int) (_ int, err error) {
		found, next, more, err = o.Service.Backlinks(ctx, r.Principal.Audience(), id, after, limit)
		return 0, err
	})
	if err != nil {
		return nil, err
	}
	cursor := ""
	if more {
		cursor = r.Cursor(list, next)
	}
	return rest.List(found, rest.AppendAny[octavo.Backlink], limit, cursor), nil
}
