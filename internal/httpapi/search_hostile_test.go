package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestSearchTakesAnything: no text is too odd to be looked for.
func TestSearchTakesAnything(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{Search: true})
	reader := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeRead})
	queries := []string{
		" ", "\x00", "\x01\x7f", `"`, `""""`, "(.*)+$", "' OR 1=1 --", "<script>", "../../etc", "%", "*", "-", "--", "e\u0301", "\U0001F600",
		strings.Repeat("a", 5000), strings.Repeat("a ", 10_000), strings.Repeat(`"`, 3000), strings.Repeat("計", 3000), "\u202e\u200b",
	}
	for n := range rune(128) {
		queries = append(queries, string(n))
	}
	for _, script := range unicode.Scripts {
		queries = append(queries, lettersOf(script))
	}
	for _, q := range queries {
		resp, text := send(t, s, http.MethodGet, "/v1/search?q="+url.QueryEscape(q), "", "Authorization", reader)
		if resp.StatusCode != http.StatusOK || text != "[]" {
			t.Errorf("%.40q: have %d %.200s, want an empty array", q, resp.StatusCode, text)
		}
	}
}

// lettersOf returns some characters of a script.
func lettersOf(script *unicode.RangeTable) string {
	var b strings.Builder
	for _, r := range script.R16 {
		fmt.Fprintf(&b, "%c%c ", r.Lo, r.Hi)
	}
	for _, r := range script.R32 {
		fmt.Fprintf(&b, "%c%c ", r.Lo, r.Hi)
	}
	return b.String()
}

// TestSearchFindsEveryScript: a word of any script is found on the page that
// has it.
func TestSearchFindsEveryScript(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{Search: true})
	writer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	for n, word := range []string{
		"documentation", "документация", "τεκμηρίωση", "תיעוד", "توثيق", "प्रलेखन", "নথিপত্র", "ஆவணம்", "เอกสาร", "ເອກະສານ", "မှတ်တမ်း", "ឯកសារ",
		"文档说明", "ドキュメント", "説明書", "문서화", "დოკუმენტაცია", "փաստաթղթեր", "ሰነድ", "ᏣᎳᎩ", "བོད་ཡིག", "straße", "İstanbul", "naïve", "𝔡𝔬𝔠𝔰",
	} {
		body, err := json.Marshal(map[string]string{"title": fmt.Sprint("Page ", n), "slug": fmt.Sprint("page-", n), "content": "Before " + word + " after.", "status": "published"})
		if err != nil {
			t.Fatal(err)
		}
		if resp, text := send(t, s, http.MethodPost, "/v1/pages", string(body), "Authorization", writer, "Content-Type", "application/json"); resp.StatusCode != http.StatusCreated {
			t.Fatalf("%s: have %d %s", word, resp.StatusCode, text)
		}
		for _, q := range []string{word, `"` + word + `"`, "before " + word} {
			resp, text := send(t, s, http.MethodGet, "/v1/search?q="+url.QueryEscape(q), "", "Authorization", writer, "Prefer", "wait=10")
			var found []octavo.SearchResult
			if err := json.Unmarshal([]byte(text), &found); err != nil || len(found) == 0 || found[0].Slug != fmt.Sprint("page-", n) {
				t.Errorf("%s: have %d %.300s, want page-%d first", q, resp.StatusCode, text, n)
			}
		}
	}
}

// TestMalformedFilters: every mistake is 400, and tells where it is.
func TestMalformedFilters(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{Search: true})
	reader := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeRead})
	many := `{"tags":[` + strings.Repeat(`"a",`, 100) + `"a"]}`
	for _, c := range []struct{ filters, paths string }{
		{`{`, "filters"},
		{`nonsense`, "filters"},
		{`{}{}`, "filters"},
		{`null`, "filters"},
		{`"tags"`, "filters"},
		{`1`, "filters"},
		{`[]`, "filters"},
		{`{"tags":["a",]}`, "filters/tags"},
		{`{"tags":"a"}`, "filters/tags"},
		{`{"tags":null}`, "filters/tags"},
		{`{"tags":{"a":1}}`, "filters/tags"},
		{`{"tags":[1,"a",null,["b"],{}]}`, "filters/tags/0 filters/tags/2 filters/tags/3 filters/tags/4"},
		{many, "filters/tags"},
		{`{"updatedAfter":1}`, "filters/updatedAfter"},
		{`{"updatedAfter":""}`, "filters/updatedAfter"},
		{`{"updatedAfter":"2026-02-30T00:00:00Z"}`, "filters/updatedAfter"},
		{`{"updatedAfter":"2026-01-01 00:00:00"}`, "filters/updatedAfter"},
		{`{"tags":[true],"updatedAfter":[]}`, "filters/tags/0 filters/updatedAfter"},
		{`{"tags":["a"],"tags":["b"]}`, "filters/tags"},
		{strings.Repeat(`{"a":`, 10_000), "filters"},
		{"{\"tags\":[\"\xff\"]}", "filters"},
	} {
		resp, text := send(t, s, http.MethodGet, "/v1/search?q=a&filters="+url.QueryEscape(c.filters), "", "Authorization", reader)
		var problem octavo.Problem
		if err := json.Unmarshal([]byte(text), &problem); err != nil {
			t.Fatalf("%.60q: have %d %s", c.filters, resp.StatusCode, text)
		}
		var paths []string
		for _, e := range problem.Errors {
			paths = append(paths, e.Path)
		}
		slices.Sort(paths)
		if have := strings.Join(paths, " "); resp.StatusCode != http.StatusBadRequest || have != c.paths && !strings.HasPrefix(have, c.paths+"/") {
			t.Errorf("%.60q: have %d at %q, want 400 at %q", c.filters, resp.StatusCode, have, c.paths)
		}
	}
}

// TestFloodOfBeginnings: of many searches at once each is answered or turned
// away, and the server searches on.
func TestFloodOfBeginnings(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{Search: true})
	writer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	words := strings.Fields("alder aspen ash apple almond acacia apricot areca avocado")
	for n := range 20 {
		body := fmt.Sprintf(`{"title":"Page %d","slug":"page-%d","content":"%s","status":"published"}`, n, n, strings.Join(words[n%5:], " "))
		if resp, text := send(t, s, http.MethodPost, "/v1/pages", body, "Authorization", writer, "Content-Type", "application/json"); resp.StatusCode != http.StatusCreated {
			t.Fatalf("have %d %s", resp.StatusCode, text)
		}
	}
	search := func() int {
		resp, text := send(t, s, http.MethodGet, "/v1/search?q=a&limit=100", "", "Authorization", writer)
		if resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") == "" {
			t.Errorf("have 503 %s without Retry-After", text)
		}
		return resp.StatusCode
	}
	var group sync.WaitGroup
	var answered atomic.Int64
	for range 40 {
		group.Go(func() {
			for range 10 {
				switch status := search(); status {
				case http.StatusOK:
					answered.Add(1)
				case http.StatusServiceUnavailable:
				default:
					t.Errorf("have %d, want 200 or 503", status)
				}
			}
		})
	}
	group.Wait()
	if answered.Load() == 0 || search() != http.StatusOK {
		t.Errorf("of 400 searches %d were answered, and now another is not", answered.Load())
	}
}
