package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/html"
	"github.com/octavo-docs/octavo/internal/store"
)

const (
	mediaHTML     = "text/html"
	mediaHTMLText = mediaHTML + "; charset=utf-8"
)

// fragmentPolicy keeps a fragment that is opened as it is from loading
// anything: it is for other pages to include.
const fragmentPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

// fragment answers with a page as HTML, without anything around it.
func (a *API) fragment(r *request, id octavo.ID) (*response, error) {
	rendering, err := a.Pages.Render(r.Context(), r.principal.Audience(), id, func(target octavo.ID) string {
		return a.PublicURL + "/" + r.version + "/pages/" + string(target)
	})
	if err != nil {
		return nil, err
	}
	return htmlResponse(r, rendering.Page, rendering.HTML, fragmentPolicy), nil
}

// previewPage answers with a whole page to look at.
func (a *API) previewPage(r *request) (*response, error) {
	id, err := pagePath(r)
	if err != nil {
		return nil, err
	}
	p := readParams(r)
	theme := html.Theme{Name: p.oneOf("theme", "light", "dark", "system")}
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaHTML); err != nil {
		return nil, err
	}
	rendering, err := a.Pages.Render(r.Context(), r.principal.Audience(), id, func(target octavo.ID) string {
		return a.PublicURL + "/" + r.version + "/pages/" + string(target) + "/preview"
	})
	if err != nil {
		return nil, err
	}
	page, policy, err := html.Page{
		Title: rendering.Page.Title, Language: octavo.Language(rendering.Page.Frontmatter), Theme: theme, Contents: rendering.Document.Contents(2, 3), Fragment: rendering.HTML,
	}.HTML()
	if err != nil {
		return nil, err
	}
	return htmlResponse(r, rendering.Page, page, policy), nil
}

// htmlResponse answers with HTML of a page. Where its links lead is not part of
// its version, so its tag tells its bytes as well.
func htmlResponse(r *request, page octavo.Page, body []byte, policy string) *response {
	tag := tagOf(store.RefOf(page), r.principal.Audience())
	sum := sha256.Sum256(body)
	tag.media = "html-" + hex.EncodeToString(sum[:8])
	return &response{
		status: http.StatusOK, contentType: mediaHTMLText, tag: tag, body: body,
		header: map[string]string{"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"},
	}
}
