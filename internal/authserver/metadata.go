package authserver

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// providerMetadata describes the server (RFC 8414 section 2, OpenID Connect
// Discovery section 3).
func (s *Server) providerMetadata() any {
	at := func(path string) string { return s.Issuer + path }
	methods := []string{"client_secret_basic", "client_secret_post", "none"}
	return map[string]any{
		"issuer":                                         s.Issuer,
		"authorization_endpoint":                         at("/oauth/authorize"),
		"token_endpoint":                                 at("/oauth/token"),
		"revocation_endpoint":                            at("/oauth/revoke"),
		"userinfo_endpoint":                              at("/oauth/userinfo"),
		"end_session_endpoint":                           at("/oauth/logout"),
		"jwks_uri":                                       at("/.well-known/jwks.json"),
		"scopes_supported":                               append(apiScopes(), identityScopes()...),
		"response_types_supported":                       []string{"code"},
		"response_modes_supported":                       []string{"query"},
		"grant_types_supported":                          []string{"authorization_code", "refresh_token", "client_credentials"},
		"subject_types_supported":                        []string{"public"},
		"id_token_signing_alg_values_supported":          []string{"RS256"},
		"token_endpoint_auth_methods_supported":          methods,
		"revocation_endpoint_auth_methods_supported":     methods,
		"code_challenge_methods_supported":               []string{"S256"},
		"claims_supported":                               []string{"sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "name", "email"},
		"prompt_values_supported":                        []string{"none", "login", "consent", "select_account"},
		"authorization_response_iss_parameter_supported": true,
		"claims_parameter_supported":                     false,
		"request_parameter_supported":                    false,
		"request_uri_parameter_supported":                false,
		"service_documentation":                          s.Resource + "/reference",
	}
}

// resourceMetadata describes the API and its authorization server to clients (RFC 9728
// section 2).
func (s *Server) resourceMetadata() any {
	return map[string]any{
		"resource":                 s.Resource,
		"authorization_servers":    []string{s.Issuer},
		"scopes_supported":         apiScopes(),
		"bearer_methods_supported": []string{"header"},
		"resource_name":            "Octavo",
		"resource_documentation":   s.Resource + "/reference",
	}
}

// ResourcePath is the path of the metadata of the API.
const ResourcePath = "/.well-known/oauth-protected-resource"

// descriptions returns the metadata of the server and of the API. If an address has a
// path, they are also at the path where the well-known name comes first (RFC 8414 section
// 3.1, RFC 9728 section 3.1).
func (s *Server) descriptions() map[string]map[string]http.Handler {
	served := map[string]map[string]http.Handler{}
	add := func(name, path string, v any) {
		h := map[string]http.Handler{"GET": s.document(v)}
		served[name], served[name+strings.TrimSuffix(path, "/")] = h, h
	}
	add("/.well-known/openid-configuration", s.root, s.providerMetadata())
	add("/.well-known/oauth-authorization-server", s.root, s.providerMetadata())
	resource := ""
	if u, err := url.Parse(s.Resource); err == nil {
		resource = u.Path
	}
	add(ResourcePath, resource, s.resourceMetadata())
	return served
}

// document serves metadata, which only changes with the configuration.
func (s *Server) document(v any) http.Handler {
	body, err := json.Marshal(v)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err != nil {
			s.Log.ErrorContext(r.Context(), "encode a description", "error", err)
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "public, max-age=300")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body) // the client may have gone
	})
}
