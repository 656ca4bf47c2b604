package authserver

import (
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
)

// params are the parameters of a request. An empty value counts as missing (RFC 6749
// section 3.1).
type params struct {
	values   url.Values
	repeated []string // given more than once
}

func newParams(values url.Values) params {
	p := params{values: url.Values{}}
	for name, list := range values {
		if len(list) > 1 {
			p.repeated = append(p.repeated, name)
		}
		if list[0] != "" {
			p.values[name] = list[:1]
		}
	}
	slices.Sort(p.repeated)
	return p
}

// get returns a parameter that occurs once, otherwise "".
func (p params) get(name string) string {
	if slices.Contains(p.repeated, name) {
		return ""
	}
	return p.values.Get(name)
}

// queryParams reads the query of a request, and refuses a malformed one.
func queryParams(r *http.Request) (params, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil || len(r.URL.RawQuery) > maxForm {
		return params{}, fault(invalidRequest, "The query is malformed.")
	}
	return newParams(values), nil
}

// formParams reads the form in the body of a request and ignores its query.
func formParams(w http.ResponseWriter, r *http.Request) (params, error) {
	if mediaType(r) != "application/x-www-form-urlencoded" {
		return params{}, fault(invalidRequest, "The body must be application/x-www-form-urlencoded.")
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return params{}, fault(invalidRequest, "The form is malformed or too long.")
	}
	return newParams(r.PostForm), nil
}

// mediaType returns the media type of a request body, or "".
func mediaType(r *http.Request) string {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // "" on error
	return media
}

// identityScopes are the scopes that give no access to the API.
func identityScopes() []string { return []string{"openid", "profile", "email", "offline_access"} }

// apiScopes are the scopes that give access to the API.
func apiScopes() []string { return octavo.RoleAdmin.Scopes().List() }

// scopes are requested or granted scopes.
type scopes struct {
	api      octavo.Scopes
	identity []string // in the order of identityScopes
}

// parseScopes reads scope names and ignores unknown ones (OpenID Connect Core section
// 3.1.2.1).
func parseScopes(text string) scopes {
	var s scopes
	names := strings.Fields(text)
	for _, name := range names {
		if api, err := octavo.ParseScopes(name); err == nil {
			s.api |= api
		}
	}
	for _, name := range identityScopes() {
		if slices.Contains(names, name) {
			s.identity = append(s.identity, name)
		}
	}
	return s
}

func (s scopes) has(name string) bool { return slices.Contains(s.identity, name) }

// lasts reports whether a grant gets refresh tokens. With openid it needs offline_access.
// Without it always does, since pure API clients only use API scopes (decision 40).
func (s scopes) lasts() bool { return s.has("offline_access") || !s.has("openid") }

func (s scopes) empty() bool { return s.api == 0 && len(s.identity) == 0 }

func (s scopes) within(t scopes) bool {
	return t.api.Allow(s.api) && !slices.ContainsFunc(s.identity, func(name string) bool { return !t.has(name) })
}

// bounded restricts the API scopes of s to limit. It only spells out included scopes if
// others are removed.
func (s scopes) bounded(limit octavo.Scopes) scopes {
	if limit.Allow(s.api) {
		return s
	}
	kept := octavo.Scopes(0)
	for _, one := range octavo.AllScopes() {
		if s.api.Allow(one) && limit.Allow(one) {
			kept |= one
		}
	}
	s.api = kept
	return s
}

func (s scopes) String() string {
	return strings.TrimSpace(s.api.String() + " " + strings.Join(s.identity, " "))
}
