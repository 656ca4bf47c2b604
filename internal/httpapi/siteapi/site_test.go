package siteapi_test

import (
	"crypto/rand"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func TestSiteAddresses(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	home := r.page("welcome", "# Welcome\n\nHello.\n", "position", 1)
	r.page("first", "\r\nBytes\tas they are \r\n", "parentId", home)
	r.patch(r.page("formerly", "x"), object{"content": "y"})
	r.api(http.MethodPut, "/pages/"+string(r.page("old-name", "x")), object{"title": "Named anew", "slug": "new-name", "content": "x"})
	r.page("source", "x")
	r.api(http.MethodPost, "/pages/bulk", object{"operations": []object{
		{"op": "create", "page": object{"title": "Imported", "slug": "guide-imported", "content": "x", "status": "published"}, "source": "guide/imported.mdx", "formerSlugs": []string{"given"}},
	}})
	json := "application/json"
	for _, c := range []struct {
		path, accept string
		status       int
		location     string
		media        string
	}{
		{"/", browser, 302, "/docs", ""},
		{"/", "*/*", 200, "", "text/html"},
		{"/docs", browser, 200, "", "text/html"},
		{"/docs", "*/*", 200, "", "text/html"},
		{"/docs", "text/markdown", 200, "", "text/markdown"},
		{"/docs", json, 406, "", "application/problem+json"},
		{"/docs/", browser, 308, "/docs", ""},
		{"/docs/first/?a=b", browser, 308, "/docs/first?a=b", ""},
		{"/docs/a%20b%0D%0AX:%20y/", browser, 308, "/docs/a%20b%0D%0AX:%20y", ""},
		{"/docs//elsewhere.example/", browser, 308, "/docs//elsewhere.example", ""},
		{"/docs/welcome", browser, 307, "/docs", ""},
		{"/docs/welcome.md", browser, 200, "", "text/markdown"},
		{"/docs/first", browser, 200, "", "text/html"},
		{"/docs/first.md", browser, 200, "", "text/markdown"},
		{"/docs/first", "text/markdown, text/html;q=0.5", 200, "", "text/markdown"},
		{"/docs/old-name", browser, 308, "/docs/new-name", ""},
		{"/docs/given", browser, 308, "/docs/guide-imported", ""},
		{"/docs/guide/imported.mdx", browser, 308, "/docs/guide-imported", ""},
		{"/docs/guide/imported.html", browser, 308, "/docs/guide-imported", ""},
		{"/docs/guide/imported", browser, 308, "/docs/guide-imported", ""},
		{"/docs/guide/imported/index?q=1", browser, 308, "/docs/guide-imported?q=1", ""},
		{"/docs/none", browser, 404, "", "text/html"},
		{"/docs/none", "*/*", 404, "", "application/problem+json"},
		{"/docs/first.mdx", browser, 404, "", "text/html"},
		{"/docs/-/none", browser, 404, "", "text/html"},
		{"/docs/-/search?q=welcome", browser, 200, "", "text/html"},
		{"/docs/-/search?q=welcome", json, 200, "", json},
		{"/docs/-/pages", browser, 200, "", "text/html"},
		{"/docs/-/pages?under=welcome", browser, 200, "", "text/html"},
		{"/docs/-/pages?under=none", browser, 404, "", "text/html"},
		{"/docs/-/pages?from=-1", browser, 404, "", "text/html"},
		{"/docs/-/pages?from=x", browser, 404, "", "text/html"},
		{"/docs/-/links?to=welcome", browser, 200, "", "text/html"},
		{"/docs/-/links?to=none", browser, 404, "", "text/html"},
		{"/docs/-/feed.atom", browser, 200, "", "application/atom+xml"},
		{"/docs/-/feed.atom?under=welcome&tag=x", browser, 200, "", "application/atom+xml"},
		{"/docs/sitemap.xml", browser, 200, "", "application/xml"},
		{"/docs/sitemap.xml?part=2", browser, 404, "", "application/problem+json"},
		{"/sitemap.xml", browser, 200, "", "application/xml"},
		{"/docs/llms.txt", browser, 200, "", "text/plain"},
		{"/llms.txt", browser, 200, "", "text/plain"},
		{"/docs/llms-full.txt", browser, 200, "", "text/plain"},
		{"/robots.txt", browser, 200, "", "text/plain"},
		{"/docs/-/files/none/x.png", browser, 404, "", "text/html"},
	} {
		resp, text := r.send(http.MethodGet, c.path, "", "Accept", c.accept)
		media, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
		if resp.StatusCode != c.status || resp.Header.Get("Location") != c.location || media != c.media && c.media != "" {
			t.Errorf("%s as %s: have %d %s %q, want %d %s %q\n%s", c.path, c.accept, resp.StatusCode, resp.Header.Get("Location"), media, c.status, c.location, c.media, text)
		}
		if sniff := resp.Header.Get("X-Content-Type-Options"); sniff != "nosniff" && c.path != "/" {
			t.Errorf("%s: have X-Content-Type-Options %q", c.path, sniff)
		}
		if allowed := resp.Header.Get("Access-Control-Allow-Origin"); allowed != "" && c.path != "/" {
			t.Errorf("%s: pages of %q may read it", c.path, allowed)
		}
	}
	if _, text := r.get("/docs/first.md"); text != "\r\nBytes\tas they are \r\n" {
		t.Errorf("the Markdown is %q", text)
	}
	if resp, _ := r.send(http.MethodPost, "/docs/first", ""); resp.StatusCode != http.StatusMethodNotAllowed || resp.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("POST: have %s, Allow %q", resp.Status, resp.Header.Get("Allow"))
	}
}

// TestSiteHeaders holds what browsers and caches are told.
func TestSiteHeaders(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	r.page("home", "![](https://elsewhere.example/a.png)\n\n![](/none.png)\n")
	r.page("plain", "text\n")
	resp, page := r.get("/docs/plain")
	h := resp.Header
	for name, want := range map[string]string{"Cache-Control": "public, no-cache", "Vary": "Accept-Encoding, Accept", "Link": `</docs/llms.txt>; rel="llms-txt"`} {
		if have := h.Get(name); have != want {
			t.Errorf("%s: have %q, want %q", name, have, want)
		}
	}
	policy := h.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "https:") {
		t.Errorf("the policy is %q", policy)
	}
	if resp, _ := r.get("/docs"); !strings.HasSuffix(resp.Header.Get("Content-Security-Policy"), "img-src 'self' data: http: https:") {
		t.Errorf("the policy of a page with an image of another site is %q", resp.Header.Get("Content-Security-Policy"))
	}
	tag := h.Get("ETag")
	for _, c := range []struct {
		method, tag, coding string
		status              int
	}{
		{"GET", tag, "", 304}, {"HEAD", tag, "", 304}, {"GET", "W/" + tag, "", 304}, {"GET", `"other"`, "", 200}, {"GET", tag, "gzip", 200},
	} {
		resp, text := r.send(c.method, "/docs/plain", "", "Accept", browser, "If-None-Match", c.tag, "Accept-Encoding", c.coding)
		if resp.StatusCode != c.status || c.status == 304 && text != "" || strings.HasPrefix(resp.Header.Get("ETag"), "W/") {
			t.Errorf("%+v: have %s with %d bytes, ETag %s", c, resp.Status, len(text), resp.Header.Get("ETag"))
		}
	}
	for _, mark := range []string{`<link rel="stylesheet" href="`, `<script src="`} {
		_, rest, _ := strings.Cut(page, mark)
		path, _, _ := strings.Cut(rest, `"`)
		resp, text := r.get(path)
		if resp.StatusCode != 200 || resp.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" || len(text) < 1000 {
			t.Errorf("%s: %s, %s, %d bytes", path, resp.Status, resp.Header.Get("Cache-Control"), len(text))
		}
		parts := strings.Split(path, "/")
		parts[4] = "0"
		if resp, _ := r.get(strings.Join(parts, "/")); resp.StatusCode != 200 || resp.Header.Get("Cache-Control") != "public, no-cache" {
			t.Errorf("another version: %s, %s", resp.Status, resp.Header.Get("Cache-Control"))
		}
	}
}

// TestPublishVisibleAtOnce checks that each answer is of the state that the
// last write has left, whatever was kept before.
func TestPublishVisibleAtOnce(t *testing.T) {
	onBoth(t, true, func(r *rig) {
		home := r.page("home", "See [there](/other#part), ![](pic.png), [the API](/reference#x), [nothing](/nothing)\n", "position", 1)
		other := r.page("other", "# Other\n\n## Part\n", "position", 2)
		see := func(when string, wants ...string) {
			r.Helper()
			_, text := r.get("/docs")
			for _, want := range wants {
				without, found := strings.CutPrefix(want, "not ")
				if strings.Contains(text, without) == found {
					r.Errorf("%s: want %s in\n%s", when, want, text)
				}
			}
		}
		see("at first", `<a href="/reference#x">the API</a>`, "not /nothing", `<a href="/docs/other#part">there</a>`, `<li><a href="/docs/other">Title of other</a></li>`, "not <img")
		r.api(http.MethodPut, "/pages/"+string(other), object{"title": "Else", "slug": "else", "content": "## The part\n"})
		see("once it is renamed", `<li><a href="/docs/else">Else</a></li>`, `<a href="/docs/else`, "not Title of other")
		r.patch(other, object{"status": "draft"})
		see("once it is hidden", "not docs/else", "not Else", "there")
		if resp, _ := r.get("/docs/else"); resp.StatusCode != http.StatusNotFound {
			r.Errorf("the hidden page: %s", resp.Status)
		}
		r.patch(other, object{"status": "published"})
		see("once it is back", `<li><a href="/docs/else">Else</a></li>`)
		picture := r.upload("pic.png", "\x89PNG\r\n\x1a\n")
		see("with a picture", `<img src="`+strings.TrimPrefix(picture.URL, r.URL)+`"`)
		alt := "A picture of it"
		r.api(http.MethodPatch, "/assets/"+string(picture.ID), object{"alt": alt})
		see("described", `alt="`+alt+`"`)
		child := r.page("below", "x", "parentId", home, "status", "draft")
		grandchild := r.page("deep", "x", "parentId", child)
		see("below a hidden page", `<li><a href="/docs/deep">Title of deep</a></li>`, "not below")
		r.patch(child, object{"status": "published"})
		if _, text := r.get("/docs/deep"); !strings.Contains(text, `<li><a href="/docs/below">Title of below</a></li>`+"\n</ol>") {
			r.Errorf("the trail lacks the page above:\n%s", text)
		}
		r.patch(grandchild, object{"parentId": other})
		see("moved away", `<li><a href="/docs/below">Title of below</a></li>`)
		r.api(http.MethodDelete, "/pages/"+string(other)+"?children=cascade", nil)
		see("deleted", "not Else")
	})
}

func TestSearch(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	home := r.page("home", "Nothing of it.\n")
	r.page("found", "# Found\n\n## Some <b> & section\n\nThe zebra <i> here.\n", "parentId", home)
	r.must(r.Search.Await(t.Context()))
	_, text := r.send(http.MethodGet, "/docs/-/search?q=zebra", "", "Accept", "application/json")
	var results []struct {
		Title, URL, Section, Highlight string
		Trail                          []string
	}
	r.must(json.Unmarshal([]byte(text), &results))
	want := `[{Title of found /docs/found#some--section Some & section The <mark>zebra</mark> here. [Title of home]}]`
	if have := fmt.Sprint(results); have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
	if _, text := r.get("/docs/-/search?q=zebra"); !strings.Contains(text, `Title of found › Some &amp; section</a>`) || !strings.Contains(text, `value="zebra"`) {
		t.Errorf("the page:\n%s", text)
	}
	if _, text := r.send(http.MethodGet, "/docs/-/search?q=giraffe", "", "Accept", "application/json"); text != "[]" {
		t.Errorf("nothing found is %s", text)
	}
	if _, text := r.get("/docs/zebra.html"); !strings.Contains(text, `href="/docs/found`) {
		t.Errorf("nothing is suggested:\n%s", text)
	}
	_, text = r.get("/docs/-/search?q=%22%3E%3Cscript%3E")
	if strings.Contains(text, "<script>") {
		t.Errorf("the query is markup:\n%s", text)
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	home := r.page("home", "Home\n", "frontmatter", object{"description": "About < all"})
	r.page("a", "Text of a\n\n", "parentId", home, "frontmatter", object{"tags": []string{"x"}, "description": "About a"})
	r.page("b", "Text of b", "parentId", home, "frontmatter", object{"noindex": true})
	for path, want := range map[string]string{
		"/docs/llms.txt": "# Title of home\n\n> About < all\n\n## Pages\n\n- [Title of home](URL/docs/home.md): About < all\n  - [Title of a](URL/docs/a.md): About a\n",
		"/docs/llms-full.txt": "# Title of home\n\n> About < all\n\n# Title of home\n\nSource: URL/docs\n\nHome\n" +
			"\n# Title of a\n\nSource: URL/docs/a\n\nText of a\n",
		"/robots.txt": "User-agent: *\nAllow: /docs\nAllow: /docs/-/look/\nDisallow: /docs/-/\nSitemap: URL/docs/sitemap.xml\n",
	} {
		if _, have := r.get(path); have != strings.ReplaceAll(want, "URL", r.URL) {
			t.Errorf("%s: have %q, want %q", path, have, want)
		}
	}
	for path, want := range map[string]string{"/docs/sitemap.xml": "/docs /docs/a", "/docs/-/feed.atom": "/docs /docs /docs/-/feed.atom /docs/a", "/docs/-/feed.atom?tag=x": "/docs /docs/-/feed.atom?tag=x /docs/a", "/docs/-/feed.atom?under=a": "/docs /docs/-/feed.atom?under=a /docs/a"} {
		_, text := r.get(path)
		var have []string
		d := xml.NewDecoder(strings.NewReader(text))
		for token, err := d.Token(); token != nil; token, err = d.Token() {
			r.must(err)
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "link" {
				have = append(have, e.Attr[len(e.Attr)-1].Value)
			} else if ok && e.Name.Local == "loc" {
				var loc string
				r.must(d.DecodeElement(&loc, &e))
				have = append(have, loc)
			}
		}
		slices.Sort(have)
		if have := strings.ReplaceAll(strings.Join(have, " "), r.URL, ""); have != want {
			t.Errorf("%s: have %s, want %s", path, have, want)
		}
	}
	if _, text := r.get("/docs/b"); !strings.Contains(text, `<meta name="robots" content="noindex">`) {
		t.Error("robots are not told to leave the page out")
	}
	if _, text := r.get("/docs/a"); strings.Contains(text, "noindex") || !strings.Contains(text, `<link rel="canonical" href="`+r.URL+`/docs/a">`) {
		t.Errorf("the head of a page:\n%s", text)
	}
}

// TestSiteLimits checks that what is read counts apart from the API, and searches
// apart from both.
func TestSiteLimits(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{RateLimit: 1, Site: app.Site{Limit: 5}}, true)
	r.fill(1, "")
	for i, want := range []int{200, 200, 304, 200, 404, 429, 429} {
		path, tag := "/docs", ""
		switch want {
		case 304:
			resp, _ := r.get(path)
			tag = resp.Header.Get("ETag")
		case 404:
			path = "/docs/none"
		}
		if i == 3 {
			continue // the one that asked for the tag
		}
		resp, text := r.get(path, "If-None-Match", tag)
		if resp.StatusCode != want || want == 429 && (resp.Header.Get("Retry-After") == "" || !strings.Contains(text, "/problems/rate-limited")) {
			t.Errorf("request %d: have %s, want %d\n%s", i, resp.Status, want, text)
		}
	}
}

// TestHostileWords checks that what a page says is text wherever it arrives.
func TestHostileWords(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	const hostile = `"'><script>alert(1)</script></title>--></textarea>]]>&lt;{{.}} %3Cscript%3E\u003c`
	more := []any{"title", hostile, "frontmatter", object{"description": hostile, "tags": []string{hostile}, "language": `en"><script>`}}
	home := r.page("home", "word\n", more...)
	page := r.page("page", "## "+hostile+"\n\nword "+hostile+"\n", append(more, "parentId", home)...)
	r.page("below", "word\n", append(more, "parentId", page)...)
	r.must(r.Search.Await(t.Context()))
	for _, path := range []string{
		"/docs", "/docs/page", "/docs/below", "/docs/-/search?q=word", "/docs/-/search?q=" + url.QueryEscape(hostile), "/docs/" + url.PathEscape(hostile),
		"/docs/-/pages", "/docs/-/pages?under=home", "/docs/-/pages?under=" + url.QueryEscape(hostile),
	} {
		_, text := r.get(path)
		root, err := html.Parse(strings.NewReader(text))
		r.must(err)
		scripts, titles := 0, 0
		for n := range root.Descendants() {
			if n.Type == html.ElementNode && n.Data == "title" {
				titles++
			}
			if n.Type != html.ElementNode || n.Data != "script" {
				continue
			}
			scripts++
			attr := fmt.Sprint(n.Attr)
			if ours := strings.Contains(attr, "/docs/-/look/"); !ours && !(strings.Contains(attr, "ld+json") && json.Valid([]byte(n.FirstChild.Data))) {
				t.Errorf("%s has the script %s %s", path, attr, n.FirstChild.Data)
			}
		}
		if scripts > 2 || titles != 1 {
			t.Errorf("%s has %d scripts and %d titles:\n%s", path, scripts, titles, text)
		}
	}
	for _, path := range []string{"/docs/sitemap.xml", "/docs/-/feed.atom", "/docs/-/feed.atom?under=page"} {
		_, text := r.get(path)
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			r.must(err)
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
				t.Errorf("%s has a script", path)
			}
		}
	}
	if _, text := r.send(http.MethodGet, "/docs/-/search?q=word", "", "Accept", "application/json"); strings.Contains(strings.ReplaceAll(strings.ReplaceAll(text, "<mark>", ""), "</mark>", ""), `"highlight":"<`) {
		t.Errorf("a highlight is markup: %s", text)
	}
}

// TestElsewhere checks that what another process has written is there at once.
func TestElsewhere(t *testing.T) {
	onBoth(t, true, func(r *rig) {
		r.page("home", "See [there](/other)\n")
		other, err := r.OpenAgain(r.Context(), app.StoreOptions(app.Env{Now: time.Now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)}, octavo.NewIDSource(time.Now, rand.Reader), r.URL))
		r.must(err)
		defer func() { r.must(other.Close()) }()
		if _, text := r.get("/docs"); strings.Contains(text, "/docs/other") {
			r.Errorf("before:\n%s", text)
		}
		r.must(other.DB.Write(r.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			_, err := other.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "Other", Slug: "other", Content: "x", Status: octavo.Published}})
			return err
		}))
		wait := 5 * time.Second // SQLite looks now and then whether somebody else writes
		for begun := time.Now(); ; {
			_, text := r.get("/docs")
			if strings.Contains(text, `<a href="/docs/other">there</a>`) && strings.Contains(text, `<li><a href="/docs/other">Other</a></li>`) {
				break
			}
			if time.Since(begun) > wait || r.Store.DB.Shared() {
				r.Fatalf("the page of another process is not there:\n%s", text)
			}
		}
	})
}
