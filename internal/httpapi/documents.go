package httpapi

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

// Documents are served beside the operations: the OpenAPI document, the pages about the
// API, and the public keys of the installation.
type Documents struct {
	Public, Search, Auth    string // addresses, without a slash at their end
	Versions, Regions       []string
	Product                 string // version of the program
	Studio                  string // address of Studio, or ""
	TokenKeys, CallbackKeys func(context.Context) (jose.JSONWebKeySet, error)
}

// Handlers returns the handlers by pattern, and the path of the style sheet.
func (d Documents) Handlers() (handlers map[string]StaticHandler, style string, err error) {
	p, err := portal.New(portal.Options{BaseURL: d.Public, Versions: d.Versions, Product: d.Product, Studio: d.Studio})
	if err != nil {
		return nil, "", err
	}
	handlers = map[string]StaticHandler{}
	for pattern, h := range p.Handlers() {
		handlers[pattern] = func(w http.ResponseWriter, r *http.Request) error { h.ServeHTTP(w, r); return nil }
	}
	handlers["/openapi.yaml"], handlers["/openapi.json"] = d.openAPI()
	handlers["/.well-known/jwks.json"] = jwks(d.TokenKeys)
	handlers["/.well-known/webhook-keys"] = jwks(d.CallbackKeys)
	return handlers, p.Style(), nil
}

// openAPI serves the API's document. It is rendered at the first request, since that
// takes longer than the rest of the start.
func (d Documents) openAPI() (asYAML, asJSON StaticHandler) {
	type rendered struct{ yaml, json StaticHandler }
	render := sync.OnceValues(func() (rendered, error) {
		yamlText, jsonText, err := api.Render(api.Addresses{Base: d.Public, Search: d.Search, Auth: d.Auth, Versions: d.Versions, Regions: d.Regions})
		return rendered{fixed("application/yaml", yamlText), fixed("application/json", jsonText)}, err
	})
	serve := func(of func(rendered) StaticHandler) StaticHandler {
		return func(w http.ResponseWriter, r *http.Request) error {
			found, err := render()
			if err != nil {
				return fmt.Errorf("render the API document: %w", err)
			}
			return of(found)(w, r)
		}
	}
	return serve(func(r rendered) StaticHandler { return r.yaml }), serve(func(r rendered) StaticHandler { return r.json })
}

// fixed serves bytes that change only with the program.
func fixed(contentType string, body []byte) StaticHandler {
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

// jwks serves public keys that verify the installation's signatures (RFC 7517 section
// 5).
func jwks(keys func(context.Context) (jose.JSONWebKeySet, error)) StaticHandler {
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

// send sends a whole text, unless the client has it. It ignores ranges and conditions
// for changes (RFC 9110 sections 13.1.1 and 14.2), because http.ServeContent reports
// errors about them without a Problem.
func send(w http.ResponseWriter, r *http.Request, text []byte) {
	r = r.Clone(r.Context())
	for _, name := range []string{"Range", "If-Match", "If-Unmodified-Since"} {
		r.Header.Del(name)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}
