package siteapi_test

import (
	"net/http"
	"strings"
	"testing"
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
