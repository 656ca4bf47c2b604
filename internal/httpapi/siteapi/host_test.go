package siteapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/httpapi"
	"github.com/octavo-docs/octavo/internal/httpapi/siteapi"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/outline"
	"github.com/octavo-docs/octavo/internal/reader"
)

// answer is what a request should be answered with.
type answer struct {
	host, path, location string
	status               int
	has                  string // in the text
}

func (r *rig) check(list []answer) {
	r.Helper()
	for _, c := range list {
		headers := []string{}
		if c.host != "" {
			headers = []string{"Host", c.host}
		}
		resp, text := r.get(c.path, headers...)
		if location := strings.TrimPrefix(resp.Header.Get("Location"), r.URL); resp.StatusCode != c.status || location != c.location || !strings.Contains(text, c.has) {
			r.Errorf("%s%s: have %s %q, want %d %q with %q\n%s", c.host, c.path, resp.Status, location, c.status, c.location, c.has, text)
		}
	}
}

// TestOwnHost: a site with a host of its own lies at the root there, with nothing
// beside it, and everything that it needs comes from there.
func TestOwnHost(t *testing.T) {
	t.Parallel()
	const host, site = "docs.example", "https://docs.example"
	r := start(t, octavotest.Options{Site: app.Site{URL: site}}, true)
	r.page("home", "[Other](other) ![Drawing](drawing.svg) [API](/reference)")
	r.page("other", "Two.")
	drawing := r.upload("drawing.svg", `<svg xmlns="http://www.w3.org/2000/svg"></svg>`)
	file := "/-/files/" + string(drawing.ID) + "/drawing.svg"
	r.check([]answer{
		{host, "/", "", 200, `<link rel="canonical" href="https://docs.example/">`},
		{host, "/", "", 200, `<a href="/other">Other</a>`},
		{host, "/", "", 200, `src="` + file + `"`},
		{host, "/", "", 200, `<a href="` + r.URL + `/reference">API</a>`},
		{host, "/", "", 200, `action="/-/search"`},
		{"DOCS.example", "/other", "", 200, "<p>Two.</p>"},
		{host, "/other/", "/other", 308, ""},
		{host, "//evil.example/", "/evil.example", 308, ""}, // which is no other host
		{host + ":443", "/other", "", 200, "<p>Two.</p>"},
		{host + ".", "/v1/health", "", 404, ""},
		{host, "/home", "/", 307, ""},
		{host, "/other.md", "", 200, "Two."},
		{host, file, "", 200, "<svg"},
		{host, "/-/search?q=two", "", 200, `<a href="/other">`},
		{host, "/sitemap.xml", "", 200, "<loc>https://docs.example/other</loc>"},
		{host, "/robots.txt", "", 200, "Sitemap: https://docs.example/sitemap.xml"},
		{host, "/llms.txt", "", 200, "(https://docs.example/other.md)"},
		{host, "/v1/health", "", 404, ""}, // nothing else is served there
		{host, "/login", "", 404, ""},
		{host, "/docs/other", "", 404, ""},
		{"", "/docs", site + "/", 307, ""},
		{"", "/docs/a%2fb?c=d", site + "/a%2fb?c=d", 307, ""},
		{"", "/sitemap.xml", site + "/sitemap.xml", 307, ""},
		{"", "/robots.txt", "", 200, "Sitemap: https://docs.example/sitemap.xml"},
		{"", "/", site + "/", 302, ""},
		{"other.example", "/v1/health", "", 200, ""}, // as everywhere
	})
}

// TestOwnPath: a site may lie below another path than /docs.
func TestOwnPath(t *testing.T) {
	t.Parallel()
	for _, public := range []bool{true, false} {
		r := start(t, octavotest.Options{Site: app.Site{URL: "/hand/book"}}, public)
		r.token = r.Server.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin})
		r.page("home", "[Other](other)")
		r.page("other", "Two.")
		if !public {
			if resp, _ := r.get("/hand/book"); resp.StatusCode != http.StatusForbidden {
				t.Errorf("before there is a person: have %s", resp.Status)
			}
			r.signUp()
			r.signIn("/hand/book/other", "/hand/book/other")
		}
		r.check([]answer{
			{"", "/hand/book", "", 200, `<a href="/hand/book/other">Other</a>`},
			{"", "/hand/book/", "/hand/book", 308, ""},
			{"", "/hand/book/other?x", "", 200, "<p>Two.</p>"},
			{"", "/hand/book/other.md", "", 200, "Two."},
			{"", "/hand/book/none", "", 404, ""},
			{"", "/hand/book/-/search?q=two", "", 200, `<a href="/hand/book/other">`},
			{"", "/hand/books", "", 404, ""},
			{"", "/hand", "", 404, ""},
			{"", "/docs/other?x", "/hand/book/other?x", 307, ""},
			{"", "/docs", "/hand/book", 307, ""},
			{"", "/", "/hand/book", 302, ""},
			{"", "/sitemap.xml", "", 200, "<loc>" + r.URL + "/hand/book/other</loc>"},
		})
		if resp, _ := r.send(http.MethodGet, "/v1/health", ""); resp.StatusCode != http.StatusOK {
			t.Errorf("the API: have %s", resp.Status)
		}
	}
}

// TestFormerPaths: a page is found under the paths that its file had while it was
// published, unless another page has one now or had it too.
func TestFormerPaths(t *testing.T) {
	t.Parallel()
	onBoth(t, true, func(r *rig) {
		file := func(id octavo.ID, path string) {
			r.api(http.MethodPost, "/pages/bulk", object{"operations": []object{{"op": "update", "id": id, "page": object{"title": "At " + path}, "source": path}}})
		}
		r.page("first", "x", "position", 0)
		moved, other, late := r.page("moved", "x"), r.page("other", "y"), r.page("late", "z")
		r.patch(late, object{"status": "draft"})
		file(late, "early.md")
		r.patch(late, object{"status": "published"})
		r.patch(late, object{"status": "draft"})
		file(late, "secret/plan.md")
		file(late, "late/now.md")
		r.patch(late, object{"status": "published"})
		for _, path := range []string{"a/one.md", "a/two.md", "a/shared.md", "a/taken.md", "a/three.md"} {
			file(moved, path)
		}
		for _, path := range []string{"a/shared.md", "a/taken.md"} {
			file(other, path)
		}
		r.check([]answer{
			{"", "/docs/a/one.md", "/docs/moved", 308, ""},
			{"", "/docs/a/two", "/docs/moved", 308, ""},
			{"", "/docs/a/three.html", "/docs/moved", 308, ""},
			{"", "/docs/a/taken.md", "/docs/other", 308, ""},
			{"", "/docs/a/shared.md", "", 404, ""},
			{"", "/docs/secret/plan", "", 404, ""},
			{"", "/docs/early", "/docs/late", 308, ""}, // which it was while it was published
		})
		r.patch(moved, object{"status": "draft"})
		r.check([]answer{{"", "/docs/a/one.md", "", 404, ""}})
	})
}

// TestTakenPath: a site may not lie where the server has something else.
func TestTakenPath(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	for path, taken := range map[string]bool{"/v1": true, "/v1/handbook": true, "/files": true, "/docs/x": true, "/studio": true, "/studios": false, "/docs": false, "/handbook": false} {
		service, err := reader.New(reader.Options{Store: r.Store, Outline: outline.New(r.Store), PublicURL: r.URL, SiteURL: r.URL + path})
		r.must(err)
		o := httpapi.Options{Site: siteapi.Operations{Service: service}}
		o.Versions = []string{"v1"}
		if _, err := httpapi.New(o); (err != nil) != taken {
			t.Errorf("%s: have %v", path, err)
		}
	}
}
