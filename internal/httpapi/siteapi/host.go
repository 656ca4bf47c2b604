package siteapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/reader"
)

// arrived is a context key for requests to the site's own address.
type arrived struct{}

// Around maps requests for the site's own address to [reader.Path], if the two differ.
// On a separate host nothing else is served. It fails if the address is one of the
// server's own.
func (o Operations) Around(next *rest.API) (http.Handler, error) {
	at := o.Service.Location()
	if at == (reader.Location{Path: reader.Path}) {
		return next, nil
	}
	kept := strings.HasPrefix(at.Path+"/", "/studio/") || strings.HasPrefix(at.Path+"/", "/mcp/") // reserved for later use
	if at.Host == "" && (next.Serves(at.Path) || kept) {
		return nil, fmt.Errorf("--site-url has the path %s, which the server uses for something else", at.Path)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		below, found := strings.CutPrefix(r.URL.Path, at.Path)
		if found = found && (below == "" || below[0] == '/'); at.Host != "" {
			found = o.Service.Is(r.Host)
		}
		if !found {
			next.ServeHTTP(w, r)
			return
		}
		r = r.WithContext(context.WithValue(r.Context(), arrived{}, true))
		if at.Host == "" || !rooted(below) {
			if at.Host != "" && below == "/" {
				below = ""
			}
			to := *r.URL
			to.Path = reader.Path + below
			if to.RawPath != "" {
				to.RawPath = reader.Path + strings.TrimPrefix(to.RawPath, at.Path)
			}
			r.URL = &to
		}
		next.ServeHTTP(w, r)
	}), nil
}

// rooted reports whether a path belongs to the root of a host.
func rooted(path string) bool {
	return path == "/robots.txt" || path == "/sitemap.xml" || path == "/llms.txt"
}

// elsewhere returns the site's address for a request to another address; below says
// whether the request is for something below [reader.Path].
func (o Operations) elsewhere(r *rest.Request, below bool) (to string, elsewhere bool) {
	at := o.Service.Location()
	if came, _ := r.Context().Value(arrived{}).(bool); came || at == (reader.Location{Path: reader.Path}) {
		return "", false
	}
	return o.Service.Absolute(belowSite(r.Request)), below || at.Host != "" && r.URL.Path != "/robots.txt"
}

// belowSite is the unchanged path of a request below that of the site.
func belowSite(r *http.Request) string {
	path := r.URL.EscapedPath()
	if rooted(path) {
		return path
	}
	_, below, found := strings.Cut(path[1:], "/")
	if !found {
		return ""
	}
	return "/" + below
}
