package pages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestEmbedsReadFewAnchors holds that one limit is for all pages that a rendering reads to
// find the anchors of links, whichever page they stand on.
func TestEmbedsReadFewAnchors(t *testing.T) {
	onEachStore(t, func(t *testing.T, st *store.Store) {
		s, kind := New(st.DB, st.Pages, st.Assets, 0), octavo.DialectObsidian
		s.AssetURL = func(octavo.Asset) string { return "/file" }
		create := func(slug, text string) octavo.Page {
			page, err := s.Create(t.Context(), sqldb.Cause{}, octavo.PageCreate{Title: slug, Slug: slug, Content: text, Dialect: &kind}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return page
		}
		const notes, size = 12, 1 << 20
		var embeds strings.Builder
		for i := range notes {
			create(fmt.Sprint("big", i), "## A part\n\n"+strings.Repeat("x", size))
			create(fmt.Sprint("note", i), fmt.Sprintf("[[big%d#A part]]", i))
			fmt.Fprintf(&embeds, "![[note%d]]\n\n", i)
		}
		page, view := create("page", embeds.String()), View{Link: func(_ octavo.ID, slug string) string { return "/" + slug }}
		at, err := s.Addresses(t.Context(), octavo.Audience{}, page, view)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.embed(t.Context(), octavo.Audience{}, page, parse(page, nil), at, view); err != nil {
			t.Fatal(err)
		}
		if have := at.anchors.bytes; have < maxAnchoredBytes || have > maxAnchoredBytes+2*size {
			t.Errorf("have %d bytes read for anchors, want %d", have, maxAnchoredBytes)
		}
		r, err := s.Render(t.Context(), octavo.Audience{}, page.ID, view)
		if text := string(r.HTML); err != nil || !strings.Contains(text, `href="/big0#a-part"`) || !strings.Contains(text, `href="/big11#A%20part"`) {
			t.Errorf("have the error %v and\n%s\nwant the anchors of the first notes, and the last as they are written", err, text)
		}
	})
}
