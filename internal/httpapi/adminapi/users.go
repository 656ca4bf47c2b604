package adminapi

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

func userID(u octavo.User) octavo.ID { return u.ID }

func (o Operations) ListUsers(r *rest.Request) (*rest.Response, error) {
	return rest.ListByID(r, r.Params(), "users", o.Store.Accounts.Users.List, userID, rest.AppendAny[octavo.User])
}

// ListPeople returns the people who can be mentioned, with their public data.
func (o Operations) ListPeople(r *rest.Request) (*rest.Response, error) {
	if r.Principal.Audience().PublishedOnly {
		return nil, octavo.Errorf(octavo.Forbidden, "A credential that sees only published pages sees no people.")
	}
	type person struct {
		ID   octavo.ID   `json:"id"`
		Name string      `json:"name"`
		Role octavo.Role `json:"role"`
	}
	return rest.ListByID(r, r.Params(), "people", o.Store.Accounts.Users.Enabled, userID, func(dst []byte, u octavo.User) []byte {
		return append(dst, rest.EncodeJSON(person{u.ID, u.Name, u.Role})...)
	})
}

// CreateUser invites a person.
func (o Operations) CreateUser(r *rest.Request) (*rest.Response, error) {
	in, err := rest.Decode(r, octavo.DecodeUserCreate)
	if err != nil {
		return nil, err
	}
	u, link, err := o.Server.Invite(r.Context(), r.Cause(), in)
	if err != nil {
		return nil, err
	}
	made := rest.EncodeJSON(u)
	made = append(octavo.AppendString(append(made[:len(made)-1], `,"link":`...), link), '}')
	resp := once(http.StatusCreated, made)
	resp.Header["Location"] = r.Address("/users/" + string(u.ID))
	return resp, nil
}

// once returns a secret that is shown only this once, which no cache may store.
func once(status int, body []byte) *rest.Response {
	resp := rest.JSON(status, body)
	resp.Header = map[string]string{"Cache-Control": "no-store"}
	return resp
}

func (o Operations) GetUser(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	u, err := o.Store.Accounts.Users.ByID(r.Context(), id)
	if err != nil {
		return nil, err
	}
	return rest.JSON(http.StatusOK, rest.EncodeJSON(u.User)), nil
}

func (o Operations) PatchUser(r *rest.Request) (*rest.Response, error) {
	id, in, err := patch(r, octavo.PrefixUser, noUser, octavo.DecodeUserPatch)
	if err != nil {
		return nil, err
	}
	return rest.OK(rest.AppendAny[octavo.User]).To(o.Server.ChangePerson(r.Context(), r.Cause(), id, in))
}

func (o Operations) DeleteUser(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	return rest.NoContent(o.Server.RemovePerson(r.Context(), r.Cause(), id))
}

// ResetUser returns a link for setting another password.
func (o Operations) ResetUser(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	link, err := o.Server.Reset(r.Context(), r.Cause(), id)
	if err != nil {
		return nil, err
	}
	return once(http.StatusOK, rest.EncodeJSON(map[string]string{"link": link})), nil
}

const noUser = "There is no such person."

// UserID returns the identifier of the person in the path.
func UserID(r *rest.Request) (octavo.ID, error) {
	return r.PathID("id", octavo.PrefixUser, noUser)
}

// patch reads a change of the object in the path, with the errors of both.
func patch[T any](r *rest.Request, prefix octavo.Prefix, missing string, decode func(octavo.Value, bool) (T, error)) (id octavo.ID, in T, err error) {
	var faults octavo.Faults
	id, err = r.PathID("id", prefix, missing)
	faults.Merge(err)
	in, err = rest.Decode(r, decode)
	faults.Merge(err)
	return id, in, faults.Err()
}
