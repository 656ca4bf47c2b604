package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestListsOfMuchMetadata: a list of assets ends early when they have much
// text, as one of pages does, and goes on with its cursor.
func TestListsOfMuchMetadata(t *testing.T) {
	t.Parallel()
	const assets, most = 30, 128 << 10 // bytes of text in one answer, a 64th of the memory
	s := octavotest.Start(t, octavotest.Options{Memory: 64 * most})
	c, err := client.New(s.URL, client.WithToken(s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("ü", 9_000) // 18 KB
	for range assets {
		if _, err := c.Upload(t.Context(), client.Upload{Content: strings.NewReader("x"), Metadata: octavo.AssetMetadata{Alt: &text, Caption: &text}}); err != nil {
			t.Fatal(err)
		}
	}
	q, found := client.AssetQuery{Limit: 100}, map[octavo.ID]bool{}
	for answers := 1; ; answers++ {
		slice, err := c.ListAssets(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, a := range slice.Data {
			found[a.ID] = true
			size += len(*a.Metadata.Alt) + len(*a.Metadata.Caption)
		}
		if size > most || len(slice.Data) == 0 {
			t.Fatalf("an answer has %d assets with %d bytes of text, want at most %d", len(slice.Data), size, most)
		}
		if q.Cursor = slice.Pagination.Cursor; q.Cursor == "" {
			t.Logf("%d answers", answers)
			break
		}
	}
	if len(found) != assets {
		t.Errorf("have %d assets, want %d", len(found), assets)
	}
}

// TestListWithLargeIncludes ends a list early if the included resources are large.
func TestListWithLargeIncludes(t *testing.T) {
	t.Parallel()
	const pages, most = 20, 128 << 10
	s := octavotest.Start(t, octavotest.Options{Memory: 64 * most})
	c, err := client.New(s.URL, client.WithToken(s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("ü", 9_000) // 18 KB
	asset, err := c.Upload(t.Context(), client.Upload{Content: strings.NewReader("x"), Metadata: octavo.AssetMetadata{Alt: &text, Caption: &text}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range pages {
		if _, err := c.Create(t.Context(), octavo.PageCreate{Title: "P", Slug: fmt.Sprintf("p-%d", i), Content: "![](" + asset.URL + ")", Status: octavo.Published}); err != nil {
			t.Fatal(err)
		}
	}
	q, found, answers := client.Query{Limit: 100, Include: []string{"assets"}}, map[octavo.ID]bool{}, 0
	for more := true; more; answers++ {
		slice, err := c.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, page := range slice.Data {
			found[page.ID] = true
			for _, a := range page.Assets {
				size += len(a)
			}
		}
		if size > most+8<<10 || size < len(slice.Data)*len(text) || len(slice.Data) == 0 {
			t.Fatalf("an answer has %d pages with assets of %d bytes, want at most about %d", len(slice.Data), size, most)
		}
		q.Cursor = slice.Pagination.Cursor
		more = q.Cursor != ""
	}
	if len(found) != pages || answers < pages/4 {
		t.Errorf("have %d pages in %d answers, want %d", len(found), answers, pages)
	}
}

// TestEncodedNames: what is encoded in a name does not get out of its
// place either, and every name can be read at its address.
func TestEncodedNames(t *testing.T) {
	t.Parallel()
	s, _ := startWithFiles(t, octavotest.Options{})
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	for _, c := range []struct{ parameter, want string }{
		{`filename*=UTF-8''a%0d%0aX-Injected%3a%20b`, "aX-Injected_ b"},
		{`filename*=UTF-8''a%00b`, "ab"},
		{`filename*=UTF-8''..%2f..%2fx`, "x"},
		{`filename*=UTF-8''%e2%80%aegnp.exe`, "gnp.exe"},
		{`filename*=UTF-8''%ff%fe`, ""}, // refused or replaced, but kept in order
		{`filename*0="../"; filename*1="../y"`, "y"},
		{`filename="a%2Fb%00.txt"`, "a%2Fb%00.txt"},
		{`filename="a;b=c,d'e.txt"`, "a;b=c,d'e.txt"},
		{`filename="100%"`, "100%"},
		{`filename="a+b c&d#e?f.txt"`, "a+b c&d#e_f.txt"},
		{`filename="C:\\dir\\z.txt"`, "z.txt"},
		{`filename="` + "\U0001F468\u200d\U0001F469" + `.png"`, "\U0001F468\u200d\U0001F469.png"},
		{`filename="` + "e\u0301" + `.txt"`, "e\u0301.txt"},
		{`filename="` + "\u202e\u2066\u200f" + `"`, "file"},
		{`filename="...x..."`, "x"},
		{`filename="` + strings.Repeat("日", 4000) + `.jpeg"`, strings.Repeat("日", 65) + ".jpeg"},
		{`filename="` + strings.Repeat("a.", 200) + strings.Repeat("e", 300) + `"`, strings.Repeat("a.", 99) + "a"},
	} {
		resp, text := send(t, s, http.MethodPost, "/v1/assets", part("file", "; "+c.parameter, "x")+formEnd,
			"Authorization", bearer, "Content-Type", "multipart/form-data; boundary=b")
		var asset octavo.Asset
		if err := json.Unmarshal([]byte(text), &asset); err != nil || resp.StatusCode != http.StatusAccepted || c.want != "" && asset.Name != c.want {
			t.Errorf("%.60s: have %d %.60q, %v; want %.60q", c.parameter, resp.StatusCode, asset.Name, err, c.want)
			continue
		}
		got, body := send(t, s, http.MethodGet, strings.TrimPrefix(asset.URL, s.URL), "")
		if got.StatusCode != http.StatusOK || body != "x" || got.Header.Get("X-Injected") != "" || len(got.Header["Content-Disposition"]) != 1 {
			t.Errorf("%.60s: reading %s: have %d %q %v", c.parameter, asset.URL, got.StatusCode, body, got.Header)
		}
		if u, err := url.Parse(asset.URL); err != nil || u.Fragment != "" || u.RawQuery != "" {
			t.Errorf("%.60s: the address %s has more than a path (%v)", c.parameter, asset.URL, err)
		}
	}
}
