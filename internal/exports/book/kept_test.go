package book_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/store"
)

// fresh returns exports of the same store that keep nothing of pages.
func (r *rig) fresh() *rig {
	m := *r.Maker
	m.Formats = book.Formats(nil)
	return &rig{r.TB, &m, r.pages}
}

// TestSitesFollowChanges changes pages between exports, and holds that what was
// kept of the export before leaves no trace in the next.
func TestSitesFollowChanges(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		image := r.asset("p.png", "bytes of a picture")
		target := r.page(published("target", "# Title target\n\n## Part\n"))
		draft := published("draft", "# Title draft\n\nunpublished words\n")
		draft.Status = octavo.Draft
		r.page(draft)
		for i := range 3 {
			r.page(published(fmt.Sprint("page-", i), "# Page\n\nSee [it](target#part), [the draft](draft) and ![]("+octavo.AssetPath(image.Key, image.Name)+").\n"))
		}
		write := func(change func(tx *store.Tx) error) { must(r, r.Store.Write(t.Context(), store.Cause{}, change)) }
		change := func(c store.PageChange) func() {
			return func() {
				write(func(tx *store.Tx) error { _, err := tx.UpdatePage(target.ID, c, nil); return err })
			}
		}
		text, title, slug, hidden := "# Title target\n\nwords that are new\n", "Other title", "moved", octavo.Draft
		alt := "what the picture shows"
		for _, step := range []struct {
			name       string
			do         func()
			drafts     bool
			has, lacks string
		}{
			{"first", func() {}, false, "target.html#part", "draft.html"},
			{"again", func() {}, false, "target.html#part", "draft.html"},
			{"with drafts", func() {}, true, "draft.html", "\x00"},
			{"without drafts", func() {}, false, "target.html", "draft.html"},
			{"other text", change(store.PageChange{Content: &text}), false, "words that are new", "\x00"},
			{"other title", change(store.PageChange{Title: &title}), false, "Other title</a>", "\x00"},
			{"other slug", change(store.PageChange{Slug: &slug}), false, "moved.html#part", `<a href="target.html`},
			{"described picture", func() {
				write(func(tx *store.Tx) error {
					p := &alt
					_, err := tx.UpdateAsset(image.ID, octavo.AssetPatch{Alt: &p}, nil)
					return err
				})
			}, false, alt, "\x00"},
			{"not published", change(store.PageChange{Status: &hidden}), false, `class="oct-unresolved"`, "moved.html"},
			{"deleted", func() {
				write(func(tx *store.Tx) error { return tx.DeletePage(target.ID, store.ChildrenRefuse, nil) })
			}, true, "draft.html", "words that are new"},
		} {
			step.do()
			in := octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportSite, IncludeDrafts: step.drafts}
			files, have, report := r.files(in)
			_, want, wantReport := r.fresh().files(in)
			if !bytes.Equal(have, want) || fmt.Sprint(report) != fmt.Sprint(wantReport) {
				t.Errorf("%s: what was kept changes the site (%d bytes, want %d) or its report: have %v, want %v", step.name, len(have), len(want), report, wantReport)
			}
			all := ""
			for name, text := range files {
				all += name + "\n" + text
			}
			if !strings.Contains(all, step.has) || strings.Contains(all, step.lacks) {
				t.Errorf("%s: the site lacks %q, or has %q", step.name, step.has, step.lacks)
			}
		}
	})
}
