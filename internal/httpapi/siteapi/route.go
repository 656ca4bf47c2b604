package siteapi

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/reader"
)

const (
	mediaHTML     = "text/html"
	mediaMarkdown = "text/markdown"
)

// fixed handles names that no page can have.
func (v *visit) fixed(name string) (*rest.Response, error) {
	ctx, p := v.Context(), v.URL.Query()
	switch strings.TrimPrefix(name, "/") {
	case "robots.txt":
		return v.sent(v.site.Robots())
	case "sitemap.xml":
		return v.sent(v.site.Sitemap(ctx, p.Get("part")))
	case "llms.txt", "llms-full.txt":
		if !v.site.Source() {
			return nil, octavo.Errorf(octavo.NotFound, "There is no resource at this path.")
		}
	}
	switch strings.TrimPrefix(name, "/") {
	case "llms.txt":
		return v.sent(v.site.Index(ctx))
	case "llms-full.txt":
		if f, err := v.site.Whole(ctx); f != nil || err != nil {
			return v.sent(f, err)
		}
		return &rest.Response{
			Status: http.StatusOK, ContentType: "text/plain; charset=utf-8", Header: v.header(map[string]string{}),
			Stream: func(write func([]byte) error) error { return v.site.WritePieces(ctx, write) },
		}, nil
	}
	return nil, octavo.Errorf(octavo.NotFound, "There is no resource at this path.")
}

// sent sends a file, or the error of making it.
func (v *visit) sent(f *reader.File, err error) (*rest.Response, error) {
	if err != nil {
		return nil, err
	}
	return v.send(http.StatusOK, f)
}

// at handles a path below the site.
func (v *visit) at(path string) (*rest.Response, error) {
	switch path {
	case "sitemap.xml", "llms.txt", "llms-full.txt":
		return v.fixed(path)
	case "":
		if v.site.HomeSlug() == "" {
			return v.sent(v.site.Empty())
		}
		return v.page(v.site.HomeSlug())
	}
	if own, found := strings.CutPrefix(path, "-/"); found {
		return v.own(own)
	}
	if home, found := v.site.Named(path); home {
		return v.redirect(http.StatusTemporaryRedirect, v.o.Service.At("")+query(v.Request)), nil
	} else if found {
		return v.page(path)
	}
	if slug, found := strings.CutSuffix(path, ".md"); found && v.site.Source() {
		if _, there := v.site.Named(slug); there {
			return v.sent(v.site.Markdown(v.Context(), slug))
		}
	}
	if to, found, err := v.site.Redirect(v.Context(), path); found || err != nil {
		return v.moved(withQuery(to, v.URL.RawQuery)), err
	}
	to, found, err := v.site.Moved(v.Context(), path)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return v.missing(path)
	}
	return v.moved(withQuery(to, v.URL.RawQuery)), nil
}

// withQuery adds the query of a request to an address.
func withQuery(address, query string) string {
	if query == "" {
		return address
	}
	address, fragment, found := strings.Cut(address, "#")
	joint := "?"
	if strings.Contains(address, "?") {
		joint = "&"
	}
	address += joint + query
	if found {
		address += "#" + fragment
	}
	return address
}

// moved redirects to the present address of a page.
func (v *visit) moved(to string) *rest.Response {
	status := http.StatusPermanentRedirect
	if end := strings.IndexAny(to+"#", "?#"); to[:end] == v.o.Service.At("") { // another page may become the home page
		status = http.StatusTemporaryRedirect
	}
	return v.redirect(status, to)
}

// page sends a page in the form that the client prefers.
func (v *visit) page(slug string) (*rest.Response, error) {
	available := []string{mediaHTML}
	if v.site.Source() {
		available = append(available, mediaMarkdown)
	}
	media, err := v.Negotiate(available...)
	switch {
	case err != nil:
		return nil, err
	case media == mediaMarkdown:
		return v.sent(v.site.Markdown(v.Context(), slug))
	}
	return v.sent(v.site.Page(v.Context(), slug))
}

// missing handles an address without a page: browsers get a page.
func (v *visit) missing(path string) (*rest.Response, error) {
	none := octavo.Errorf(octavo.NotFound, "There is no page at this address.")
	if !rest.Browser(v.Request.Request) {
		return nil, none
	}
	suggest := v.o.api.CountReader(v.Request, searching, v.who, min(v.o.Limit, maxSearches)) == nil
	f, err := v.site.Missing(v.Context(), path, suggest)
	if err != nil {
		return nil, err
	}
	return v.send(http.StatusNotFound, f)
}

// own handles the site's own folder.
func (v *visit) own(path string) (*rest.Response, error) {
	p := v.URL.Query()
	first, rest, _ := strings.Cut(path, "/")
	switch {
	case path == "search":
		return v.search(p.Get("q"), p.Get("language"))
	case path == "me":
		return v.me(p.Get("page"))
	case path == "thanks":
		return v.listed(v.site.Thanks(p.Get("page")))
	case path == "pages":
		from, err := strconv.Atoi(cmp.Or(p.Get("from"), "0"))
		if err == nil {
			return v.listed(v.site.Below(p.Get("under"), from))
		}
	case path == "links":
		if err := v.o.api.CountReader(v.Request, searching, v.who, min(v.o.Limit, maxSearches)); err != nil {
			return nil, err
		}
		return v.listed(v.site.Links(v.Context(), p.Get("to")))
	case path == "feed.atom":
		return v.sent(v.site.Feed(v.Context(), p.Get("under"), p.Get("tag")))
	case first == "look":
		return v.static(rest)
	case first == "files":
		name, _, named := strings.Cut(rest, "/")
		if id := octavo.ID(name); named && octavo.ValidIdentifier(name) && (v.members || v.site.Apart() || v.site.Shows(id)) {
			return v.file(id)
		}
	}
	return v.missing(path)
}

// listed sends a list, or the page for a missing one.
func (v *visit) listed(f *reader.File, err error) (*rest.Response, error) {
	if octavo.IsType(err, octavo.NotFound) {
		return v.missing("")
	}
	return v.sent(f, err)
}

// static sends the style sheet or a script. A request with its entity tag in the
// address can be cached for ever.
func (v *visit) static(path string) (*rest.Response, error) {
	tag, name, _ := strings.Cut(path, "/")
	f, err := v.site.Static(name)
	if err != nil {
		return nil, err
	}
	resp, err := v.send(http.StatusOK, f)
	if err != nil {
		return nil, err
	}
	resp.Header["Vary"], resp.Header["Cache-Control"] = "Accept-Encoding", "public, no-cache"
	if tag == f.Tag {
		resp.Header["Cache-Control"] = "public, max-age=31536000, immutable"
	}
	return resp, nil
}

// maxResults is how many pages a search shows.
const maxResults = 20

// search sends search results.
func (v *visit) search(query, language string) (*rest.Response, error) {
	media, err := v.Negotiate(mediaHTML, rest.MediaJSON)
	if err != nil {
		return nil, err
	}
	if err := v.o.api.CountReader(v.Request, searching, v.who, min(v.o.Limit, maxSearches)); err != nil {
		return nil, err
	}
	results, err := v.site.Find(v.Context(), query, language, maxResults)
	if err != nil {
		return nil, err
	}
	if media == rest.MediaJSON {
		return &rest.Response{Status: http.StatusOK, ContentType: media, Body: rest.EncodeJSON(results), Header: v.header(map[string]string{})}, nil
	}
	v.o.Sites.Searched(query, len(results))
	var near []reader.Result
	if len(results) == 0 {
		if near, err = v.site.Near(v.Context(), query); err != nil {
			return nil, err
		}
	}
	return v.sent(v.site.Results(query, language, results, near))
}
