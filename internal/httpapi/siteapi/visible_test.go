package siteapi_test

import (
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// secret is in all that is not public.
const secret = "zyxwvut"

// everything are all addresses of the site.
func everything() []string {
	return []string{
		"/docs", "/docs/open", "/docs/open.md", "/docs/once", "/docs/once.md", "/docs/" + secret, "/docs/" + secret + ".md", "/docs/hidden-" + secret,
		"/docs/hidden/" + secret + ".md", "/docs/hidden/" + secret, "/docs/former-" + secret, "/docs/sitemap.xml", "/sitemap.xml", "/docs/llms.txt", "/llms.txt", "/docs/llms-full.txt",
		"/robots.txt", "/docs/-/feed.atom", "/docs/-/feed.atom?under=open", "/docs/-/feed.atom?under=hidden-" + secret, "/docs/-/feed.atom?tag=" + secret, "/docs/-/pages",
		"/docs/-/pages?under=open", "/docs/-/links?to=open", "/docs/-/links?to=" + secret, "/docs/-/pages?under=hidden-" + secret, "/docs/-/search?q=" + secret, "/docs/-/search?q=word", "/docs/none-" + "word",
	}
}

// TestHiddenPages makes pages that are not public, in all ways, and looks
// for anything of them. Whatever happens to them, no answer to the public changes,
// nor its tag.
func TestHiddenPages(t *testing.T) {
	for _, public := range []bool{true, false} {
		t.Run(fmt.Sprint("public ", public), func(t *testing.T) {
			onBoth(t, public, func(r *rig) {
				if !public {
					r.signUp()
				}
				open := r.page("open", "A word of [one](/"+secret+") and ![two]("+secret+".png)\n")
				once := r.page("once", "A word more\n", "parentId", open)
				r.must(r.Search.Await(r.Context()))
				before := r.everything()
				hide := func(slug, status string, more ...any) string {
					id := r.page(slug, secret+" word\n", append([]any{"status", status, "title", secret, "frontmatter", object{"tags": []string{secret}, "description": secret}}, more...)...)
					return string(id)
				}
				draft := hide(secret, "draft", "parentId", open, "content", "[to](/open) "+secret+" word\n")
				hide("hidden-"+secret, "archived")
				scheduled := hide("soon-"+secret, "draft")
				r.api(http.MethodPatch, "/pages/"+scheduled, object{"publishAt": time.Now().Add(time.Hour).UTC().Format(time.RFC3339)})
				deleted := hide("gone-"+secret, "draft")
				r.api(http.MethodDelete, "/pages/"+deleted, nil)
				r.api(http.MethodPost, "/pages/bulk", object{"operations": []object{{
					"op": "create", "source": "hidden/" + secret + ".md", "formerSlugs": []string{"former-" + secret},
					"page": object{"title": secret, "slug": "bulk-" + secret, "content": secret, "status": "draft"},
				}}})
				picture := r.upload(secret+"-hidden.png", "\x89PNG\r\n\x1a\n")
				r.api(http.MethodPatch, "/pages/"+draft, object{"content": "![](" + secret + "-hidden.png) " + secret})
				r.must(r.Search.Await(r.Context()))
				r.compare("with pages that are hidden", before, r.everything())
				if resp, _ := r.get("/docs/-/files/" + string(picture.ID) + "/x.png"); resp.StatusCode != http.StatusNotFound {
					r.Errorf("a file of hidden pages: %s", resp.Status)
				}
				// A page that was public is as hidden as the others from then on.
				r.patch(once, object{"status": "draft"})
				r.api(http.MethodPut, "/pages/"+string(once), object{"title": secret, "slug": "once-" + secret, "content": secret + " word"})
				for _, path := range everything() {
					if _, text := r.get(path); strings.Contains(text, "A word more") || strings.Contains(text, "Title of once") || r.leaks(path, text) {
						r.Errorf("%s tells of what is hidden by now:\n%s", path, text)
					}
				}
				r.api(http.MethodDelete, "/pages/"+string(once), nil)
				r.must(r.Search.Await(r.Context()))
				gone := r.everything()
				r.api(http.MethodPost, "/pages/"+string(once)+"/restore", nil)
				r.compare("restored as a draft", gone, r.everything())
			})
		})
	}
}

// leaks reports whether a text has what it can have of hidden pages alone. What the
// public page says itself, and what was asked for, come back.
func (r *rig) leaks(path, text string) bool {
	for _, own := range []string{"(/" + secret + ")", "](" + secret + ".png)", `value="` + secret + `"`} {
		text = strings.ReplaceAll(text, own, "")
	}
	return strings.Contains(text, secret)
}

// everything reads all addresses.
func (r *rig) everything() []string {
	r.Helper()
	var all []string
	for _, path := range everything() {
		resp, text := r.get(path)
		text, _, _ = strings.Cut(text, `,"instance":`)
		if r.leaks(path, text) {
			r.Errorf("%s tells of what is hidden:\n%s", path, text)
		}
		all = append(all, fmt.Sprint(path, " ", resp.StatusCode, " ", resp.Header.Get("ETag"), " ", resp.Header.Get("Location"), "\n", text))
	}
	return all
}

func (r *rig) compare(when string, before, after []string) {
	r.Helper()
	for i := range before {
		if before[i] != after[i] {
			r.Errorf("%s: have\n%s\nwant\n%s", when, after[i], before[i])
		}
	}
}

// TestMembers checks who can read a site for members, and where others are redirected.
func TestMembers(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, false)
	r.page("home", "![](pic.png) of the house\n")
	r.page("page", "text\n")
	picture := r.upload("pic.png", "\x89PNG\r\n\x1a\n")
	file := "/docs/-/files/" + string(picture.ID) + "/pic.png"
	if resp, text := r.get("/docs/page"); resp.StatusCode != http.StatusForbidden || !strings.Contains(text, "octavo users add") {
		t.Errorf("while there is nobody: %s\n%s", resp.Status, text)
	}
	r.signUp()
	member := r.client.Jar
	key := r.Key(t, auth.KeyRequest{})
	for _, c := range []struct {
		who, path, accept, header, value string
		status                           int
		location                         string
	}{
		{"browser", "/docs/page?a=b", browser, "", "", 302, "/login?next=%2Fdocs%2Fpage%3Fa%3Db"},
		{"browser", "/docs/-/search?q=x", browser, "", "", 302, "/login?next=%2Fdocs%2F-%2Fsearch%3Fq%3Dx"},
		{"browser", file, "image/png", "", "", 401, ""},
		{"program", "/docs/page", "*/*", "", "", 401, ""},
		{"program", "/docs/llms.txt", "*/*", "", "", 401, ""},
		{"program", "/sitemap.xml", "*/*", "", "", 401, ""},
		{"program", "/docs/none", "*/*", "", "", 401, ""},
		{"program", "/robots.txt", "*/*", "", "", 200, ""},
		{"program", "/docs/page", "*/*", "Authorization", "Bearer " + r.token, 200, ""},
		{"program", "/docs/page", browser, "Authorization", "Bearer x" + r.token, 401, ""},
		{"program", "/docs/page", "*/*", "X-API-Key", key, 200, ""},
		{"program", file, "*/*", "X-API-Key", key, 200, ""},
		{"program", "/docs/page", "*/*", "X-API-Key", r.Key(t, auth.KeyRequest{Kind: octavo.KeySearch}), 403, ""},
		{"program", "/docs/page?api_key=" + key, "*/*", "", "", 401, ""},
		{"member", "/docs/page", browser, "", "", 200, ""},
		{"member", file, "image/png", "", "", 200, ""},
		{"member", "/docs", browser, "", "", 200, ""},
	} {
		if r.client.Jar = nil; c.who == "member" {
			r.client.Jar = member
		}
		headers := []string{"Accept", c.accept}
		if c.header != "" {
			headers = append(headers, c.header, c.value)
		}
		resp, text := r.send(http.MethodGet, c.path, "", headers...)
		if resp.StatusCode != c.status || resp.Header.Get("Location") != c.location {
			t.Errorf("%s at %s: have %s to %q, want %d to %q\n%s", c.who, c.path, resp.Status, resp.Header.Get("Location"), c.status, c.location, text)
		}
		if vary := strings.Join(resp.Header.Values("Vary"), ", "); c.status == 200 && c.path != "/robots.txt" && (resp.Header.Get("Cache-Control") != "private, no-cache" || !strings.Contains(vary, "Cookie") || !strings.Contains(vary, "Authorization")) {
			t.Errorf("%s may be kept: %q, Vary %q", c.path, resp.Header.Get("Cache-Control"), vary)
		}
		if c.path == "/docs" && !strings.Contains(text, `src="`+file+`"`) {
			t.Errorf("the picture is not at its place for members:\n%s", text)
		}
	}
	// Signing in leads back.
	jar, err := cookiejar.New(nil)
	r.must(err)
	r.client.Jar = jar
	r.signIn("/docs/page?a=b", "/docs/page?a=b")
	if resp, _ := r.get("/docs/page"); resp.StatusCode != http.StatusOK {
		t.Errorf("signed in: %s", resp.Status)
	}
	_, text := r.get("/oauth/logout")
	found := regexp.MustCompile(`name="token" value="([^"]*)"`).FindStringSubmatch(text)
	resp, _ := r.send(http.MethodPost, "/oauth/logout", url.Values{"token": found[1:], "confirm": {"yes"}}.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Origin", r.URL)
	if resp.Header.Get("Clear-Site-Data") != `"cache"` {
		t.Errorf("signed out: %s, Clear-Site-Data %q", resp.Status, resp.Header.Get("Clear-Site-Data"))
	}
	if resp, _ := r.get("/docs/page"); resp.StatusCode != http.StatusFound {
		t.Errorf("signed out: %s", resp.Status)
	}
}

// A writer sees the own publication at once, while many others read.
func TestWritersAmongReaders(t *testing.T) {
	onBoth(t, true, func(r *rig) {
		r.page("home", "See [there](/other-1)\n")
		stop := make(chan struct{})
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						r.get("/docs")
					}
				}
			})
		}
		var writers sync.WaitGroup
		for n := range 3 {
			writers.Go(func() {
				slug := fmt.Sprint("other-", n)
				id := r.page(slug, "first\n")
				for i := range 12 {
					status, want := "draft", 404
					if i%2 == 1 {
						status, want = "published", 200
					}
					r.patch(id, object{"status": status, "content": fmt.Sprint("Text ", i)})
					resp, text := r.get("/docs/" + slug)
					_, home := r.get("/docs")
					listed := strings.Contains(home, `<li><a href="/docs/`+slug+`">`)
					if resp.StatusCode != want || want == 200 && !strings.Contains(text, fmt.Sprint("Text ", i)) || listed != (want == 200) {
						r.Errorf("%s as %s %d: have %s, listed %t\n%s", slug, status, i, resp.Status, listed, text)
					}
				}
			})
		}
		writers.Wait()
		close(stop)
		readers.Wait()
	})
}

// TestTextOfAllPages checks that what is too large to be kept comes in pieces, the
// same.
func TestTextOfAllPages(t *testing.T) {
	t.Parallel()
	var texts []string
	for _, size := range []int64{0, 4 << 10} {
		r := start(t, octavotest.Options{Site: app.Site{Cache: size}}, true)
		r.fill(100, "")
		for range 2 {
			resp, text := r.get("/docs/llms-full.txt")
			if tagged := resp.Header.Get("ETag") != ""; tagged != (size == 0) {
				t.Errorf("with %d bytes of memory: has a tag: %t", size, tagged)
			}
			texts = append(texts, strings.ReplaceAll(text, r.URL, ""))
		}
	}
	for _, text := range texts {
		if text != texts[0] || strings.Count(text, "\nText of a page\n") != 100 {
			t.Errorf("have %d bytes, then %d", len(texts[0]), len(text))
		}
	}
}

// TestFirstVisit holds what the first page takes of the wire, with gzip.
func TestFirstVisit(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	r.fill(80, "")
	words := "Of some words the reader has to make sense, such as these, and %d of them in a line.\n"
	var content strings.Builder
	for i := 0; content.Len() < 2<<10; i++ {
		if i%5 == 0 {
			fmt.Fprintf(&content, "\n## Part %d\n\n", i)
		}
		fmt.Fprintf(&content, words, i)
	}
	r.page("visited", content.String())
	sum := 0
	size := func(path string, most int) string {
		resp, packed := r.send(http.MethodGet, path, "", "Accept", browser, "Accept-Encoding", "gzip")
		if sum += len(packed); len(packed) > most || resp.Header.Get("Content-Encoding") != "gzip" {
			t.Errorf("%s: %d bytes, want at most %d", path, len(packed), most)
		}
		t.Logf("%s: %d bytes", path, len(packed))
		_, text := r.get(path)
		return text
	}
	page := size("/docs/visited", 12_000)
	for mark, most := range map[string]int{`<link rel="stylesheet" href="`: 9_000, `<script src="`: 10_000} {
		_, rest, _ := strings.Cut(page, mark)
		path, _, _ := strings.Cut(rest, `"`)
		size(path, most)
	}
	if sum > 35_000 {
		t.Errorf("the first visit takes %d bytes, want at most 35,000", sum)
	}
}

// TestManyPages holds what a page of a large site takes.
func TestManyPages(t *testing.T) {
	r := start(t, octavotest.Options{}, true)
	pages := 10_000
	if testing.Short() {
		pages = 1000 // the race detector takes minutes for more
	}
	r.fill(pages, "")
	last := fmt.Sprint(pages - 100)
	for _, path := range []string{"/docs", "/docs/page-500", "/docs/page-" + last, "/docs/-/pages", "/docs/-/pages?from=" + last, "/docs/-/search?q=page"} {
		resp, text := r.send(http.MethodGet, path, "", "Accept", browser, "Accept-Encoding", "gzip")
		if resp.StatusCode != 200 || len(text) > 20_000 {
			t.Errorf("%s: %s, %d bytes, want at most 20,000", path, resp.Status, len(text))
		}
		if _, text = r.get(path); strings.Count(text, "<li>") > 300 {
			t.Errorf("%s lists %d entries", path, strings.Count(text, "<li>"))
		}
	}
	seen := map[string]bool{}
	for next := "/docs/-/pages"; next != ""; {
		_, text := r.get(next)
		_, list, _ := strings.Cut(text, `<ul class="site-list">`)
		list, rest, _ := strings.Cut(list, "</ul>")
		for _, item := range strings.Split(list, `<a href="`)[1:] {
			path, _, _ := strings.Cut(item, `"`)
			seen[path] = true
		}
		_, rest, _ = strings.Cut(rest, `<a href="`)
		next, _, _ = strings.Cut(rest, `"`)
		if !strings.Contains(next, "from=") {
			next = ""
		}
		next = strings.ReplaceAll(next, "&amp;", "&")
	}
	if len(seen) != pages {
		t.Errorf("the lists lead to %d pages, want all", len(seen))
	}
}

// TestCachedAddressesValid checks that a kept page has addresses of files that are good
// still.
func TestCachedAddressesValid(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	r := start(t, octavotest.Options{AssetLifetime: time.Hour, Now: now}, true)
	r.page("home", "![](pic.png)\n")
	r.upload("pic.png", "\x89PNG\r\n\x1a\n")
	seen := map[string]bool{}
	for range 4 {
		_, text := r.get("/docs")
		_, rest, _ := strings.Cut(text, `<img src="`)
		address, _, _ := strings.Cut(rest, `"`)
		seen[address] = true
		if resp, _ := r.get(strings.ReplaceAll(address, "&amp;", "&")); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", address, resp.Status)
		}
		passed.Add(int64(90 * time.Minute))
	}
	if len(seen) < 3 {
		t.Errorf("the addresses stay: %v", seen)
	}
}

// TestFilesByAddress checks that what is named by the address of an asset on this server is
// shown by the address at which the site has it, whatever stands behind the question mark.
func TestFilesByAddress(t *testing.T) {
	t.Parallel()
	for _, public := range []bool{true, false} {
		for _, lifetime := range []time.Duration{0, time.Hour} {
			r := start(t, octavotest.Options{AssetLifetime: lifetime}, public)
			if !public {
				r.signUp()
			}
			asset := r.upload("a dot.png", "\x89PNG\r\n\x1a\n")
			path := octavo.AssetPath(asset.Key, asset.Name)
			var text strings.Builder
			for _, form := range []string{path, path + "?expires=1&signature=x", r.URL + path} {
				text.WriteString("![dot](" + form + ")\n\n[file](" + form + "#x)\n\n<img src=\"" + form + "\" alt=\"dot\">\n\n")
			}
			r.page("home", text.String())
			_, page := r.get("/docs")
			_, article, _ := strings.Cut(page, "<article")
			article, _, _ = strings.Cut(article, "</article>")
			found := regexp.MustCompile(`(?:src|href)="([^"#]*/files/[^"]*)"`).FindAllStringSubmatch(article, -1)
			if len(found) != 9 {
				t.Errorf("public %t, %s: have %d addresses, want 9\n%s", public, lifetime, len(found), article)
			}
			for _, f := range found {
				address, _, _ := strings.Cut(strings.ReplaceAll(f[1], "&amp;", "&"), "#")
				resp, body := r.get(address)
				if resp.StatusCode != http.StatusOK || body != "\x89PNG\r\n\x1a\n" || strings.HasPrefix(address, "/docs/-/files/") == public {
					t.Errorf("public %t, %s: %s: have %s", public, lifetime, address, resp.Status)
				}
			}
		}
	}
}
