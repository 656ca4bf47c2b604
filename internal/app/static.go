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
	"github.com/octavo-docs/octavo/internal/httpapi"
	"github.com/octavo-docs/octavo/internal/portal"
)

// staticHandlers returns what is served beside the operations, by pattern, and
// the path of the style sheet.
func staticHandlers(c *Credentials, o Options) (handlers map[string]httpapi.StaticHandler, style string, err error) {
	p, err := portal.New(portal.Options{BaseURL: o.Addresses.Public, Versions: o.Versions, Product: o.Product})
	if err != nil {
		return nil, "", err
	}
	handlers = map[string]httpapi.StaticHandler{}
	for pattern, h := range p.Handlers() {
		handlers[pattern] = func(w http.ResponseWriter, r *http.Request) error { h.ServeHTTP(w, r); return nil }
	}
	handlers["/openapi.yaml"], handlers["/openapi.json"] = document(o)
	handlers["/.well-known/jwks.json"] = jwks(c.Tokens.PublicKeys)
	handlers["/.well-known/webhook-keys"] = jwks(func(ctx context.Context) (jose.JSONWebKeySet, error) { return o.Webhooks.Callbacks.Public(ctx) })
	return handlers, p.Style(), nil
}

// document serves the API's document, which is rendered when somebody asks for
// it: that takes more time than all else at a start.
func document(o Options) (asYAML, asJSON httpapi.StaticHandler) {
	type rendered struct{ yaml, json httpapi.StaticHandler }
	render := sync.OnceValues(func() (rendered, error) {
		yamlText, jsonText, err := api.Render(api.Addresses{
			Base: o.Addresses.Public, Search: o.Addresses.Search, Auth: o.Addresses.Auth, Versions: o.Versions, Regions: o.Regions,
		})
		return rendered{fixed("application/yaml", yamlText), fixed("application/json", jsonText)}, err
	})
	serve := func(of func(rendered) httpapi.StaticHandler) httpapi.StaticHandler {
		return func(w http.ResponseWriter, r *http.Request) error {
			found, err := render()
			if err != nil {
				return fmt.Errorf("render the API document: %w", err)
			}
			return of(found)(w, r)
		}
	}
	return serve(func(d rendered) httpapi.StaticHandler { return d.yaml }), serve(func(d rendered) httpapi.StaticHandler { return d.json })
}

// fixed serves bytes that change with the program only.
func fixed(contentType string, body []byte) httpapi.StaticHandler {
	sum := sha256.Sum256(body)
	etag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("ETag", etag)
		w.Header().Set("Cache-Control", "no-cache")
		send(w, r, body)
		return nil
	}
}

// jwks serves public keys that verify what the installation signs (RFC 7517
// section 5).
func jwks(keys func(context.Context) (jose.JSONWebKeySet, error)) httpapi.StaticHandler {
	return func(w http.ResponseWriter, r *http.Request) error {
		set, err := keys(r.Context())
		if err != nil {
			return fmt.Errorf("read the signing keys: %w", err)
		}
		body, err := json.Marshal(set)
		if err != nil {
			return fmt.Errorf("marshal JWKS: %w", err)
		}
		w.Header().Set("Content-Type", "application/jwk-set+json")
		w.Header().Set("Cache-Control", "public, max-age=300")
		send(w, r, body)
		return nil
	}
}

// send answers with a text, whole, unless the client says that it has it. Of
// ranges and of conditions for changes it takes no notice (RFC 9110 sections
// 13.1.1 and 14.2): what http.ServeContent tells of them is no Problem.
func send(w http.ResponseWriter, r *http.Request, text []byte) {
	r = r.Clone(r.Context())
	for _, name := range []string{"Range", "If-Match", "If-Unmodified-Since"} {
		r.Header.Del(name)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}
