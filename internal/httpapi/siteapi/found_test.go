package siteapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestEmptyPageListsChildren: a page that says nothing but its title leads on.
func TestEmptyPageListsChildren(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	r.page("home", "x", "position", 0)
	for slug, content := range map[string]string{"empty": "", "titled": "# Title of titled\n", "full": "# Title of full\n\nText.\n"} {
		r.page(slug+"-below", "x", "parentId", r.page(slug, content))
	}
	for slug, want := range map[string]bool{"empty": true, "titled": true, "full": false} {
		_, text := r.get("/docs/" + slug)
		_, article, _ := strings.Cut(text, "<article>")
		article, _, _ = strings.Cut(article, "</article>")
		if strings.Contains(article, `<li><a href="/docs/`+slug+`-below">`) != want {
			t.Errorf("%s: want a list: %t; have\n%s", slug, want, article)
		}
	}
}

// TestNothingFound: a search without results says what is near.
func TestNothingFound(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	r.page("home", "x")
	r.page("zebra", "Zebras are striped.")
	r.must(r.Search.Await(t.Context()))
	for query, near := range map[string]bool{"zebrasqqqq": true, "qqqqzzzz": false} {
		_, text := r.get("/docs/-/search?q=" + query)
		if !strings.Contains(text, "Nothing found.") || strings.Contains(text, `<ol class="site-found">`) != near {
			t.Errorf("%s: want a page that is near: %t; have\n%s", query, near, text)
		}
		if _, found := r.send(http.MethodGet, "/docs/-/search?q="+query, "", "Accept", "application/json"); found != "[]" {
			t.Errorf("%s: scripts get %s", query, found)
		}
	}
}

// TestFindParts: when another file takes the place of a part of a page, the page
// shows it and is found by it.
func TestFindParts(t *testing.T) {
	t.Parallel()
	onBoth(t, true, func(r *rig) {
		r.upload("guide/_part.mdx", "Formerly.\n")
		r.api(http.MethodPost, "/pages/bulk", object{"operations": []object{{
			"op": "create", "source": "guide/page.mdx",
			"page": object{"title": "Whole", "slug": "whole", "status": "published", "content": "import Part from './_part.mdx'\n\n<Part />\n"},
		}}})
		for _, word := range []string{"Formerly", "Nowadays"} {
			r.upload("guide/_part.mdx", word+".\n")
			r.must(r.Search.Await(r.Context()))
			_, page := r.get("/docs")
			_, results := r.get("/docs/-/search?q=" + word)
			if !strings.Contains(page, word) || !strings.Contains(results, "<mark>"+word+"</mark>") {
				r.Errorf("%s is not shown or not found:\n%s\n%s", word, page, results)
			}
		}
	})
}

// TestHomePagesLead: what the front matter of a home page has leads where it says, though
// its content is empty, and backlinks know it.
func TestHomePagesLead(t *testing.T) {
	t.Parallel()
	onBoth(t, true, func(r *rig) {
		r.page("home", "text")
		r.page("guide", "text")
		r.page("start", "", "frontmatter", object{
			"layout": "home", "hero": object{"name": "Tool", "actions": []object{{"text": "Begin", "link": "/guide"}}},
			"features": []object{{"title": "Fast", "details": "Very.", "link": "/guide", "linkText": "How"}},
		})
		_, text := r.get("/docs/start")
		for _, want := range []string{`<a href="/docs/guide">Begin</a>`, `<a href="/docs/guide">Fast</a>`} {
			if !strings.Contains(text, want) {
				t.Errorf("want %s in\n%s", want, text)
			}
		}
		if _, text := r.get("/docs/-/links?to=guide"); !strings.Contains(text, "/docs/start") {
			t.Errorf("the page is none that links to the guide:\n%s", text)
		}
	})
}

// TestSearchesInTheLanguageOfThePage: a page searches in its language, and in all where
// that has nothing.
func TestSearchesInTheLanguageOfThePage(t *testing.T) {
	t.Parallel()
	onBoth(t, true, func(r *rig) {
		r.page("home", "Docker")
		if _, text := r.get("/docs"); strings.Contains(text, `name="language"`) {
			t.Errorf("a site in one language:\n%s", text)
		}
		r.api(http.MethodPost, "/pages/bulk", object{"operations": []object{{
			"op": "create", "source": "ar/a.md", "language": "ar",
			"page": object{"title": "Title of arabic", "slug": "arabic", "status": "published", "content": "Docker هنا"},
		}}})
		r.page("egyptian", "Docker هناك, zebra", "frontmatter", object{"lang": "ar-EG"})
		r.must(r.Search.Await(r.Context()))
		_, text := r.get("/docs/arabic")
		for _, want := range []string{`<input type="hidden" name="language" value="ar">`, `<html lang="ar" dir="rtl" `, "/site-ar.js", ">التالي</span> <bdi dir=\"ltr\">Title of egyptian<"} {
			if !strings.Contains(text, want) {
				t.Errorf("want %s in\n%s", want, text)
			}
		}
		for query, want := range map[string]string{
			"q=docker":                   "arabic egyptian home",
			"q=docker&language=en":       "home",
			"q=docker&language=ar":       "arabic egyptian",
			"q=docker&language=ar-EG":    "arabic egyptian",
			"q=docker&language=de":       "arabic egyptian home",
			"q=zebra&language=en":        "egyptian",
			"q=zebra&language=%22%3E%3C": "egyptian",
		} {
			_, found := r.send(http.MethodGet, "/docs/-/search?"+query, "", "Accept", "application/json")
			var have []string
			for _, slug := range []string{"arabic", "egyptian", "home"} {
				if strings.Contains(found, "Title of "+slug) {
					have = append(have, slug)
				}
			}
			if strings.Join(have, " ") != want {
				t.Errorf("%s: have %v, want %s", query, have, want)
			}
		}
		if _, text := r.get("/docs/-/search?q=docker&language=ar"); !strings.Contains(text, `<input type="hidden" name="language" value="ar">`) {
			t.Errorf("the results do not keep the language:\n%s", text)
		}
	})
}

// TestDialectChanges: a page is shown and found anew when its dialect alone changes.
func TestDialectChanges(t *testing.T) {
	t.Parallel()
	onBoth(t, true, func(r *rig) {
		id := r.page("home", "text {/* zebra */}")
		for _, c := range []struct {
			dialect string
			shown   bool
		}{{"", true}, {"mdx", false}, {"markdown", true}} {
			r.api(http.MethodPatch, "/pages/"+string(id), object{"dialect": c.dialect})
			r.must(r.Search.Await(r.Context()))
			_, page := r.get("/docs")
			_, results := r.get("/docs/-/search?q=zebra")
			if strings.Contains(page, "zebra") != c.shown || strings.Contains(results, "<mark>zebra</mark>") != c.shown {
				r.Errorf("%q: want it shown and found: %t; have\n%s\n%s", c.dialect, c.shown, page, results)
			}
		}
	})
}

// TestLinksInParts: links in a file that a page shows lead where they would on the page,
// else where they do from the file, and to nothing that the reader may not see.
func TestLinksInParts(t *testing.T) {
	t.Parallel()
	onBoth(t, true, func(r *rig) {
		r.page("home", "x", "position", 0)
		r.upload("guide/parts/_part.mdx", "[one](one.md) [two](../../two.md#part) [plan](../plan.md)\n")
		r.api(http.MethodPost, "/pages/bulk", object{"operations": []object{
			{"op": "create", "source": "guide/one.md", "page": object{"title": "One", "slug": "one", "status": "published", "content": "x"}},
			{"op": "create", "source": "two.md", "page": object{"title": "Two", "slug": "two", "status": "published", "content": "## Part"}},
			{"op": "create", "source": "guide/plan.md", "page": object{"title": "Plan", "slug": "hidden-plan", "content": "x"}},
			{"op": "create", "source": "guide/page.mdx", "page": object{"title": "Whole", "slug": "whole", "status": "published", "content": "import Part from './parts/_part.mdx'\n\n<Part />\n"}},
		}})
		_, found := r.send(http.MethodGet, "/v1/pages/by-slug/two", "", "Authorization", "Bearer "+r.token)
		var two octavo.Page
		r.must(json.Unmarshal([]byte(found), &two))
		for _, c := range []struct{ status, links string }{
			{"published", `<a href="/docs/one">one</a> <a href="/docs/two#part">two</a> <a class="oct-unresolved">plan</a>`},
			{"draft", `<a href="/docs/one">one</a> <a class="oct-unresolved">two</a> <a class="oct-unresolved">plan</a>`},
			{"published", `<a href="/docs/one">one</a> <a href="/docs/two#part">two</a> <a class="oct-unresolved">plan</a>`},
		} {
			r.patch(two.ID, object{"status": c.status})
			if _, page := r.get("/docs/whole"); !strings.Contains(page, c.links) || strings.Contains(page, "hidden-plan") {
				r.Errorf("two is %s: want %s in\n%s", c.status, c.links, page)
			}
		}
		r.upload("guide/parts/_part.mdx", "[more](../../two.md)\n")
		if _, page := r.get("/docs/whole"); !strings.Contains(page, `<a href="/docs/two">more</a>`) {
			r.Errorf("another file: %s", page)
		}
	})
}
