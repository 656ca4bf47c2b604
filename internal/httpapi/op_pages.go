package httpapi

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/deflate"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store"
)

// cause tells the store who asked, and how to answer the repetition.
func (r *request) cause() store.Cause {
	c := store.Cause{Actor: r.principal.Actor, TraceID: r.trace.id, Traceparent: r.traceparent(), Claim: r.claim}
	if r.address.IsValid() {
		c.Address = r.address.String()
	}
	return c
}

// pageResponse answers with a page as JSON. A page with included data has no
// entity tag, since its version says nothing of them.
func pageResponse(status int, p octavo.Page, aud octavo.Audience, include pages.Include) *response {
	resp := jsonResponse(status, p.AppendJSON(make([]byte, 0, len(p.Content)+len(p.Content)/8+1024)))
	if !include.Any() {
		resp.tag = tagOf(store.RefOf(p), aud)
	}
	return resp
}

// changedPage returns how a mutation answers with the page it left behind.
func (a *API) changedPage(r *request, status int) func(octavo.Page) *response {
	return func(p octavo.Page) *response {
		resp := pageResponse(status, p, r.principal.Audience(), pages.Include{})
		if status == http.StatusCreated {
			resp.header = map[string]string{"Location": a.PublicURL + "/" + r.version + "/pages/" + string(p.ID)}
		}
		return resp
	}
}

// kept adapts an answer to what the store keeps.
func kept(answer func(octavo.Page) *response) pages.Reply {
	return func(p octavo.Page) store.Response { return answer(p).keep() }
}

func (a *API) getPage(r *request) (*response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	include, media, err := representation(r, readParams(r))
	if err != nil {
		return nil, err
	}
	aud := r.principal.Audience()
	if media == mediaHTML {
		return a.fragment(r, id)
	}
	if media == mediaJSON && !include.Any() {
		e, err := a.Pages.Encoded(r.Context(), aud, id, acceptsGzip(r))
		if err != nil {
			return nil, err
		}
		return encodedPage(e, aud), nil
	}
	page, err := a.Pages.Get(r.Context(), aud, id, include)
	if err != nil {
		return nil, err
	}
	return readPage(page, aud, include, media), nil
}

// representation reads in which form a page is wanted.
func representation(r *request, p *params) (include pages.Include, media string, err error) {
	include = p.include()
	if err := p.faults.Err(); err != nil {
		return include, "", err
	}
	media, err = negotiate(r, mediaJSON, "text/markdown", mediaHTML)
	return include, media, err
}

// encodedPage answers with a page that is encoded already.
func encodedPage(e *pages.Encoding, aud octavo.Audience) *response {
	return &response{
		status: http.StatusOK, contentType: mediaJSON, tag: tagOf(e.Ref, aud),
		pieces: []deflate.Piece{{Plain: e.JSON, Compressed: e.Deflated}},
	}
}

func readPage(page octavo.Page, aud octavo.Audience, include pages.Include, media string) *response {
	if media == mediaJSON {
		return pageResponse(http.StatusOK, page, aud, include)
	}
	tag := tagOf(store.RefOf(page), aud)
	tag.media = "md"
	return &response{status: http.StatusOK, contentType: mediaMarkdown, tag: tag, body: []byte(page.Content)}
}

func (a *API) getPageBySlug(r *request) (*response, error) {
	slug := r.PathValue("slug")
	p := readParams(r)
	if msg := octavo.CheckSlug(slug); msg != "" {
		p.faults.Add("slug", "%s", msg)
	}
	include, media, err := representation(r, p)
	if err != nil {
		return nil, err
	}
	aud := r.principal.Audience()
	if media == mediaJSON && !include.Any() {
		e, moved, err := a.Pages.EncodedBySlug(r.Context(), aud, slug, acceptsGzip(r))
		if err != nil {
			return nil, err
		}
		if moved != "" {
			return a.movedSlug(r, moved), nil
		}
		return encodedPage(e, aud), nil
	}
	page, former, err := a.Pages.BySlug(r.Context(), aud, slug, include)
	if err != nil {
		return nil, err
	}
	switch {
	case former:
		return a.movedSlug(r, page.Slug), nil
	case media == mediaHTML:
		return a.fragment(r, page.ID)
	}
	return readPage(page, aud, include, media), nil
}

// movedSlug sends who asked for a former slug to the present one.
func (a *API) movedSlug(r *request, slug string) *response {
	location := a.PublicURL + "/" + r.version + "/pages/by-slug/" + slug
	if r.URL.RawQuery != "" {
		location += "?" + r.URL.RawQuery
	}
	return &response{status: http.StatusPermanentRedirect, header: map[string]string{"Location": location}}
}

func (a *API) createPage(r *request) (*response, error) {
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	body, err := decodeBody(r, mediaYAML)
	if err != nil {
		return nil, err
	}
	in, err := octavo.DecodePageCreate(body)
	if err != nil {
		return nil, err
	}
	answer := a.changedPage(r, http.StatusCreated)
	page, err := a.Pages.Create(r.Context(), r.cause(), in, kept(answer))
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}

func (a *API) patchPage(r *request) (*response, error) {
	var in octavo.PagePatch
	return a.changePage(r, change{
		media:  []string{mediaMergePatch},
		decode: func(body octavo.Value) (err error) { in, err = octavo.DecodePagePatch(body, strict(r)); return err },
		apply: func(id octavo.ID, match store.IfMatch) (octavo.Page, error) {
			return a.Pages.Patch(r.Context(), r.cause(), id, in, match)
		},
	})
}

func (a *API) replacePage(r *request) (*response, error) {
	var in octavo.PageCreate
	return a.changePage(r, change{
		decode: func(body octavo.Value) (err error) { in, err = octavo.DecodePageUpsert(body); return err },
		apply: func(id octavo.ID, match store.IfMatch) (octavo.Page, error) {
			return a.Pages.Replace(r.Context(), r.cause(), id, in, match)
		},
	})
}

// change is what differs between PATCH and PUT.
type change struct {
	media  []string // accepted beside JSON
	decode func(body octavo.Value) error
	apply  func(octavo.ID, store.IfMatch) (octavo.Page, error)
}

// changePage is what PATCH and PUT have in common. Mistakes in path, header
// and body are told together.
func (a *API) changePage(r *request, c change) (*response, error) {
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	var faults octavo.Faults
	id, err := pagePath(r)
	faults.Merge(err)
	match, err := writeCondition(r)
	faults.Merge(err)
	body, err := decodeBody(r, c.media...)
	if err == nil {
		err = c.decode(body)
	}
	faults.Merge(err)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	page, err := c.apply(id, match)
	if err != nil {
		return nil, err
	}
	return a.changedPage(r, http.StatusOK)(page), nil
}

func (a *API) deletePage(r *request) (*response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	p := readParams(r)
	children := store.ChildrenPolicy(p.oneOf("children", string(store.ChildrenCascade), string(store.ChildrenReparent)))
	match, err := writeCondition(r)
	p.faults.Merge(err)
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	if err := a.Pages.Delete(r.Context(), r.cause(), id, children, match); err != nil {
		return nil, err
	}
	return &response{status: http.StatusNoContent}, nil
}

func (a *API) restorePage(r *request) (*response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	answer := a.changedPage(r, http.StatusOK)
	page, err := a.Pages.Restore(r.Context(), r.cause(), id, kept(answer))
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}
