package client_test

import (
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

// TestSiteAndRedirects sends what the settings of the site and redirects need, and
// reads it back.
func TestSiteAndRedirects(t *testing.T) {
	t.Parallel()
	c := serve(t)
	s, err := c.PatchSite(t.Context(), octavo.Object(octavo.Member{Name: "title", Value: octavo.String("Docs")}))
	if err != nil || s.Title != "Docs" {
		t.Fatalf("have %+v, %v", s, err)
	}
	if read, err := c.Site(t.Context()); err != nil || read.Title != "Docs" || read.ETag != s.ETag || s.ETag == "" {
		t.Errorf("have %+v, %v, want %s", read, err, s.ETag)
	}
	if _, err := c.PatchSite(t.Context(), octavo.Object(), client.IfMatch(`"site.1"`)); err == nil {
		t.Error("an old tag was taken")
	}
	want := octavo.Redirect{From: "/old", To: "/new"}
	if err := c.SetRedirect(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	n := 0
	for have, err := range c.Redirects(t.Context()) {
		if err != nil || have != want {
			t.Errorf("have %+v, %v, want %+v", have, err, want)
		}
		n++
	}
	if err := c.DeleteRedirect(t.Context(), want.From); err != nil || n != 1 {
		t.Errorf("have %d redirects, %v", n, err)
	}
}
