package pageapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// ListRevisions returns one page of the revisions of a page.
func (o Operations) ListRevisions(r *rest.Request) (*rest.Response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	list := "revisions\x01" + string(id)
	return rest.List(r, r.Params(), list, func(ctx context.Context, after *sqldb.Cursor, limit int) (_ []octavo.Revision, _ bool, err error) {
		var number int64
		if after != nil {
			if number, err = strconv.ParseInt(after.Key, 10, 64); err != nil {
				return nil, false, err
			}
		}
		return o.Service.Revisions(ctx, r.Principal.Audience(), id, number, limit)
	}, func(rev octavo.Revision) sqldb.Cursor { return sqldb.Cursor{Key: strconv.FormatInt(rev.Number, 10)} }, appendRevision)
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
	if rev.MergedBy != nil {
		dst = octavo.AppendString(append(dst, `,"proposalId":`...), string(rev.ProposalID))
		dst = append(append(dst, `,"mergedBy":`...), rest.EncodeJSON(rev.MergedBy)...)
	}
	if rev.FrontmatterRaw != "" {
		dst = octavo.AppendString(append(dst, `,"frontmatterRaw":`...), rev.FrontmatterRaw)
	}
	if rev.Content != nil {
		dst = octavo.AppendString(append(dst, `,"content":`...), *rev.Content)
	}
	return append(dst, '}')
}

// revisionPath reads the page and the revision number in the path.
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
	p := r.Params()
	p.JoinList("include")
	raw := p.OneOf("include", "frontmatterRaw")
	p.Faults.Merge(err)
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	rev, err := o.Service.Revision(r.Context(), r.Principal.Audience(), id, number)
	if err != nil {
		return nil, err
	}
	text := frontText(rev.FrontmatterRaw, rev.Frontmatter)
	if rev.FrontmatterRaw = ""; raw != "" {
		rev.FrontmatterRaw = text
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
	answer := o.changedPage(r, http.StatusOK)
	page, err := o.Service.RestoreRevision(r.Context(), r.Cause(), id, number, match, kept(answer))
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}

// ListBacklinks returns one page of the links that lead to a page.
func (o Operations) ListBacklinks(r *rest.Request) (*rest.Response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	var next sqldb.Cursor
	return rest.List(r, r.Params(), "backlinks\x01"+string(id), func(ctx context.Context, after *sqldb.Cursor, limit int) (found []octavo.Backlink, more bool, err error) {
		if after == nil {
			after = &sqldb.Cursor{}
		}
		found, next, more, err = o.Service.Backlinks(ctx, r.Principal.Audience(), id, *after, limit)
		return found, more, err
	}, func(octavo.Backlink) sqldb.Cursor { return next }, rest.AppendAny[octavo.Backlink])
}

// ListLinks returns one page of the links that lead nowhere.
func (o Operations) ListLinks(r *rest.Request) (*rest.Response, error) {
	p := r.Params()
	if state := p.OneOf("state", "broken"); state == "" && !p.Has("state") {
		p.Faults.Add("state", "must be broken")
	}
	var next sqldb.Cursor
	return rest.List(r, p, "links\x01broken", func(ctx context.Context, after *sqldb.Cursor, limit int) (found []octavo.BrokenLink, more bool, err error) {
		if after == nil {
			after = &sqldb.Cursor{}
		}
		found, next, more, err = o.Service.BrokenLinks(ctx, r.Principal.Audience(), *after, limit)
		return found, more, err
	}, func(octavo.BrokenLink) sqldb.Cursor { return next }, rest.AppendAny[octavo.BrokenLink])
}
