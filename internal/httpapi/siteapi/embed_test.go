package siteapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestEmbeddedPages holds that a page shows those that it embeds as they are now, as far as
// whoever reads it may read them, and that their text is found and told of once.
func TestEmbeddedPages(t *testing.T) {
	onBoth(t, true, func(r *rig) {
		deep := r.page("deep", "deepwords\n", "dialect", "obsidian")
		note := r.page("note", "notewords [[deep]]\n\n![[deep]]\n", "dialect", "obsidian")
		open := r.page("open", "# Open\n\n![[note]]\n", "dialect", "obsidian")
		r.page("plain", "![[note]]\n")
		shows := func(when string, words, not string) {
			r.Helper()
			for path, headers := range map[string][]string{"/docs/open": nil, "/v1/pages/" + string(open): {"Authorization", "Bearer " + r.token}} {
				_, text := r.get(path, append(headers, "Accept", "text/html")...)
				for word := range strings.FieldsSeq(words) {
					if !strings.Contains(text, word) {
						r.Errorf("%s: %s lacks %s:\n%s", when, path, word, text)
					}
				}
				for word := range strings.FieldsSeq(not) {
					if strings.Contains(text, word) && headers == nil {
						r.Errorf("%s: %s has %s:\n%s", when, path, word, text)
					}
				}
			}
		}
		shows("at first", "notewords deepwords", "![[")
		if resp, text := r.get("/docs/plain"); resp.StatusCode != http.StatusOK || strings.Contains(text, "notewords") {
			r.Errorf("a page without the dialect shows another: %s", text)
		}
		resp, _ := r.get("/docs/open")
		if again, _ := r.get("/docs/open", "If-None-Match", resp.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
			r.Errorf("have %s for what is known, want 304", again.Status)
		}
		r.patch(deep, object{"content": "otherwords\n"})
		shows("after a change of the innermost", "notewords otherwords", "deepwords")
		if again, _ := r.get("/docs/open", "If-None-Match", resp.Header.Get("ETag")); again.StatusCode != http.StatusOK {
			r.Errorf("have %s for what has changed, want 200", again.Status)
		}
		r.must(r.Search.Await(r.Context()))
		if _, text := r.get("/docs/-/search?q=otherwords"); strings.Count(text, `class="site-excerpt"`) != 1 {
			r.Errorf("the search finds not only the page of the text: %s", text)
		}
		if _, text := r.get("/docs/llms-full.txt"); strings.Count(text, "otherwords") != 1 || !strings.Contains(text, "![[note]]") {
			r.Errorf("the text of all pages has not each once, as it is written: %s", text)
		}
		r.patch(deep, object{"status": "draft"})
		shows("while the innermost is a draft", "notewords", "otherwords")
		r.patch(deep, object{"status": "published"})
		shows("once it is published again", "notewords otherwords", "")
		r.api(http.MethodDelete, "/pages/"+string(note), nil)
		shows("without the page between", "Open", "notewords otherwords")
		r.api(http.MethodPost, "/pages/"+string(note)+"/restore", nil)
		shows("with it again", "notewords", "")
	})
}

// TestEmbeddedDrafts holds that no answer shows whoever reads only published pages anything of a
// draft that a page embeds, whole or in part, not even that it exists.
func TestEmbeddedDrafts(t *testing.T) {
	onBoth(t, true, func(r *rig) {
		const embeds = "[a](none-there) ![[%]] ![[%#Head words]] ![[%#^block]] ![[between]] [x](page:ID:deeper.md)\n"
		written := func(target string, id octavo.ID) string {
			return strings.NewReplacer("%", target, "ID", string(id)).Replace(embeds)
		}
		r.page("between", "between ![[hush]]\n", "dialect", "obsidian")
		token := r.Token(r, auth.Grant{Subject: "guest", Scopes: octavotest.Scopes(r, "pages:read pages:propose"), PublishedOnly: true})
		open := r.page("open", written("hush", "page_1"), "dialect", "obsidian")
		guest := []string{"Authorization", "Bearer " + token, "Content-Type", "application/json"}
		answers := func(id octavo.ID) (all []string) {
			draft, err := json.Marshal(object{"content": written("hush", id), "dialect": "obsidian", "pageId": string(open)})
			r.must(err)
			_, text := r.send(http.MethodPost, "/v1/render", string(draft), guest...)
			all = append(all, text)
			for _, path := range []string{"/v1/pages/" + string(open), "/v1/pages/" + string(open) + "/preview", "/docs/open", "/docs/llms-full.txt", "/docs/-/feed.atom", "/docs/-/search?q=words"} {
				_, text := r.get(path, guest[:2]...)
				all = append(all, text)
			}
			return all
		}
		r.must(r.Search.Await(r.Context()))
		before := answers("page_1")
		hush := r.page("hush", "# Title words\n\n## Head words\n\nown words\n\nblock words ^block\n", "dialect", "obsidian", "status", "draft")
		r.must(r.Search.Await(r.Context()))
		for i, text := range answers(hush) {
			if text = strings.ReplaceAll(text, string(hush), "page_1"); text != before[i] || len(text) == 0 {
				r.Errorf("answer %d tells that there is a draft: have\n%s\nwant\n%s", i, text, before[i])
			}
		}
		r.patch(hush, object{"status": "published"})
		r.must(r.Search.Await(r.Context()))
		for i, text := range answers(hush)[:4] {
			if !strings.Contains(text, "own words") {
				r.Errorf("answer %d lacks what is published: %s", i, text)
			}
		}
		r.patch(hush, object{"status": "archived"})
		r.must(r.Search.Await(r.Context()))
		for i, text := range answers(hush)[:4] {
			if strings.Contains(text, "own words") {
				r.Errorf("answer %d has what is withdrawn: %s", i, text)
			}
		}
	})
}
