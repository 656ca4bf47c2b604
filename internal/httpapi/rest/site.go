package rest

import (
	"cmp"
	"context"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/quota"
)

// MountSite registers pages for browsers at patterns. They are no operations: scripts
// of other origins may not read them, and the handler counts requests itself with
// [API.CountReader].
func (a *API) MountSite(name string, h Handler, patterns ...string) {
	a.sites = append(a.sites, patterns...)
	for _, pattern := range patterns {
		a.routing.handle(pattern, func(r *Request) {
			r.served = name
			a.beginSpan(r, name, pattern)
			if r.Method == http.MethodGet || r.Method == http.MethodHead {
				a.finish(r, h)
				return
			}
			a.refuseMethod(r, "GET, HEAD, OPTIONS")
		})
	}
}

// MountForm registers a form of such pages, which is sent as browsers send forms. h
// gets what was filled in.
func (a *API) MountForm(name, pattern string, most int64, h func(*Request, url.Values) (*Response, error)) {
	a.sites = append(a.sites, pattern)
	a.routing.handle(pattern, func(r *Request) {
		r.served = name
		a.beginSpan(r, name, pattern)
		if r.Method != http.MethodPost {
			a.refuseMethod(r, "OPTIONS, POST")
			return
		}
		r.Request = r.WithContext(context.WithoutCancel(r.Context())) // see serveRoute
		defer r.Bound()()
		a.finish(r, func(r *Request) (*Response, error) {
			media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
			if err != nil || media != "application/x-www-form-urlencoded" {
				return nil, octavo.Errorf(octavo.UnsupportedMediaType, "The body must be application/x-www-form-urlencoded.")
			}
			r.Body = http.MaxBytesReader(r.w.ResponseWriter, r.Body, most)
			if err := r.ParseForm(); err != nil {
				return nil, octavo.Errorf(octavo.InvalidRequest, "The form is malformed or too long.")
			}
			return h(r, r.PostForm)
		})
	})
}

// apart reports whether a path belongs to a site.
func (a *API) apart(path string) bool {
	return slices.ContainsFunc(a.sites, func(pattern string) bool {
		below, all := strings.CutSuffix(pattern, "*")
		return path == pattern || all && strings.HasPrefix(path, below)
	})
}

// readsSite is the route by which credentials for the site are verified.
var readsSite = Route{Name: "readSite", Accept: Bearer | HeaderKey, Scope: octavo.ScopeRead}

// ReadsSite verifies the token or key of a request and that it may read pages. given
// reports whether the request has one.
func (a *API) ReadsSite(r *Request) (given bool, err error) {
	r.route = &readsSite
	principal, refused, err := a.verify(r)
	if err != nil {
		return true, err
	}
	if refused != nil {
		return len(credentials(r)) > 0, refused
	}
	r.Principal = principal
	return true, authorize(r)
}

// CountReader counts a request of a kind against the limit of a reader, or of the
// sender's address if reader is "". A limit of 0 means no limit.
func (a *API) CountReader(r *Request, kind, reader string, limit int) error {
	if limit <= 0 {
		return nil
	}
	return a.countUpTo(r, quota.Key{Kind: kind, ID: cmp.Or(reader, a.sender(r))}, limit)
}

// Browser reports whether a request comes from a browser: it asks for HTML by name, and
// prefers nothing else.
func Browser(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	html, best := 0.0, 0.0
	for _, o := range offers(r.Header["Accept"]) {
		if o.name == "text/html" {
			html = o.quality
		} else {
			best = max(best, o.quality)
		}
	}
	return html > 0 && html >= best
}
