package rest

import (
	"net/http"
	"slices"
)

// allMethods are the methods of all operations.
const allMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

// cors lets pages of other origins read responses (the Fetch standard, section "HTTP
// CORS protocol"). It never allows cookies. It handles preflight requests itself and
// reports whether it did.
func (a *API) cors(r *Request) bool {
	origin := r.Header.Get("Origin")
	if len(a.CORSOrigins) == 0 || a.apart(r.URL.Path) {
		return false
	}
	h := r.w.Header()
	if slices.Contains(a.CORSOrigins, "*") {
		h["Access-Control-Allow-Origin"] = a.fields.anyOrigin
	} else {
		h.Add("Vary", "Origin")
		if !slices.Contains(a.CORSOrigins, origin) {
			return false
		}
		h.Set("Access-Control-Allow-Origin", origin)
	}
	h["Access-Control-Expose-Headers"] = a.fields.exposed
	if !preflight(r) {
		return false
	}
	h.Set("Access-Control-Allow-Methods", allMethods)
	h.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Prefer, Range, Traceparent, Tracestate, X-API-Key, X-Trace-Id")
	h.Set("Access-Control-Max-Age", "7200")
	r.w.WriteHeader(http.StatusNoContent)
	return true
}

// preflight reports whether a request is a preflight of a browser, which never counts
// (decision 42).
func preflight(r *Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Origin") != "" && r.Header.Get("Access-Control-Request-Method") != ""
}
