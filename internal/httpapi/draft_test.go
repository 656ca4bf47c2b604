package httpapi_test

import (
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestClientCompareAndPreview compares revisions and previews a text with the client.
func TestClientCompareAndPreview(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{})
	c, err := client.New(s.URL, client.WithToken(s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})))
	if err != nil {
		t.Fatal(err)
	}
	page, err := c.Create(t.Context(), octavo.PageCreate{Title: "Page", Slug: "page", Content: "one\n"})
	if err != nil {
		t.Fatal(err)
	}
	content := "two\n"
	if _, err := c.Patch(t.Context(), page.ID, octavo.PagePatch{Content: &content}); err != nil {
		t.Fatal(err)
	}
	for to, want := range map[int64]int{0: 1, 1: 0, 2: 1} {
		if d, err := c.DiffRevisions(t.Context(), page.ID, 1, to); err != nil || len(d.Hunks) != want || d.From != 1 {
			t.Errorf("1 to %d: have %+v, %v", to, d, err)
		}
	}
	shown, err := c.RenderDraft(t.Context(), octavo.DraftText{Content: "# <b>\n\n[a](page) [b](none)\n", Format: "markdown", PageID: page.ID})
	if err != nil || len(shown.Headings) != 1 || len(shown.Links) != 2 || shown.Links[0].State != octavo.LinkOK || shown.Links[1].State != octavo.LinkBroken {
		t.Errorf("have %+v, %v", shown, err)
	}
}
