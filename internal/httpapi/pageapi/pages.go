// Package pageapi has the operations on pages: reading and changing them, lists,
// revisions, backlinks and rendered forms. Package pages does the work. Start with
// [Operations].
package pageapi

import (
	"context"
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/deflate"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/outline"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Operations are the operations on pages.
type Operations struct {
	Service *pages.Service
	Outline *outline.Service

	Language func(context.Context) (string, error) // of the site
}

// tagOf returns the entity tag of a page's JSON form for aud. The version does not
// cover whether its parent is hidden, so that is part of the view.
func tagOf(ref pagestore.Ref, aud octavo.Audience) rest.EntityTag {
	t := rest.EntityTag{ID: ref.ID.Suffix(), Version: ref.Version}
	if aud.PublishedOnly {
		t.View = "p"
		if ref.ParentID == "" {
			t.View = "n"
		}
	}
	return t
}

// pageResponse returns a page as JSON. A page with included data has no entity tag if
// its version does not cover them.
func pageResponse(status int, p octavo.Page, aud octavo.Audience, include pages.Include) *rest.Response {
	if include.RawFront {
		p.FrontmatterRaw = frontText(p.FrontmatterRaw, p.Frontmatter)
	}
	resp := rest.JSON(status, p.AppendJSON(make([]byte, 0, len(p.Content)+len(p.Content)/8+1024)))
	if !include.Elsewhere() {
		resp.Tag = tagOf(pagestore.RefOf(p), aud)
		if include.RawFront {
			resp.Tag.Media = "front"
		}
	}
	return resp
}

const (
	mediaMarkdown = "text/markdown"
	markdownText  = mediaMarkdown + "; charset=utf-8"
)

// changedPage returns the response function for a mutation's resulting page.
func (o Operations) changedPage(r *rest.Request, status int) func(octavo.Page) *rest.Response {
	return func(p octavo.Page) *rest.Response {
		resp := pageResponse(status, p, r.Principal.Audience(), pages.Include{})
		if status == http.StatusCreated {
			resp.Header = map[string]string{"Location": r.Address("/pages/" + string(p.ID))}
		}
		return resp
	}
}

// kept adapts a response to the stored form.
func kept(answer func(octavo.Page) *rest.Response) pages.Reply {
	return func(p octavo.Page) sqldb.Response { return answer(p).Keep() }
}

func (o Operations) Get(r *rest.Request) (*rest.Response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	include, media, err := representation(r, r.Params())
	if err != nil {
		return nil, err
	}
	aud := r.Principal.Audience()
	if media == mediaHTML {
		return o.fragment(r, id)
	}
	if media == rest.MediaJSON && !include.Any() {
		e, err := o.Service.Encoded(r.Context(), aud, id, r.AcceptsGzip())
		if err != nil {
			return nil, err
		}
		return encodedPage(e, aud), nil
	}
	page, err := o.Service.Get(r.Context(), aud, id, include)
	if err != nil {
		return nil, err
	}
	return readPage(page, aud, include, media), nil
}

// representation reads the requested form of a page.
func representation(r *rest.Request, p *rest.Params) (include pages.Include, media string, err error) {
	include = readInclude(p)
	if err := p.Faults.Err(); err != nil {
		return include, "", err
	}
	media, err = r.Negotiate(rest.MediaJSON, mediaMarkdown, mediaHTML)
	return include, media, err
}

func pieceOf(e *pages.Encoding) deflate.Piece {
	return deflate.Piece{Plain: e.JSON, Compressed: e.Deflated}
}

// encodedPage returns a page in its cached encoding.
func encodedPage(e *pages.Encoding, aud octavo.Audience) *rest.Response {
	return &rest.Response{
		Status: http.StatusOK, ContentType: rest.MediaJSON, Tag: tagOf(e.Ref, aud),
		Pieces: []deflate.Piece{pieceOf(e)},
	}
}

func readPage(page octavo.Page, aud octavo.Audience, include pages.Include, media string) *rest.Response {
	if media == rest.MediaJSON {
		return pageResponse(http.StatusOK, page, aud, include)
	}
	tag := tagOf(pagestore.RefOf(page), aud)
	tag.Media = "md"
	return &rest.Response{Status: http.StatusOK, ContentType: markdownText, Tag: tag, Body: []byte(page.Content)}
}

func (o Operations) GetBySlug(r *rest.Request) (*rest.Response, error) {
	slug := r.PathValue("slug")
	p := r.Params()
	if msg := octavo.CheckSlug(slug); msg != "" {
		p.Faults.Add("slug", "%s", msg)
	}
	include, media, err := representation(r, p)
	if err != nil {
		return nil, err
	}
	aud := r.Principal.Audience()
	if media == rest.MediaJSON && !include.Any() {
		e, moved, err := o.Service.EncodedBySlug(r.Context(), aud, slug, r.AcceptsGzip())
		if err != nil {
			return nil, err
		}
		if moved != "" {
			return o.movedSlug(r, moved), nil
		}
		return encodedPage(e, aud), nil
	}
	page, former, err := o.Service.BySlug(r.Context(), aud, slug, include)
	if err != nil {
		return nil, err
	}
	switch {
	case former:
		return o.movedSlug(r, page.Slug), nil
	case media == mediaHTML:
		return o.fragment(r, page.ID)
	}
	return readPage(page, aud, include, media), nil
}

// movedSlug redirects from a former slug to the present one.
func (o Operations) movedSlug(r *rest.Request, slug string) *rest.Response {
	location := r.Address("/pages/by-slug/" + slug)
	if r.URL.RawQuery != "" {
		location += "?" + r.URL.RawQuery
	}
	return &rest.Response{Status: http.StatusPermanentRedirect, Header: map[string]string{"Location": location}}
}

func (o Operations) Create(r *rest.Request) (*rest.Response, error) {
	body, err := r.DecodeBody(rest.MediaYAML)
	if err != nil {
		return nil, err
	}
	in, err := octavo.DecodePageCreate(body)
	if err != nil {
		return nil, err
	}
	answer := o.changedPage(r, http.StatusCreated)
	page, err := o.Service.Create(r.Context(), r.Cause(), in, kept(answer))
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}

func (o Operations) Patch(r *rest.Request) (*rest.Response, error) {
	return changePage(o, r, func(body octavo.Value) (octavo.PagePatch, error) {
		return octavo.DecodePagePatch(body, r.Strict())
	}, o.Service.Patch, rest.MediaMergePatch)
}

// Move moves a page in the tree.
func (o Operations) Move(r *rest.Request) (*rest.Response, error) {
	return changePage(o, r, func(body octavo.Value) (octavo.PageMove, error) {
		return octavo.DecodePageMove(body, r.Strict())
	}, func(ctx context.Context, cause sqldb.Cause, id octavo.ID, to octavo.PageMove, match sqldb.IfMatch) (octavo.Page, error) {
		return o.Service.Move(ctx, cause, id, to, match, kept(o.changedPage(r, http.StatusOK)))
	})
}

func (o Operations) Replace(r *rest.Request) (*rest.Response, error) {
	return changePage(o, r, octavo.DecodePageUpsert, o.Service.Replace)
}

// changePage is the common part of PATCH and PUT. Errors in path, header and body are
// reported together. The media types are those beside JSON.
func changePage[T any](o Operations, r *rest.Request, decode func(octavo.Value) (T, error),
	apply func(context.Context, sqldb.Cause, octavo.ID, T, sqldb.IfMatch) (octavo.Page, error), media ...string,
) (*rest.Response, error) {
	var faults octavo.Faults
	id, err := pagePath(r)
	faults.Merge(err)
	match, err := r.WriteCondition()
	faults.Merge(err)
	var in T
	body, err := r.DecodeBody(media...)
	if err == nil {
		in, err = decode(body)
	}
	faults.Merge(err)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	page, err := apply(r.Context(), r.Cause(), id, in, match)
	if err != nil {
		return nil, err
	}
	return o.changedPage(r, http.StatusOK)(page), nil
}

func (o Operations) Delete(r *rest.Request) (*rest.Response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	p := r.Params()
	children := pagestore.ChildrenPolicy(p.OneOf("children", string(pagestore.ChildrenCascade), string(pagestore.ChildrenReparent)))
	purge := p.OneOf("purge", "now")
	match, err := r.WriteCondition()
	p.Faults.Merge(err)
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	if purge != "" {
		if !r.Principal.Scopes.Allow(octavo.ScopeAdmin) {
			return nil, r.Lacks(octavo.ScopeAdmin, "Permanently removing a page needs the scope %s.")
		}
		return rest.NoContent(o.Service.Purge(r.Context(), r.Cause(), id, children, match))
	}
	return rest.NoContent(o.Service.Delete(r.Context(), r.Cause(), id, children, match))
}

func (o Operations) Restore(r *rest.Request) (*rest.Response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	answer := o.changedPage(r, http.StatusOK)
	page, err := o.Service.Restore(r.Context(), r.Cause(), id, kept(answer))
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}
