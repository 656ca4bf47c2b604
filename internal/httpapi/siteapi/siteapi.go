// Package siteapi serves the live site: addresses, access, caching and headers. Package
// reader makes the pages. Start with [Operations.Mount].
package siteapi

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/httpapi/assetapi"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/reader"
	"github.com/octavo-docs/octavo/internal/store/sitestore"
)

// Operations serve the site. Without a Service they serve nothing.
type Operations struct {
	Service *reader.Service
	Assets  *assets.Service
	Sites   *sitestore.Sites // readers' feedback and searches
	// Public reports whether everybody may read.
	Public func(context.Context) (bool, error)
	// Visitor returns the signed-in person, without ID for nobody. Anybody reports
	// whether anybody can sign in.
	Visitor func(*http.Request) (octavo.User, error)
	Anybody func(context.Context) (bool, error)
	Limit   int    // requests of one reader per window; 0 means no limit
	Studio  string // path of Studio, or ""

	api *rest.API
}

// maxSearches is how many searches one reader may make per window.
const maxSearches = 120

// The kinds of requests that are counted separately.
const (
	reading   = "reader"
	searching = "reader-search"
)

// Mount registers the site.
func (o Operations) Mount(a *rest.API) {
	o.api = a
	a.MountForm("siteFeedback", reader.Path+"/-/feedback", maxFeedback, o.feedback)
	a.MountForm("siteSearched", reader.Path+"/-/searched", maxFeedback, o.searched)
	a.MountSite("site", o.serve, reader.Path, reader.Path+"/*", "/robots.txt", "/sitemap.xml", "/llms.txt")
}

// Start redirects browsers from the start page to the site, and lets next handle
// others.
func (o Operations) Start(next rest.StaticHandler) rest.StaticHandler {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Add("Vary", "Accept")
		if !rest.Browser(r) {
			return next(w, r)
		}
		w.Header().Set("Location", o.Service.Start())
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.WriteHeader(http.StatusFound)
		return nil
	}
}

// visit is a request to the site.
type visit struct {
	*rest.Request
	o       Operations
	site    *reader.Site
	members bool
	free    bool   // of files that need no sign-in
	who     string // the person or principal, "" for an anonymous reader
}

func (o Operations) serve(r *rest.Request) (*rest.Response, error) {
	v := &visit{Request: r, o: o}
	path, below := strings.CutPrefix(r.URL.Path, reader.Path)
	if to, elsewhere := o.elsewhere(r, below); elsewhere {
		return v.redirect(http.StatusTemporaryRedirect, to+query(r)), nil
	}
	if below && len(path) > 0 && strings.HasSuffix(path, "/") && strings.HasSuffix(r.URL.EscapedPath(), "/") {
		return v.redirect(http.StatusPermanentRedirect, o.Service.At(strings.TrimRight(belowSite(r.Request), "/"))+query(r)), nil
	}
	answer, err := v.begin(r.URL.Path == "/robots.txt" || strings.HasPrefix(path, "/-/look/") && !reader.Custom(path))
	if answer != nil || err != nil {
		return answer, err
	}
	if !below {
		return v.fixed(r.URL.Path)
	}
	return v.at(strings.TrimPrefix(path, "/"))
}

// begin admits a reader, unless the request is free. If it does not, it returns the
// response, or an error.
func (v *visit) begin(free bool) (answer *rest.Response, err error) {
	public, err := v.o.Public(v.Context())
	if err != nil {
		return nil, err
	}
	if v.free, v.members = free, !public; v.members && !free {
		if answer, err := v.admit(); answer != nil || err != nil {
			return answer, err
		}
	}
	if err := v.o.api.CountReader(v.Request, reading, v.who, v.o.Limit); err != nil {
		return nil, err
	}
	v.site, err = v.o.Service.Now(v.Context(), v.members)
	return nil, err
}

// admit checks the session or the credential of a reader. For a browser without either,
// it returns a redirect to the login page.
func (v *visit) admit() (*rest.Response, error) {
	person, err := v.o.Visitor(v.Request.Request)
	if err != nil {
		return nil, err
	}
	if v.who = string(person.ID); person.ID != "" {
		return nil, nil
	}
	given, err := v.o.api.ReadsSite(v.Request)
	var refused *auth.Error
	switch {
	case err == nil:
		v.who = v.Principal.ID
		return nil, nil
	case !errors.As(err, &refused):
		return nil, err
	}
	if err := v.o.api.CountReader(v.Request, reading, "", v.o.Limit); err != nil {
		return nil, err
	}
	if given || !rest.Browser(v.Request.Request) {
		return nil, refused
	}
	anybody, err := v.o.Anybody(v.Context())
	if err != nil {
		return nil, err
	}
	if !anybody {
		return v.first()
	}
	next := v.o.Service.At(belowSite(v.Request.Request)) + query(v.Request)
	return v.redirect(http.StatusFound, v.o.Service.Server("/login?next="+url.QueryEscape(next))), nil
}

// first handles requests while nobody can sign in.
func (v *visit) first() (*rest.Response, error) {
	f, err := v.o.Service.First()
	if err != nil {
		return nil, err
	}
	return v.send(http.StatusForbidden, f)
}

// query is the query of the request, with its question mark.
func query(r *rest.Request) string {
	if r.URL.RawQuery == "" {
		return ""
	}
	return "?" + r.URL.RawQuery
}

func (v *visit) redirect(status int, to string) *rest.Response {
	return &rest.Response{Status: status, Header: v.header(map[string]string{"Location": to, "Cache-Control": "no-cache"})}
}

// header adds the header fields of every response of the site.
func (v *visit) header(h map[string]string) map[string]string {
	h["Vary"] = "Accept-Encoding, Accept"
	if v.members {
		h["Vary"] = "Cookie, Authorization, X-API-Key, Accept, Accept-Encoding"
	}
	if h["Cache-Control"] == "" {
		h["Cache-Control"] = map[bool]string{false: "public, no-cache", true: "private, no-cache"}[v.members]
	}
	return h
}

// send sends a file.
func (v *visit) send(status int, f *reader.File) (*rest.Response, error) {
	resp := &rest.Response{Status: status, ContentType: f.Type, Tag: rest.EntityTag{ID: f.Tag, Version: int64(f.Size)}, Header: v.header(map[string]string{})}
	if v.site != nil && v.site.Source() && !(v.members && v.free) {
		resp.Header["Link"] = "<" + v.o.Service.At("/llms.txt") + `>; rel="llms-txt"`
	}
	if f.Policy != "" {
		resp.Header["Content-Security-Policy"], resp.Header["Referrer-Policy"] = f.Policy, "same-origin"
	}
	if v.AcceptsGzip() {
		resp.Kept = rest.Encoded{Body: f.Packed, Packed: true}
		return resp, nil
	}
	plain, err := f.Plain()
	if err != nil {
		return nil, err
	}
	resp.Kept = rest.Encoded{Body: plain}
	return resp, nil
}

// file sends the bytes of an asset that pages show.
func (v *visit) file(id octavo.ID) (*rest.Response, error) {
	found, err := v.o.Assets.OpenAs(v.Context(), octavo.Audience{PublishedOnly: true}, id)
	if err != nil {
		return nil, err
	}
	resp := assetapi.Answer(found)
	resp.Header = v.header(resp.Header)
	resp.Header["Cross-Origin-Resource-Policy"] = "same-origin"
	resp.File.Caching = resp.Header["Cache-Control"]
	return resp, nil
}
