package pageapi

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/html"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

const (
	mediaHTML     = "text/html"
	mediaHTMLText = mediaHTML + "; charset=utf-8"
)

// fragmentPolicy prevents a fragment that is opened directly from loading anything: it
// is meant to be included in other pages.
const fragmentPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

// fragment returns a page as HTML, without anything around it.
func (o Operations) fragment(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	rendering, err := o.Service.Render(r.Context(), r.Principal.Audience(), id, pages.View{Link: func(target octavo.ID, _ string) string {
		return r.Address("/pages/" + string(target))
	}})
	if err != nil {
		return nil, err
	}
	return htmlResponse(r, rendering.Page, rendering.HTML, fragmentPolicy), nil
}

// Preview returns a complete page.
func (o Operations) Preview(r *rest.Request) (*rest.Response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	p := r.Params()
	theme := html.Theme{Name: p.OneOf("theme", "light", "dark", "system")}
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	if _, err := r.Negotiate(mediaHTML); err != nil {
		return nil, err
	}
	rendering, err := o.Service.Render(r.Context(), r.Principal.Audience(), id, pages.View{Link: func(target octavo.ID, _ string) string {
		return r.Address("/pages/" + string(target) + "/preview")
	}})
	if err != nil {
		return nil, err
	}
	page, policy, err := html.Page{
		Title: rendering.Page.Title, Language: octavo.PageLanguage(rendering.Page.Frontmatter, rendering.Page.Language), Theme: theme, Contents: rendering.Document.Contents(2, 3), Fragment: rendering.HTML,
	}.HTML()
	if err != nil {
		return nil, err
	}
	return htmlResponse(r, rendering.Page, page, policy), nil
}

// htmlResponse returns HTML of a page. Its version does not cover the targets of its
// links, so the entity tag includes a hash of the bytes.
func htmlResponse(r *rest.Request, page octavo.Page, body []byte, policy string) *rest.Response {
	tag := tagOf(pagestore.RefOf(page), r.Principal.Audience())
	sum := sha256.Sum256(body)
	tag.Media = "html-" + hex.EncodeToString(sum[:8])
	return &rest.Response{
		Status: http.StatusOK, ContentType: mediaHTMLText, Tag: tag, Body: body,
		Header: map[string]string{"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"},
	}
}
