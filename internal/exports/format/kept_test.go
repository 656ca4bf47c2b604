package format_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/exports/format"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// fresh returns exports of the same store that keep nothing of pages.
func (r *rig) fresh() *rig {
	m := *r.Maker
	m.Formats = format.All(nil, "", "")
	return &rig{r.TB, &m, r.Store, r.pages}
}

// TestSitesFollowChanges changes pages between exports, and checks that what was
// kept of the export before leaves no trace in the next.
func TestSitesFollowChanges(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		image := r.asset("p.png", "bytes of a picture")
		target := r.page(exporttest.Published("target", "# Title target\n\n## Part\n"))
		draft := exporttest.Published("draft", "# Title draft\n\nunpublished words\n")
		draft.Status = octavo.Draft
		r.page(draft)
		for i := range 3 {
			r.page(exporttest.Published(fmt.Sprint("page-", i), "# Page\n\nSee [it](target#part), [the draft](draft) and ![]("+octavo.AssetPath(image.Key, image.Name)+").\n"))
		}
		write := func(change func(tx *sqldb.Tx) error) {
			exporttest.Must(r, r.Store.DB.Write(t.Context(), sqldb.Cause{}, change))
		}
		change := func(c pagestore.Change) func() {
			return func() {
				write(func(tx *sqldb.Tx) error { _, err := r.Store.Pages.Update(tx, target.ID, c, nil); return err })
			}
		}
		text, title, slug, hidden := "# Title target\n\nwords that are new\n\n## Pa-rt\n", "Other title", "moved", octavo.Draft
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
			{"other text", change(pagestore.Change{Content: &text}), false, "target.html#pa-rt", "target.html#part"},
			{"other title", change(pagestore.Change{Title: &title}), false, "Other title</a>", "\x00"},
			{"other slug", change(pagestore.Change{Slug: &slug}), false, "moved.html#pa-rt", `<a href="target.html`},
			{"described picture", func() {
				write(func(tx *sqldb.Tx) error {
					p := &alt
					_, err := r.Store.Assets.Update(tx, image.ID, octavo.AssetPatch{Alt: &p}, nil)
					return err
				})
			}, false, alt, "\x00"},
			{"not published", change(pagestore.Change{Status: &hidden}), false, `class="oct-unresolved"`, "moved.html"},
			{"deleted", func() {
				write(func(tx *sqldb.Tx) error { return r.Store.Pages.Delete(tx, target.ID, pagestore.ChildrenRefuse, nil) })
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
