package rest

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
)

// authenticate finds the principal, counts the request, and checks that the operation
// is allowed. Any valid credential that the operation accepts is enough; if two are
// valid, the bearer token counts (decision 39).
func (a *API) authenticate(r *Request) error {
	switch {
	case r.route.Flags&Uncounted != 0:
		a.showAddress(r)
		return nil
	case r.route.Accept == Public:
		return a.countAddress(r)
	}
	principal, refused, err := a.verify(r)
	if err != nil {
		return err
	}
	if refused != nil {
		if err := a.countAddress(r); err != nil {
			return err
		}
		return refused
	}
	r.Principal = principal
	if err := a.countUpTo(r, principalKey(principal), principal.RateLimit); err != nil {
		return err
	}
	return authorize(r)
}

// verify tries the accepted credentials in turn. If none is valid, it returns what is
// wrong with the first one.
func (a *API) verify(r *Request) (octavo.Principal, *auth.Error, error) {
	var refused *auth.Error
	var failed error // one that could not be verified: another may be valid
	for _, c := range credentials(r) {
		principal, err := a.Auth.Verify(r.Context(), c)
		if err == nil {
			return principal, nil, nil
		}
		var e *auth.Error
		switch {
		case errors.As(err, &e):
			refused = cmp.Or(refused, e)
		case !errors.Is(err, auth.ErrMissing):
			failed = cmp.Or(failed, err)
		}
	}
	if failed != nil {
		return octavo.Principal{}, nil, failed
	}
	if refused == nil {
		refused = &auth.Error{}
	}
	return octavo.Principal{}, refused, nil
}

// credentials lists the accepted credentials of the request. A duplicate one is
// invalid.
func credentials(r *Request) []auth.Credential {
	var list []auth.Credential
	accept := r.route.Accept
	if values := r.Header.Values("Authorization"); accept&Bearer != 0 && len(values) > 0 {
		scheme, token, _ := strings.Cut(values[0], " ")
		if len(values) > 1 {
			token = ""
		}
		if strings.EqualFold(scheme, "Bearer") {
			list = append(list, auth.Credential{Kind: auth.Bearer, Secret: strings.TrimLeft(token, " ")})
		}
	}
	if values := r.Header.Values("X-API-Key"); accept&HeaderKey != 0 && len(values) > 0 {
		list = append(list, auth.Credential{Kind: auth.HeaderKey, Secret: only(values)})
	}
	if accept&QueryKey != 0 {
		if values := r.URL.Query()["api_key"]; len(values) > 0 {
			list = append(list, auth.Credential{Kind: auth.QueryKey, Secret: only(values)})
		}
	}
	return list
}

// only returns the single value, or for several an always invalid one.
func only(values []string) string {
	if len(values) > 1 {
		return ""
	}
	return values[0]
}

// authorize checks the principal against the operation's requirements.
func authorize(r *Request) error {
	switch {
	case r.Principal.SearchOnly && r.route.Flags&SearchOnly == 0:
		return octavo.Errorf(octavo.Forbidden, "A key of kind search can only search.")
	case !r.Principal.Scopes.Allow(r.route.Scope):
		return r.Lacks(r.route.Scope, "This needs the scope %s.")
	}
	return nil
}

// Lacks refuses a principal without a scope; text explains it, and the response names
// the scope (RFC 6750 section 3.1).
func (r *Request) Lacks(scope octavo.Scopes, text string) error {
	r.lacking = scope
	return octavo.Errorf(octavo.Forbidden, text, scope)
}

// challenge responds to a request without valid credentials: 401, no body, how to
// authenticate (RFC 9110 section 11.6.1, RFC 6750 section 3), and where to find the
// token issuer (RFC 9728 section 5.1).
func (a *API) challenge(r *Request, refused *auth.Error) *Response {
	var parts []string
	if r.route.Accept&Bearer != 0 {
		c := `Bearer realm="octavo", resource_metadata="` + a.PublicURL + `/.well-known/oauth-protected-resource"`
		if refused.Code != "" {
			c += `, error="` + refused.Code + `", error_description="` + refused.Description + `"`
		}
		parts = append(parts, c)
	}
	if r.route.Accept&HeaderKey != 0 {
		parts = append(parts, `ApiKey realm="octavo", in="header", name="X-API-Key"`)
	}
	if r.route.Accept&QueryKey != 0 {
		parts = append(parts, `ApiKey realm="octavo", in="query", name="api_key"`)
	}
	return &Response{Status: http.StatusUnauthorized, Header: map[string]string{
		"WWW-Authenticate": strings.Join(parts, ", "), "Cache-Control": "no-store",
	}}
}

// proposes is a route for addresses that are not operations but show proposals.
var proposes = Route{Accept: Bearer | HeaderKey, Scope: octavo.ScopePropose}

// Proposer returns the principal of a request that is not an operation and reads
// proposals, or the zero Principal without a valid credential.
func Proposer(r *Request) (octavo.Principal, error) {
	asked := *r
	asked.route = &proposes
	principal, refused, err := r.api.verify(&asked)
	if err != nil || refused != nil {
		return octavo.Principal{}, err
	}
	asked.Principal = principal
	if authorize(&asked) != nil {
		return octavo.Principal{}, nil
	}
	return principal, nil
}

// Reauthenticate checks the credential of a request again after a wait: it may have
// ended or been restricted meanwhile.
func (r *Request) Reauthenticate() error {
	principal, refused, err := r.api.verify(r)
	switch {
	case err != nil:
		return err
	case refused != nil:
		return refused
	}
	r.Principal = principal
	return authorize(r)
}
