package siteapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestSettings: each setting shows at the next request, and its default when it is
// null.
func TestSettings(t *testing.T) {
	t.Parallel()
	onBoth(t, true, func(r *rig) {
		r.token = r.Server.Token(r, auth.Grant{Scopes: octavo.ScopeAdmin})
		r.page("first", "One.")
		other := r.page("other", "Two.")
		hidden := r.api(http.MethodPost, "/pages", object{"title": "Secret", "slug": "secret", "content": "x"})
		const attack = `<script>"&'`
		const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"></svg>`
		logo, dark := r.upload("logo.svg", svg), r.upload("dark.svg", svg+" ")
		r.page("pictures", "![Far](https://far.example/a.png)")
		for _, c := range []struct {
			name string
			set  object
			path string
			want string // in the page
		}{
			{"title", object{"title": attack}, "/docs/other", "Title of other · &lt;script&gt;&#34;&amp;&#39;</title>"},
			{"description", object{"description": "What it is"}, "/docs", `<meta name="description" content="What it is">`},
			{"description for models", object{"description": "What it is"}, "/docs/llms.txt", "\n> What it is\n"},
			{"home", object{"home": other}, "/docs", "<p>Two.</p>"},
			{"hidden home", object{"home": hidden}, "/docs", "<p>One.</p>"},
			{"header", object{"header": []object{{"label": attack, "href": "/reference?a=1&b=2"}}}, "/docs", `<a href="/reference?a=1&amp;b=2">&lt;script&gt;&#34;&amp;&#39;</a>`},
			{"footer", object{"footer": []object{{"label": "Mail", "href": "mailto:a@b.example"}}}, "/docs", `<a href="mailto:a@b.example">Mail</a>`},
			{"text of the footer", object{"footerText": attack}, "/docs", "<p>&lt;script&gt;&#34;&amp;&#39;</p>"},
			{"banner", object{"banner": object{"text": "News", "href": "/docs/other", "kind": "warning"}}, "/docs", `<aside class="site-banner site-warning"><a href="/docs/other">News</a></aside>`},
			{"robots", object{"robots": "noindex"}, "/docs", `<meta name="robots" content="noindex">`},
			{"robots.txt", object{"robots": "noindex"}, "/robots.txt", "Allow: /\n"},
			{"language", object{"language": "ar"}, "/docs", `<html lang="ar" dir="rtl"`},
			{"favicon", object{"favicon": logo.ID}, "/docs", `<link rel="icon" href="/docs/-/files/` + string(logo.ID) + `/logo.svg">`},
			{"logo", object{"title": attack, "logo": object{"light": logo.ID}}, "/docs", `aria-current="page"><img class="site-logo" src="/docs/-/files/` + string(logo.ID) + `/logo.svg" alt="&lt;script&gt;&#34;&amp;&#39;"`},
			{"logo for dark screens", object{"logo": object{"light": logo.ID, "dark": dark.ID}}, "/docs", `<img class="site-logo site-night" src="/docs/-/files/` + string(dark.ID)},
			{"images of other sites", object{"remoteImages": "link"}, "/docs/pictures", `<a href="https://far.example/a.png">Far</a>`},
			{"css", object{"css": "h1 { color: red }"}, "/docs", "/custom.css"},
			{"theme", object{"theme": object{"dark": object{"link": "#abcdef"}}}, "/docs", "/custom.css"},
		} {
			_, before := r.get(c.path)
			r.api(http.MethodPatch, "/site", c.set)
			resp, after := r.get(c.path)
			if !strings.Contains(after, c.want) || resp.StatusCode != http.StatusOK {
				r.Errorf("%s: want %q in %s:\n%s", c.name, c.want, resp.Status, after)
			}
			unset := object{}
			for name := range c.set {
				unset[name] = nil
			}
			r.api(http.MethodPatch, "/site", unset)
			if _, again := r.get(c.path); again != before {
				r.Errorf("%s: have another page without it", c.name)
			}
		}
	})
}

// TestLogo: a logo is used and public, though no page refers to it, for as long as
// the settings name it.
func TestLogo(t *testing.T) {
	t.Parallel()
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"></svg>`
	r := start(t, octavotest.Options{}, true)
	r.token = r.Server.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin})
	r.page("first", "One.")
	logo := r.upload("logo.svg", svg)
	address := "/docs/-/files/" + string(logo.ID) + "/logo.svg"
	for _, shown := range []bool{false, true, false} {
		var id any
		if shown {
			id = logo.ID
		}
		r.api(http.MethodPatch, "/site", object{"logo": object{"light": id}})
		if resp, _ := r.get(address); (resp.StatusCode == http.StatusOK) != shown {
			t.Errorf("the logo is shown: %t; have %s", shown, resp.Status)
		}
		resp, answer := r.send(http.MethodDelete, "/v1/assets/"+string(logo.ID), "", "Authorization", "Bearer "+r.token)
		if shown && (resp.StatusCode != http.StatusConflict || !strings.Contains(answer, "the settings of the site")) {
			t.Errorf("remove a logo: have %s\n%s", resp.Status, answer)
		} else if !shown {
			logo = r.upload("logo.svg", svg)
			address = "/docs/-/files/" + string(logo.ID) + "/logo.svg"
		}
	}
	r.api(http.MethodPatch, "/site", object{"logo": object{"light": logo.ID}})
	r.api(http.MethodDelete, "/assets/"+string(logo.ID)+"?force=true", nil)
	if _, page := r.get("/docs"); !strings.Contains(page, `aria-current="page">Title of first</a>`) {
		t.Errorf("a logo that was removed is shown:\n%s", page)
	}
}

// TestCustomStyle: colours and styles are a file of their own, whose address names
// what is in it.
func TestCustomStyle(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	r.token = r.Server.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin})
	r.page("first", "One.")
	r.api(http.MethodPatch, "/site", object{"css": "h1 { color: red }\n", "theme": object{"light": object{"text": "#111"}}})
	_, page := r.get("/docs")
	_, rest, _ := strings.Cut(page, `<link rel="stylesheet" href="/docs/-/look/`)
	_, rest, _ = strings.Cut(rest, `<link rel="stylesheet" href="`)
	address, _, _ := strings.Cut(rest, `"`)
	resp, text := r.get(address)
	if resp.Header.Get("Content-Type") != "text/css; charset=utf-8" || !strings.Contains(resp.Header.Get("Cache-Control"), "immutable") ||
		!strings.HasSuffix(text, "h1 { color: red }\n") || strings.Count(text, "--oct-text: #111;") != 2 {
		t.Errorf("%s: have %v\n%s", address, resp.Header, text)
	}
}

// TestSourceOff: without the setting nothing gives pages as Markdown.
func TestSourceOff(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	r.token = r.Server.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin})
	r.page("first", "One.")
	r.api(http.MethodPatch, "/site", object{"source": false})
	for _, path := range []string{"/docs/first.md", "/docs/llms.txt", "/llms.txt", "/docs/llms-full.txt"} {
		if resp, _ := r.get(path); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: have %s", path, resp.Status)
		}
	}
	resp, page := r.get("/docs")
	if strings.Contains(page, ".md") || resp.Header.Get("Link") != "" {
		t.Errorf("have the link %q and\n%s", resp.Header.Get("Link"), page)
	}
	if resp, _ := r.send(http.MethodGet, "/docs", "", "Accept", "text/markdown"); resp.StatusCode != http.StatusNotAcceptable {
		t.Errorf("text/markdown: have %s", resp.Status)
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	onBoth(t, true, func(r *rig) {
		r.token = r.Server.Token(r, auth.Grant{Scopes: octavo.ScopeAdmin})
		r.page("first", "One.")
		r.page("taken", "Two.")
		r.api(http.MethodPut, "/pages/"+string(r.page("old-name", "x")), object{"title": "Named anew", "slug": "new-name", "content": "x"})
		for from, to := range map[string]string{"/old/*": "/first", "/v1/*": "https://docs.example/v1/*", "/root": "/", "/query": "/first?a=b#c", "/renamed": "/old-name?a#b", "/one": "/old/x", "/round": "/round-2", "/round-2": "/round", "/t/*": "/t/t/*", "/to-md": "/first.md", "/aside": "/-/pages"} {
			r.api(http.MethodPost, "/redirects", object{"from": from, "to": to})
		}
		for from, want := range map[string]int{"/taken": 409, "/taken.md": 409, "/sitemap.xml": 400} {
			resp, _ := r.send(http.MethodPost, "/v1/redirects", `{"from": "`+from+`", "to": "/first"}`, "Authorization", "Bearer "+r.token, "Content-Type", "application/json")
			if resp.StatusCode != want {
				r.Errorf("from %s, which never leads: have %s, want %d", from, resp.Status, want)
			}
		}
		for _, c := range []struct {
			path, to string
			status   int
		}{
			{"/docs/old/a/b?c=d", "/docs/first?c=d", 308},
			{"/docs/query?c=d", "/docs/first?a=b&c=d#c", 308},
			{"/docs/root?c=d", "/docs?c=d", 307},
			{"/docs/renamed", "/docs/new-name?a#b", 308},
			{"/docs/one", "/docs/first", 308}, // through another one
			{"/docs/round", "", 404},
			{"/docs/t/x", "", 404},
			{"/docs/to-md", "/docs/first.md", 308},
			{"/docs/aside", "/docs/-/pages", 308},
			{"/docs/v1/a%20b", "https://docs.example/v1/a%20b", 308},
			{"/docs/root", "/docs", 307},
			{"/docs/taken", "", 200},
			{"/docs/older", "", 404},
			{"/docs/query.html", "/docs/first?a=b#c", 308}, // as a file of the old site
			{"/docs/renamed/index.html", "/docs/new-name?a#b", 308},
		} {
			resp, _ := r.get(c.path)
			if resp.StatusCode != c.status || resp.Header.Get("Location") != c.to || c.to != "" && resp.Header.Get("Cache-Control") != "no-cache" {
				r.Errorf("%s: have %s, %v", c.path, resp.Status, resp.Header)
			}
		}
	})
}

// TestRedirectsNowhere: a redirect shows no page that readers do not see, and
// no path leads out of its target.
func TestRedirectsNowhere(t *testing.T) {
	t.Parallel()
	onBoth(t, true, func(r *rig) {
		r.token = r.Server.Token(r, auth.Grant{Scopes: octavo.ScopeAdmin})
		r.page("first", "One.")
		r.api(http.MethodPost, "/pages", object{"title": "Secret", "slug": "secret", "content": "x"})
		for from, to := range map[string]string{"/to-secret": "/secret", "/to-part": "/secret?x#y", "/to-source": "/secret.md", "/to-coded": "/%73ecret", "/x/*": "https://docs.example/base/*", "/é/*": "/first", "/wide": "/first?ö"} {
			r.api(http.MethodPost, "/redirects", object{"from": from, "to": to})
		}
		for _, c := range []struct {
			path, to string
			status   int
		}{
			{"/docs/to-secret", "", 404},
			{"/docs/to-part", "", 404},
			{"/docs/to-source", "", 404},
			{"/docs/to-coded", "", 404},
			{"/docs/x/..%2f..%2fadmin", "", 404},
			{"/docs/%c3%a8", "", 404},
			{"/docs/%ff", "", 404},
			{"/docs/first%00", "", 404},
			{"/docs/first%2f", "", 404},
			{"/docs/%c3%a9/x", "/docs/first", 308},
			{"/docs/wide", "/docs/first?%C3%B6", 308},
		} {
			if resp, _ := r.get(c.path); resp.StatusCode != c.status || resp.Header.Get("Location") != c.to {
				r.Errorf("%s: have %s, %q; want %d, %q", c.path, resp.Status, resp.Header.Get("Location"), c.status, c.to)
			}
		}
	})
}
