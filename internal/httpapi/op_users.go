package httpapi

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

func (a *API) listUsers(r *request) (*response, error) {
	const list = "users"
	p := readParams(r)
	limit := p.limit()
	var after octavo.ID
	if m := p.cursor(a.cursors, list); m != nil {
		after = m.ID
	}
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	found, more, err := a.People.ListUsers(r.Context(), after, limit)
	if err != nil {
		return nil, err
	}
	cursor := ""
	if more {
		cursor = a.cursors.encode(list, store.Mark{ID: found[len(found)-1].ID})
	}
	return listResponse(found, appendAny[octavo.User], limit, cursor), nil
}
