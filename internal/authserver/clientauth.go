package authserver

import (
	"crypto/subtle"
	"net/http"
	"net/url"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
)

// authenticateClient identifies the client. A confidential client authenticates with its
// secret in the header or in the form (RFC 6749 section 2.3.1).
func (s *Server) authenticateClient(r *http.Request, p params) (accounts.Client, error) {
	id, secret, inHeader := r.BasicAuth()
	switch {
	case len(p.repeated) > 0:
		return accounts.Client{}, fault(invalidRequest, "A parameter is given more than once.")
	case len(r.Header.Values("Authorization")) > 1 || r.Header.Get("Authorization") != "" && !inHeader:
		return accounts.Client{}, fault(invalidClient, "A client must authenticate by HTTP Basic or in the form.")
	case inHeader && p.get("client_secret") != "":
		return accounts.Client{}, fault(invalidRequest, "The client authenticates in two ways at once.")
	}
	if inHeader {
		var err1, err2 error
		id, err1 = url.QueryUnescape(id)
		secret, err2 = url.QueryUnescape(secret)
		if err1 != nil || err2 != nil || p.get("client_id") != "" && p.get("client_id") != id {
			return accounts.Client{}, fault(invalidRequest, "The client id is given in two ways, or is malformed.")
		}
	} else {
		id, secret = p.get("client_id"), p.get("client_secret")
	}
	if id == "" {
		return accounts.Client{}, fault(invalidClient, "No client is named.")
	}
	client, err := s.Accounts.Clients.ByID(r.Context(), octavo.ID(id))
	if err != nil && !octavo.IsType(err, octavo.NotFound) {
		return accounts.Client{}, err
	}
	hash := hashOf(secret)
	right := err == nil && (client.Public() && secret == "" || !client.Public() && subtle.ConstantTimeCompare(hash[:], client.Secret) == 1)
	if !right {
		s.note(r, id, string(client.ID), map[string]any{"as": "client"})
		return accounts.Client{}, fault(invalidClient, "The client is unknown, or its secret is wrong.")
	}
	return client, nil
}
