package httpapi

import "github.com/octavo-docs/octavo"

func (a *API) listUsers(r *request) (*response, error) {
	return listByID(a, r, "users", a.People.ListUsers, func(u octavo.User) octavo.ID { return u.ID }, appendAny[octavo.User])
}
