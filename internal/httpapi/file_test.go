package httpapi_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestSignedAddresses shows decision 21 where addresses end: the one that an
// answer gives is good, and no other.
func TestSignedAddresses(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{AssetLifetime: time.Hour})
	c, err := client.New(s.URL, client.WithToken(s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})))
	if err != nil {
		t.Fatal(err)
	}
	asset, err := c.Upload(t.Context(), client.Upload{Name: "a.txt", Content: strings.NewReader("text")})
	if err != nil {
		t.Fatal(err)
	}
	page, err := c.Create(t.Context(), octavo.PageCreate{Title: "T", Slug: "s", Content: "![a](" + asset.URL + ")"})
	if err != nil {
		t.Fatal(err)
	}
	if included, err := c.Get(t.Context(), page.ID, client.Include("assets")); err != nil || len(included.Assets) != 1 || !strings.Contains(string(included.Assets[0]), "signature=") {
		t.Errorf("have %s, %v; want the asset with a signed address", included.Assets, err)
	}
	u, err := url.Parse(asset.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, query string
		status      int
	}{
		{"as given", u.RawQuery, http.StatusOK},
		{"without signature", "", http.StatusForbidden},
		{"with another time", strings.Replace(u.RawQuery, "expires=1", "expires=2", 1), http.StatusForbidden},
		{"with a part of the signature", u.RawQuery[:len(u.RawQuery)-1], http.StatusForbidden},
	} {
		resp, body := send(t, s, http.MethodGet, u.Path+"?"+c.query, "")
		if resp.StatusCode != c.status {
			t.Errorf("%s: have %s %s, want %d", c.name, resp.Status, body, c.status)
		}
		if cache := resp.Header.Get("Cache-Control"); c.status == http.StatusOK && (!strings.HasPrefix(cache, "private, max-age=") || body != "text") {
			t.Errorf("%s: have Cache-Control %q and %q", c.name, cache, body)
		}
	}
}

// TestFilesDoNotCount shows decision 42: reading bytes is not limited.
func TestFilesDoNotCount(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{RateLimit: 3})
	c, err := client.New(s.URL, client.WithToken(s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})))
	if err != nil {
		t.Fatal(err)
	}
	asset, err := c.Upload(t.Context(), client.Upload{Name: "a.txt", Content: strings.NewReader("text")})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		if resp, body := send(t, s, http.MethodGet, strings.TrimPrefix(asset.URL, s.URL), ""); resp.StatusCode != http.StatusOK {
			t.Fatalf("reading %d: have %s %s, want 200", i, resp.Status, body)
		}
	}
}
