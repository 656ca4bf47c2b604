package pageapi

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/pages"
)

// renderedHeading and renderedNotice are parts of what RenderDraft answers with.
type (
	renderedHeading struct {
		Level  int    `json:"level"`
		Text   string `json:"text"`
		Anchor string `json:"anchor"`
		Line   int    `json:"line"`
	}
	renderedNotice struct {
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Message string `json:"message"`
	}
)

// RenderDraft answers with a text as HTML, and with what an editor wants to know of it.
// Nothing is stored.
func (o Operations) RenderDraft(r *rest.Request) (*rest.Response, error) {
	body, err := r.DecodeBody()
	if err != nil {
		return nil, err
	}
	draft, err := octavo.DecodeDraft(body, r.Strict())
	if err != nil {
		return nil, err
	}
	rendering, links, err := o.Service.RenderDraft(r.Context(), r.Principal.Audience(), draft, pages.View{Lines: true, Link: func(target octavo.ID, _ string) string {
		return r.Address("/pages/" + string(target) + "/preview")
	}})
	if err != nil {
		return nil, err
	}
	headings, notices := []renderedHeading{}, []renderedNotice{}
	rendering.Document.Walk(func(n document.Node) bool {
		if h, ok := n.(*document.Heading); ok {
			headings = append(headings, renderedHeading{h.Level, h.Text, h.Anchor, rendering.Document.Position(h.Pos()).Line})
		}
		return true
	})
	for _, n := range rendering.Notices {
		notices = append(notices, renderedNotice{n.Line, n.Column, n.Kind.String() + ": " + n.Text})
	}
	return rest.JSON(http.StatusOK, rest.EncodeJSON(map[string]any{"html": string(rendering.HTML), "headings": headings, "links": links, "notices": notices})), nil
}
