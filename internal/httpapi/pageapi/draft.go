package pageapi

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/pages"
)

// RenderDraft returns a text as HTML, with hints for an editor. It stores nothing.
func (o Operations) RenderDraft(r *rest.Request) (*rest.Response, error) {
	body, err := r.DecodeBody()
	if err != nil {
		return nil, err
	}
	draft, err := octavo.DecodeDraft(body, r.Strict())
	if err != nil {
		return nil, err
	}
	uploader := ""
	if r.Principal.Scopes.Allow(octavo.ScopePropose) {
		uploader = r.Principal.ID
	}
	rendering, links, err := o.Service.RenderDraft(r.Context(), r.Principal.Audience(), uploader, draft, pages.View{Lines: true, Link: func(target octavo.ID, _ string) string {
		return r.Address("/pages/" + string(target) + "/preview")
	}})
	if err != nil {
		return nil, err
	}
	shown := octavo.Rendered{HTML: string(rendering.HTML), Headings: pages.HeadingsOf(rendering), Links: links, Notices: pages.NoticesOf(rendering)}
	return rest.JSON(http.StatusOK, rest.EncodeJSON(shown)), nil
}
