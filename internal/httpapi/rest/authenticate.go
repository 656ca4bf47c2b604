package rest

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
)

// authenticate finds out who asks, counts the request, and makes sure that the
// operation is theirs. Any valid credential among those the operation accepts
// suffices; where two are valid the bearer token counts (decision 39).
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

// verify tries the credentials that the operation accepts in turn. It returns
// what is wrong with the first that was given, when none is valid.
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

// credentials lists those that the request carries and the operation accepts.
// One that is given twice is given wrongly and leads to no one.
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

// only returns the one value, and a value that is never valid for several.
func only(values []string) string {
	if len(values) > 1 {
		return ""
	}
	return values[0]
}

// authorize holds the principal against what the operation needs.
func authorize(r *Request) error {
	switch {
	case r.Principal.SearchOnly && r.route.Flags&SearchOnly == 0:
		return octavo.Errorf(octavo.Forbidden, "A key of kind search can only search.")
	case !r.Principal.Scopes.Allow(r.route.Scope):
		return r.Lacks(r.route.Scope, "This needs the scope %s.")
	}
	return nil
}

// Lacks refuses a principal for want of a scope, which text tells and the
// answer names (RFC 6750 section 3.1).
func (r *Request) Lacks(scope octavo.Scopes, text string) error {
	r.lacking = scope
	return octavo.Errorf(octavo.Forbidden, text, scope)
}

// challenge answers a request without valid credentials: 401, no body, and how
// to authenticate (RFC 9110 section 11.6.1, RFC 6750 section 3), and where it is
// told who issues tokens (RFC 9728 section 5.1).
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

// proposes stands for what is read at an address without being an operation.
var proposes = Route{Accept: Bearer | HeaderKey, Scope: octavo.ScopePropose}

// Proposer returns who asks for something that is no operation, and reads proposals: the
// zero Principal where no valid credential says so.
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

// Reauthenticate checks the credential of a request that has waited once more:
// it may have ended or been limited meanwhile.
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
