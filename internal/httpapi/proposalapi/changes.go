package proposalapi

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/html"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/merge"
	"github.com/octavo-docs/octavo/internal/pages"
)

// changePath reads the proposal and the change in the path of one change.
func changePath(r *rest.Request) (proposal, change octavo.ID, err error) {
	if proposal, err = proposalPath(r); err != nil {
		return "", "", err
	}
	change, err = r.PathID("changeId", octavo.PrefixChange, "There is no such change.")
	return proposal, change, err
}

func changeResponse(r *rest.Request, status int, c octavo.PageChange) *rest.Response {
	return tagged(r, status, c.ID, c.Version, c.AppendJSON(nil, true))
}

// ListChanges returns all changes of a proposal.
func (o Operations) ListChanges(r *rest.Request) (*rest.Response, error) {
	id, err := proposalPath(r)
	if err != nil {
		return nil, err
	}
	p, err := o.Service.Get(r.Context(), asker(r), id)
	if err != nil {
		return nil, err
	}
	return rest.JSON(http.StatusOK, appendChanges(p.Changes)), nil
}

func appendChanges(list []octavo.PageChange) []byte {
	body := []byte(`{"data":[`)
	for i, c := range list {
		if i > 0 {
			body = append(body, ',')
		}
		body = c.AppendJSON(body, false)
	}
	return append(body, `]}`...)
}

// AddChanges adds a change to a proposal, or several.
func (o Operations) AddChanges(r *rest.Request) (*rest.Response, error) {
	id, err := proposalPath(r)
	if err != nil {
		return nil, err
	}
	body, err := r.DecodeBody()
	if err != nil {
		return nil, err
	}
	changes, err := octavo.DecodeChanges(body, r.Strict())
	if err != nil {
		return nil, err
	}
	many := body.Kind == octavo.KindArray
	answer := func(added []octavo.PageChange) *rest.Response {
		if many {
			return rest.JSON(http.StatusCreated, appendChanges(added))
		}
		// Without its text, which would be stored for a repeated request.
		resp := tagged(r, http.StatusCreated, added[0].ID, added[0].Version, added[0].AppendJSON(nil, false))
		resp.Header = map[string]string{"Location": r.Address("/proposals/" + string(id) + "/changes/" + string(added[0].ID))}
		return resp
	}
	added, err := o.Service.AddChanges(r.Context(), r.Cause(), asker(r), id, changes, many, kept(answer))
	if err != nil {
		return nil, err
	}
	return answer(added), nil
}

// GetChange returns one change and its text.
func (o Operations) GetChange(r *rest.Request) (*rest.Response, error) {
	proposal, change, err := changePath(r)
	if err != nil {
		return nil, err
	}
	c, err := o.Service.Change(r.Context(), asker(r), proposal, change)
	if err != nil {
		return nil, err
	}
	return changeResponse(r, http.StatusOK, c), nil
}

// PutChange replaces a change.
func (o Operations) PutChange(r *rest.Request) (*rest.Response, error) {
	proposal, change, err := changePath(r)
	if err != nil {
		return nil, err
	}
	match, err := required(r)
	if err != nil {
		return nil, err
	}
	next, err := body(r, octavo.DecodeChange)
	if err != nil {
		return nil, err
	}
	c, err := o.Service.PutChange(r.Context(), r.Cause(), asker(r), proposal, change, next, match)
	if err != nil {
		return nil, err
	}
	return changeResponse(r, http.StatusOK, c), nil
}

// RemoveChange removes a change from a proposal.
func (o Operations) RemoveChange(r *rest.Request) (*rest.Response, error) {
	proposal, change, err := changePath(r)
	if err != nil {
		return nil, err
	}
	match, err := required(r)
	if err != nil {
		return nil, err
	}
	return rest.NoContent(o.Service.RemoveChange(r.Context(), r.Cause(), asker(r), proposal, change, match))
}

// DiffChange returns the difference between the base and the proposed text of a change.
func (o Operations) DiffChange(r *rest.Request) (*rest.Response, error) {
	proposal, change, err := changePath(r)
	if err != nil {
		return nil, err
	}
	media, err := r.Negotiate(rest.MediaJSON, merge.MediaType)
	if err != nil {
		return nil, err
	}
	d, err := o.Service.Diff(r.Context(), asker(r), proposal, change, func(size int) error { return rest.TakeTexts(r, size) })
	if err != nil {
		return nil, err
	}
	if media == rest.MediaJSON {
		return rest.JSON(http.StatusOK, rest.EncodeJSON(map[string]any{"hunks": d.Hunks})), nil
	}
	return &rest.Response{Status: http.StatusOK, ContentType: merge.MediaType + "; charset=utf-8", Body: []byte(merge.Unified(d.Hunks, d.From, d.To))}, nil
}

// PreviewChange returns the page of a change as it would look.
func (o Operations) PreviewChange(r *rest.Request) (*rest.Response, error) {
	proposal, change, err := changePath(r)
	if err != nil {
		return nil, err
	}
	p := r.Params()
	theme := html.Theme{Name: p.OneOf("theme", "light", "dark", "system")}
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	if _, err := r.Negotiate("text/html"); err != nil {
		return nil, err
	}
	page, coming, err := o.Service.Preview(r.Context(), asker(r), proposal, change)
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
