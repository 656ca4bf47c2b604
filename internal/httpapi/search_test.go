package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestSearchGoesOn follows the Link header from slice to slice: every page
// comes once, in one order, and the key never comes back.
func TestSearchGoesOn(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{Search: true})
	writer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	key := s.Key(t, auth.KeyRequest{Kind: octavo.KeySearch})
	const count = 25
	for n := range count {
		body := fmt.Sprintf(`{"title":"Page %d","slug":"page-%d","content":"%s willow","status":"published"}`, n, n, strings.Repeat("filler ", n%5))
		resp, text := send(t, s, http.MethodPost, "/v1/pages", body, "Authorization", writer, "Content-Type", "application/json")
		if resp.StatusCode != http.StatusCreated {
			t.Fatalf("have %d %s", resp.StatusCode, text)
		}
	}
	path := "/search/eu/v2/examples/query-parameters?q=willow&limit=7"
	seen, last := map[octavo.ID]bool{}, 2.0
	for slices := 1; path != ""; slices++ {
		resp, text := send(t, s, http.MethodGet, path+"&api_key="+url.QueryEscape(key), "", "Prefer", "wait=10")
		var results []octavo.SearchResult
		if err := json.Unmarshal([]byte(text), &results); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: have %d %s", path, resp.StatusCode, text)
		}
		for _, r := range results {
			if seen[r.ID] || r.Score > last || r.Score <= 0 || !strings.Contains(r.Highlight, "<mark>willow</mark>") {
				t.Errorf("%s: have %+v after score %v", path, r, last)
			}
			seen[r.ID], last = true, r.Score
		}
		link := resp.Header.Get("Link")
		if strings.Contains(link, key) || strings.Contains(link, "api_key") {
			t.Errorf("the link holds the key: %s", link)
		}
		address, _, _ := strings.Cut(strings.TrimPrefix(link, "<"), ">")
		path = strings.TrimPrefix(address, s.URL)
		if path != "" && !strings.HasPrefix(path, "/search/eu/v2/examples/query-parameters?") {
			t.Fatalf("have the link %s, want one to the same operation", link)
		}
		if slices > count {
			t.Fatal("it never ends")
		}
	}
	if len(seen) != count {
		t.Errorf("have %d pages, want %d", len(seen), count)
	}

	// A cursor fits the search that it was given out for.
	resp, _ := send(t, s, http.MethodGet, "/v1/search?q=willow&limit=7", "", "Authorization", writer)
	address, _, _ := strings.Cut(strings.TrimPrefix(resp.Header.Get("Link"), "<"), ">")
	next, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	cursor := next.Query().Get("cursor")
	for query, want := range map[string]int{
		"q=willow": http.StatusOK, "q=willow&limit=3": http.StatusOK,
		"q=willows": http.StatusBadRequest, `q=willow&filters={"tags":["a"]}`: http.StatusBadRequest,
	} {
		if resp, text := send(t, s, http.MethodGet, "/v1/search?"+query+"&cursor="+cursor, "", "Authorization", writer); resp.StatusCode != want {
			t.Errorf("%s with the cursor of another: have %d %s, want %d", query, resp.StatusCode, text, want)
		}
	}
}

// TestSearchWithoutIndex: a server whose index is not there says so.
func TestSearchWithoutIndex(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{})
	resp, text := send(t, s, http.MethodGet, "/v1/search?q=a", "", "Authorization", "Bearer "+s.Token(t, auth.Grant{Scopes: octavo.ScopeRead}))
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" || !strings.Contains(text, "/problems/unavailable") {
		t.Errorf("have %d %v %s, want 503 with Retry-After", resp.StatusCode, resp.Header, text)
	}
}
