package proposalapi

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/html"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/merge"
	"github.com/octavo-docs/octavo/internal/pages"
)

// ChangeID returns the identifiers of the change in the path.
func ChangeID(r *rest.Request) (Within, error) {
	return within(r, "changeId", octavo.PrefixChange, "There is no such change.")
}

func changeAnswer(r *rest.Request) rest.Answer[octavo.PageChange] {
	return func(c octavo.PageChange) *rest.Response {
		return tagged(r, http.StatusOK, c.ID, c.Version, c.AppendJSON(nil, true))
	}
}

// ListChanges returns all changes of a proposal.
func (o Operations) ListChanges(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	p, err := o.Service.Get(r.Context(), asker(r), id)
	if err != nil {
		return nil, err
	}
	return changes(http.StatusOK, p.Changes), nil
}

func changes(status int, list []octavo.PageChange) *rest.Response {
	return rest.Whole(status, list, func(dst []byte, c octavo.PageChange) []byte { return c.AppendJSON(dst, false) })
}

// AddChanges adds a change to a proposal, or several.
func (o Operations) AddChanges(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	body, err := r.DecodeBody()
	if err != nil {
		return nil, err
	}
	next, err := octavo.DecodeChanges(body, r.Strict())
	if err != nil {
		return nil, err
	}
	many := body.Kind == octavo.KindArray
	answer := rest.Answer[[]octavo.PageChange](func(added []octavo.PageChange) *rest.Response {
		if many {
			return changes(http.StatusCreated, added)
		}
		// Without its text, which would be stored for a repeated request.
		resp := tagged(r, http.StatusCreated, added[0].ID, added[0].Version, added[0].AppendJSON(nil, false))
		resp.Header = map[string]string{"Location": r.Address("/proposals/" + string(id) + "/changes/" + string(added[0].ID))}
		return resp
	})
	return answer.To(o.Service.AddChanges(r.Context(), r.Cause(), asker(r), id, next, many, answer.Keep))
}

// GetChange returns one change and its text.
func (o Operations) GetChange(r *rest.Request, of Within) (*rest.Response, error) {
	return changeAnswer(r).To(o.Service.Change(r.Context(), asker(r), of.Proposal, of.ID))
}

// PutChange replaces a change.
func (o Operations) PutChange(r *rest.Request, of Within) (*rest.Response, error) {
	match, err := required(r)
	if err != nil {
		return nil, err
	}
	next, err := rest.Decode(r, octavo.DecodeChange)
	if err != nil {
		return nil, err
	}
	return changeAnswer(r).To(o.Service.PutChange(r.Context(), r.Cause(), asker(r), of.Proposal, of.ID, next, match))
}

// RemoveChange removes a change from a proposal.
func (o Operations) RemoveChange(r *rest.Request, of Within) (*rest.Response, error) {
	match, err := required(r)
	if err != nil {
		return nil, err
	}
	return rest.NoContent(o.Service.RemoveChange(r.Context(), r.Cause(), asker(r), of.Proposal, of.ID, match))
}

// DiffChange returns the difference between the base and the proposed text of a change.
func (o Operations) DiffChange(r *rest.Request, of Within) (*rest.Response, error) {
	media, err := r.Negotiate(rest.MediaJSON, merge.MediaType)
	if err != nil {
		return nil, err
	}
	d, err := o.Service.Diff(r.Context(), asker(r), of.Proposal, of.ID, func(size int) error { return rest.TakeTexts(r, size) })
	if err != nil {
		return nil, err
	}
	if media == rest.MediaJSON {
		return rest.JSON(http.StatusOK, rest.EncodeJSON(map[string]any{"hunks": d.Hunks})), nil
	}
	return &rest.Response{Status: http.StatusOK, ContentType: merge.MediaType + "; charset=utf-8", Body: []byte(merge.Unified(d.Hunks, d.From, d.To))}, nil
}

// PreviewChange returns the page of a change as it would look.
func (o Operations) PreviewChange(r *rest.Request, of Within) (*rest.Response, error) {
	p := r.Params()
	theme := html.Theme{Name: p.OneOf("theme", "light", "dark", "system")}
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	if _, err := r.Negotiate("text/html"); err != nil {
		return nil, err
	}
	page, coming, err := o.Service.Preview(r.Context(), asker(r), of.Proposal, of.ID)
	if err != nil {
		return nil, err
	}
	rendering, _, err := o.Pages.RenderPage(r.Context(), r.Principal.Audience(), page, coming, pages.View{Link: func(target octavo.ID, _ string) string {
		return r.Address("/pages/" + string(target) + "/preview")
	}})
	if err != nil {
		return nil, err
	}
	whole, policy, err := html.Page{
		Title: page.Title, Language: octavo.PageLanguage(page.Frontmatter, page.Language), Theme: theme, Contents: rendering.Document.Contents(2, 3), Fragment: rendering.HTML,
	}.HTML()
	if err != nil {
		return nil, err
	}
	return &rest.Response{
		Status: http.StatusOK, ContentType: "text/html; charset=utf-8", Body: whole,
		Header: map[string]string{"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"},
	}, nil
}
