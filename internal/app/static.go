package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/octavo-docs/octavo/api"
	"github.com/octavo-docs/octavo/internal/portal"
)

// staticHandlers returns what is served beside the operations, by pattern, and
// the path of the style sheet.
func staticHandlers(e Env, c *Credentials, o Options) (handlers map[string]http.Handler, style string, err error) {
	p, err := portal.New(portal.Options{BaseURL: o.Addresses.Public, Versions: o.Versions, Product: o.Product})
	if err != nil {
		return nil, "", err
	}
	handlers = p.Handlers()
	handlers["/openapi.yaml"], handlers["/openapi.json"] = document(e, o)
	handlers["/.well-known/jwks.json"] = jwks(e, c.Tokens.PublicKeys)
	handlers["/.well-known/webhook-keys"] = jwks(e, func(ctx context.Context) (jose.JSONWebKeySet, error) { return o.Webhooks.Callbacks.Public(ctx) })
	return handlers, p.Style(), nil
}

// document serves the API's document, which is rendered when somebody asks for
// it: that takes more time than all else at a start.
func document(e Env, o Options) (asYAML, asJSON http.Handler) {
	type rendered struct{ yaml, json http.Handler }
	render := sync.OnceValues(func() (rendered, error) {
		yamlText, jsonText, err := api.Render(api.Addresses{
			Base: o.Addresses.Public, Search: o.Addresses.Search, Auth: o.Addresses.Auth, Versions: o.Versions, Regions: o.Regions,
		})
		return rendered{fixed("application/yaml", yamlText), fixed("application/json", jsonText)}, err
	})
	serve := func(of func(rendered) http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			found, err := render()
			if err != nil {
				e.Log.ErrorContext(r.Context(), "render the API document", "error", err)
				http.Error(w, "the API document cannot be rendered", http.StatusInternalServerError)
				return
			}
			of(found).ServeHTTP(w, r)
		})
	}
	return serve(func(d rendered) http.Handler { return d.yaml }), serve(func(d rendered) http.Handler { return d.json })
}

// fixed serves bytes that change with the program only.
func fixed(contentType string, body []byte) http.Handler {
	sum := sha256.Sum256(body)
	etag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("ETag", etag)
		w.Header().Set("Cache-Control", "no-cache")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	})
}

// jwks serves public keys that verify what the installation signs (RFC 7517
// section 5).
func jwks(e Env, keys func(context.Context) (jose.JSONWebKeySet, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		set, err := keys(r.Context())
		if err != nil {
			e.Log.ErrorContext(r.Context(), "read the signing keys", "error", err)
			http.Error(w, "the signing keys cannot be read", http.StatusServiceUnavailable)
			return
		}
		body, err := json.Marshal(set)
		if err != nil {
			e.Log.ErrorContext(r.Context(), "encode the signing keys", "error", fmt.Errorf("marshal JWKS: %w", err))
			http.Error(w, "the signing keys cannot be encoded", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/jwk-set+json")
		w.Header().Set("Cache-Control", "public, max-age=300")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	})
}
