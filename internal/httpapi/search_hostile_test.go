package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/search"
)

// TestSearchArbitraryQueries: no text is too odd to be looked for.
func TestSearchArbitraryQueries(t *testing.T) {
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

// TestInvalidUTF8Queries: bytes that are no UTF-8 are 400 at the parameter,
// and what is no query string is 400 too.
func TestInvalidUTF8Queries(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{Search: true})
	reader := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeRead})
	for query, path := range map[string]string{
		"q=%ff": "q", "q=a%fe%ffb": "q", "q=%c3": "q", "q=%e2%82": "q", "q=%c0%af": "q", "q=%ed%a0%80": "q", "q=%f4%90%80%80": "q", "q=%22%80%22": "q",
		"q=a&filters=%ff": "filters", "q=%zz": "query", "q=%": "query", "q=": "q", "": "q",
	} {
		resp, text := send(t, s, http.MethodGet, "/v1/search?"+query, "", "Authorization", reader)
		if resp.StatusCode != http.StatusBadRequest || !strings.Contains(text, `"path":"`+path+`"`) {
			t.Errorf("%q: have %d %.300s, want 400 at %s", query, resp.StatusCode, text, path)
		}
	}
}

// TestLongQueries: queries of 10,000 words, deep in quotes and of nothing but
// marks, over pages that have all of it, are answered in their time: with what
// is found of as many words as are looked at, or with 503.
func TestLongQueries(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{Search: true})
	writer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	words := make([]string, 10_000)
	for i := range words {
		words[i] = fmt.Sprintf("w%da", i)
	}
	text := strings.Join(words, " ")
	for i := range 20 {
		body := fmt.Sprintf(`{"title":"Page %d","slug":"page-%d","content":"%s \"quoted\" ?!... (a)","status":"published"}`, i, i, text)
		if resp, text := send(t, s, http.MethodPost, "/v1/pages", body, "Authorization", writer, "Content-Type", "application/json"); resp.StatusCode != http.StatusCreated {
			t.Fatalf("have %d %.300s", resp.StatusCode, text)
		}
	}
	for name, q := range map[string]string{
		"10,000 words":        text,
		"10,000 in quotes":    `"` + text + `"`,
		"each word in quotes": `"` + strings.Join(words, `" "`) + `"`,
		"quotes in quotes":    strings.Repeat(`"`, 1001) + "quoted" + strings.Repeat(`"`, 1001),
		"quotes left open":    strings.Repeat(`"quoted `, 5000),
		"brackets":            strings.Repeat("(", 1000) + "w1a" + strings.Repeat(")", 1000),
		"one word, often":     strings.Repeat("w1a ", 10_000),
		"marks":               strings.Repeat("?!...;:-_/\\()[]{}<>*+~#'`^|&%$ ", 1000),
	} {
		begun := time.Now()
		resp, answer := send(t, s, http.MethodGet, "/v1/search?q="+url.QueryEscape(q), "", "Authorization", writer, "Prefer", "wait=10")
		if resp.StatusCode != http.StatusOK && (resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "") {
			t.Errorf("%s: have %d %.300s, want 200, or 503 with Retry-After", name, resp.StatusCode, answer)
		}
		if found := strings.Contains(answer, `"slug":"page-`); resp.StatusCode == http.StatusOK && found == (name == "marks") {
			t.Errorf("%s: have %.300s, want pages found: %v", name, answer, name != "marks")
		}
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("%s: took %s", name, took)
		}
	}
}

// TestFloodOfBeginnings: of more searches at once than are answered at a time
// each is answered or turned away with 503, at least one of either, and the
// server searches on.
func TestFloodOfBeginnings(t *testing.T) {
	t.Parallel()
	const clients, most = 40, 10
	s := octavotest.Start(t, octavotest.Options{})
	s.Search.Index = search.Config{Concurrent: 1, Waiting: 4}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.Search.Run(ctx) })
	t.Cleanup(func() { stop(); running.Wait() })
	writer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	r := rand.New(rand.NewPCG(11, 1))
	for n := range 100 {
		var words strings.Builder
		for range 2000 {
			fmt.Fprintf(&words, "a%c%c%c ", 'a'+r.IntN(26), 'a'+r.IntN(26), 'a'+r.IntN(26))
		}
		body := fmt.Sprintf(`{"title":"Page %d","slug":"page-%d","content":"%s","status":"published"}`, n, n, &words)
		if resp, text := send(t, s, http.MethodPost, "/v1/pages", body, "Authorization", writer, "Content-Type", "application/json"); resp.StatusCode != http.StatusCreated {
			t.Fatalf("have %d %s", resp.StatusCode, text)
		}
	}
	if err := s.Search.Await(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask := func(n int) int {
		q := url.QueryEscape(fmt.Sprintf("a%c ab ac ad ae af a", 'a'+n%26))
		resp, text := send(t, s, http.MethodGet, "/v1/search?limit=100&q="+q, "", "Authorization", writer)
		if resp.StatusCode == http.StatusServiceUnavailable && (resp.Header.Get("Retry-After") == "" || !strings.Contains(text, "/problems/unavailable")) {
			t.Errorf("have 503 %s without Retry-After, or no Problem", text)
		}
		if resp.StatusCode == http.StatusOK && text == "[]" {
			t.Error("have no page found, want some")
		}
		return resp.StatusCode
	}
	var group sync.WaitGroup
	var answered, refused atomic.Int64
	for client := range clients {
		group.Go(func() {
			for n := range most {
				switch status := ask(client + n); status {
				case http.StatusOK:
					answered.Add(1)
				case http.StatusServiceUnavailable:
					refused.Add(1)
				default:
					t.Errorf("have %d, want 200 or 503", status)
				}
			}
		})
	}
	group.Wait()
	if answered.Load() == 0 || refused.Load() == 0 {
		t.Errorf("of %d searches %d were answered and %d refused, want some of either", clients*most, answered.Load(), refused.Load())
	}
	if have := ask(0); have != http.StatusOK {
		t.Errorf("afterwards: have %d, want 200", have)
	}
}
