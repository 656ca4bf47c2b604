package format_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestLinksToGonePages: a page that was removed for good after it was chosen is
// a warning, and a site says so where its contents lead to it.
func TestLinksToGonePages(t *testing.T) {
	t.Parallel()
	for _, in := range []octavo.ExportRequest{{Format: octavo.ExportMarkdown}, {Format: octavo.ExportHTML}, {Format: octavo.ExportPDF}} {
		clock := exporttest.NewClock(time.Now)
		r := newRigAt(t, exporttest.SQLite(t), clock.Now)
		ids := make([]octavo.ID, 3)
		for i, slug := range []string{"first", "second", "third"} {
			ids[i] = r.page(exporttest.Published(slug, "words of "+slug)).ID
		}
		in.Scope, in.Selection.Mode = octavo.ExportPublished, octavo.SelectAll
		chosen, err := r.Choose(t.Context(), octavo.Audience{}, in)
		exporttest.Must(t, err)
		for _, id := range []octavo.ID{ids[0], ids[2]} {
			exporttest.Must(t, r.Store.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error { return r.Store.Pages.Delete(tx, id, pagestore.ChildrenRefuse, nil) }))
		}
		clock.Forward(pagestore.KeepDeleted + time.Hour)
		_, err = r.Store.Sweep(t.Context(), octavo.Actor{})
		exporttest.Must(t, err)
		b, err := r.Open(t.Context(), octavo.Audience{PublishedOnly: true}, chosen, in)
		exporttest.Must(t, err)
		var out bytes.Buffer
		done := 0
		exporttest.Must(t, b.Write(t.Context(), &out, func() { done++ }))
		if have := strings.Join(warned(b.Report()), " "); strings.Count(have, "permanently removed") != 2 || done != 1 {
			t.Errorf("%s: have %d pages done and warnings %q, want 1 and two of pages that are gone", in.Format, done, have)
		}
		switch in.Format {
		case octavo.ExportMarkdown:
			if files := exporttest.Unzip(t, out.Bytes()); len(files) != 1 || files["second.md"] == "" {
				t.Errorf("have %v, want second.md alone", files)
			}
		case octavo.ExportHTML:
			files := exporttest.Unzip(t, out.Bytes())
			for name, want := range map[string]string{"first.html": "This page was removed.", "second.html": "words of second", "third.html": "This page was removed."} {
				if !strings.Contains(files[name], want) {
					t.Errorf("%s has no %q: %s", name, want, files[name])
				}
			}
		}
	}
}
