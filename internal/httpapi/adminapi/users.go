package adminapi

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

func (o Operations) ListUsers(r *rest.Request) (*rest.Response, error) {
	return rest.ListByID(r, r.Params(), "users", o.People.List, func(u octavo.User) octavo.ID { return u.ID }, rest.AppendAny[octavo.User])
}
