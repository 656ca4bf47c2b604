package adminapi

import (
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// ListClients returns one page of the OAuth clients.
func (o Operations) ListClients(r *rest.Request) (*rest.Response, error) {
	return rest.ListByID(r, r.Params(), "clients", o.Store.Accounts.Clients.List, func(c accounts.Client) octavo.ID { return c.ID },
		withoutSecret)
}

func (o Operations) CreateClient(r *rest.Request) (*rest.Response, error) {
	in, err := rest.Decode(r, octavo.DecodeClientCreate)
	if err != nil {
		return nil, err
	}
	c, secret, err := o.Server.AddClient(r.Context(), r.Cause(), in)
	if err != nil {
		return nil, err
	}
	resp := once(http.StatusCreated, appendClient(nil, c, secret))
	resp.Header["Location"] = r.Address("/clients/" + string(c.ID))
	return resp, nil
}

func (o Operations) GetClient(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	return rest.OK(withoutSecret).To(o.Store.Accounts.Clients.ByID(r.Context(), id))
}

func (o Operations) PatchClient(r *rest.Request) (*rest.Response, error) {
	id, in, err := patch(r, octavo.PrefixClient, noClient, octavo.DecodeClientPatch)
	if err != nil {
		return nil, err
	}
	return rest.OK(withoutSecret).To(o.Server.ChangeClient(r.Context(), r.Cause(), id, in))
}

func (o Operations) DeleteClient(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	return rest.NoContent(o.Server.RemoveClient(r.Context(), r.Cause(), id))
}

const noClient = "There is no such client."

// ClientID returns the identifier of the client in the path.
func ClientID(r *rest.Request) (octavo.ID, error) {
	return r.PathID("id", octavo.PrefixClient, noClient)
}

func withoutSecret(dst []byte, c accounts.Client) []byte { return appendClient(dst, c, "") }

// appendClient encodes a client, including its secret if it was just registered.
func appendClient(dst []byte, c accounts.Client, secret string) []byte {
	dst = octavo.AppendString(append(dst, `{"id":`...), string(c.ID))
	if secret != "" {
		dst = octavo.AppendString(append(dst, `,"secret":`...), secret)
	}
	dst = octavo.AppendString(append(dst, `,"name":`...), c.Name)
	dst = strconv.AppendBool(append(dst, `,"public":`...), c.Public())
	dst = append(append(dst, `,"redirectUris":`...), rest.EncodeJSON(append([]string{}, c.RedirectURIs...))...)
	dst = append(append(dst, `,"scopes":`...), rest.EncodeJSON(c.Scopes.List())...)
	return append(octavo.AppendTime(append(dst, `,"createdAt":`...), c.CreatedAt), '}')
}
