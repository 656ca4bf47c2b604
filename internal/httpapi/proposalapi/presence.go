package proposalapi

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// PutPresence records what the caller looks at, for the next 30 seconds.
func (o Operations) PutPresence(r *rest.Request) (*rest.Response, error) {
	body, err := r.DecodeBody()
	if err != nil {
		return nil, err
	}
	subject, err := octavo.DecodePresence(body, r.Strict())
	if err != nil {
		return nil, err
	}
	return rest.NoContent(o.Service.Appear(r.Context(), asker(r), subject))
}

// ListPresence returns which people look at what.
func (o Operations) ListPresence(r *rest.Request) (*rest.Response, error) {
	if r.Principal.Audience().PublishedOnly { // it may not see names
		return rest.JSON(http.StatusOK, []byte(`{"data":[]}`)), nil
	}
	list, err := o.Service.Present(r.Context(), asker(r), r.Principal.Scopes.Allow(octavo.ScopePropose))
	if err != nil {
		return nil, err
	}
	body := []byte(`{"data":[`)
	for i, p := range list {
		if i > 0 {
			body = append(body, ',')
		}
		body = p.AppendJSON(body)
	}
	return rest.JSON(http.StatusOK, append(body, `]}`...)), nil
}
