package rest

import "github.com/octavo-docs/octavo"

// Route is one operation of an API.
type Route struct {
	Name    string // operationId in the document
	Server  Server
	Method  string
	Pattern string // below the server's address
	Accept  Scheme
	Scope   octavo.Scopes
	Handle  Handler
	Flags   Flags
}

// Handler runs an operation.
type Handler func(*Request) (*Response, error)

// Server is the address below which there is an operation.
type Server uint8

// The servers of the document.
const (
	OnBase   Server = iota // {base_url}: public address + /{version}
	OnSearch               // {search_url}: + /{region}/{version}
)

// Scheme is a set of accepted credentials.
type Scheme uint8

// The credentials that an operation may accept.
const (
	Bearer    Scheme = 1 << iota // Authorization: Bearer, for BearerAuth and OAuth2
	HeaderKey                    // X-API-Key
	QueryKey                     // api_key in the query
	Public    Scheme = 0
)

// Flags are properties of an operation.
type Flags uint8

// The flags of operations.
const (
	Idempotent Flags = 1 << iota // takes Idempotency-Key (decision 18)
	Uncounted                    // public, and exempt from the rate limit (decision 42)
	SearchOnly                   // open to keys of kind search
	Multipart                    // takes multipart/form-data
	AsJSON                       // returns only JSON
	FormAlone                    // with Multipart: accepts only forms, and reads the form itself
)

// asJSON refuses clients that do not accept JSON.
func asJSON(h Handler) Handler {
	return func(r *Request) (*Response, error) {
		if _, err := r.Negotiate(MediaJSON); err != nil {
			return nil, err
		}
		return h(r)
	}
}
