package exports_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// everything returns all that a result says: its bytes and the names and
// contents of the files of an archive, or of a PDF what it is made of, without
// compression and in one encoding, and what readers make of it.
func everything(t *testing.T, format octavo.ExportFormat, file []byte) string {
	t.Helper()
	var all strings.Builder
	all.Write(file)
	if format != octavo.ExportPDF {
		for name, text := range exporttest.Unzip(t, file) {
			all.WriteString(name + "\n" + text + "\n")
		}
		return all.String()
	}
	path := filepath.Join(t.TempDir(), "book.pdf")
	exporttest.Must(t, os.WriteFile(path, file, 0o600))
	for _, read := range [][]string{
		{"qpdf", "--qdf", "--object-streams=disable", "--stream-data=uncompress", path, "-"},
		{"qpdf", "--json", "--json-stream-data=none", path}, // strings as UTF-8, those of bookmarks too
		{"pdftotext", path, "-"},
	} {
		all.WriteString(exporttest.Output(t, nil, testenv.PDF(t, read[0]), read[1:]...))
	}
	return all.String()
}

// TestHiddenPagesInFormats searches the bytes of every format for what a published-only
// credential may not see: a draft above a page, its title, slug, text and file name. An
// export with full access shows that the search would find it.
func TestHiddenPagesInFormats(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		secret := r.asset("confidential-name.png", "confidential bytes")
		draft := exporttest.Published("confidential-slug", "confidential words ![confidential alt]("+octavo.AssetPath(secret.Key, secret.Name)+")")
		draft.Title, draft.Status, draft.Frontmatter = "The confidential title", octavo.Draft, []byte(`{"description":"confidential description"}`)
		hidden := r.page(draft)
		shown := exporttest.Published("shown", "# Shown\n\npublic words, and [a link](/v1/pages/"+string(hidden.ID)+") and ["+"another](http://docs.example/v1/pages/"+string(hidden.ID)+")")
		shown.ParentID = hidden.ID
		r.page(shown)
		reader := ann
		reader.PublishedOnly = true
		r.run(r.Service)
		// An earlier export with full access must not leak through caches.
		if files, _, _ := exporttest.Render(t, r.maker, octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportSite, IncludeDrafts: true}); !strings.Contains(files["shown.html"], "confidential-slug.html") {
			t.Errorf("with drafts: have no link to the draft in\n%s", files["shown.html"])
		}
		for _, format := range []octavo.ExportFormat{octavo.ExportMarkdown, octavo.ExportHTML, octavo.ExportPDF} {
			for _, scope := range []octavo.ExportScope{octavo.ExportSite, octavo.ExportPublished} {
				e, err := r.Create(t.Context(), sqldb.Cause{Actor: reader.Actor}, reader, octavo.ExportRequest{
					Format: format, Scope: scope, Selection: octavo.ExportSelection{Mode: octavo.SelectAll}, Rendering: octavo.ExportRendering{EmbedAssets: true},
				}, nil)
				exporttest.Must(t, err)
				e = r.await(e.ID)
				file, err := r.download(e)
				exporttest.Must(t, err)
				all := everything(t, format, file)
				if at := strings.Index(all, "confidential"); at >= 0 {
					t.Errorf("%s, %s: have %q", format, scope, all[max(at-40, 0):min(at+40, len(all))])
				}
				if !strings.Contains(all, "public words") {
					t.Errorf("%s, %s: the page is not there", format, scope)
				}
				for _, w := range e.Report.Warnings {
					if strings.Contains(w.Message+w.Source+w.Slug, "confidential") {
						t.Errorf("%s, %s: have the warning %+v", format, scope, w)
					}
				}
			}
			e, err := r.Create(t.Context(), sqldb.Cause{Actor: ann.Actor}, ann, octavo.ExportRequest{
				Format: format, Scope: octavo.ExportSite, IncludeDrafts: true, Selection: octavo.ExportSelection{Mode: octavo.SelectAll}, Rendering: octavo.ExportRendering{EmbedAssets: true},
			}, nil)
			exporttest.Must(t, err)
			file, err := r.download(r.await(e.ID))
			exporttest.Must(t, err)
			all := everything(t, format, file)
			for _, word := range []string{"The confidential title", "confidential words", "public words"} {
				if !strings.Contains(all, word) {
					t.Errorf("%s: %q is not found in an export that has it", format, word)
				}
			}
		}
	})
}

// A slug that a page had as a draft leads to it in exports with drafts, and in none of the
// scope published.
func TestSlugsOfDrafts(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		n := exporttest.Published("project-falcon", "words")
		n.Title, n.Status = "A page", octavo.Draft
		id := r.page(n).ID
		change := func(c pagestore.Change) {
			exporttest.Must(t, r.Store.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
				_, err := r.Store.Pages.Update(tx, id, c, nil)
				return err
			}))
		}
		announced, status, last := "announced", octavo.Published, "last"
		change(pagestore.Change{Slug: &announced, Status: &status})
		change(pagestore.Change{Slug: &last})
		r.run(r.Service)
		for _, c := range []struct {
			scope        octavo.ExportScope
			drafts, want bool
		}{{octavo.ExportSite, false, false}, {octavo.ExportSite, true, true}, {octavo.ExportPublished, true, false}} {
			in := octavo.ExportRequest{Format: octavo.ExportHTML, Scope: c.scope, IncludeDrafts: c.drafts}
			_, atOnce, _ := exporttest.Render(t, r.maker, in)
			in.Selection.Mode = octavo.SelectAll
			e, err := r.Create(t.Context(), sqldb.Cause{Actor: ann.Actor}, ann, in, nil)
			exporttest.Must(t, err)
			accepted, err := r.download(r.await(e.ID))
			exporttest.Must(t, err)
			for _, archive := range [][]byte{atOnce, accepted} {
				files := exporttest.Unzip(t, archive)
				if files["announced.html"] == "" || files["last.html"] == "" {
					t.Error("a slug of the published page leads nowhere")
				}
				if have := strings.Contains(everything(t, octavo.ExportHTML, archive), "project-falcon"); have != c.want {
					t.Errorf("%s, with drafts %t: have the slug of the draft %t", c.scope, c.drafts, have)
				}
			}
		}
	})
}

// TestDraftsWithPublishedOnly searches the bytes of what it gets.
func TestDraftsWithPublishedOnly(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		parent := exporttest.Published("hidden-parent", "secret words")
		parent.Status = octavo.Draft
		hidden := r.page(parent)
		shown := exporttest.Published("shown", "public words ![x](secret.png)")
		shown.ParentID = hidden.ID
		r.page(shown)
		reader := ann
		reader.PublishedOnly = true
		r.run(r.Service)
		e := r.await(r.create(reader, octavo.ExportRequest{Scope: octavo.ExportSite}).ID)
		archive, err := r.download(e)
		exporttest.Must(t, err)
		if !bytes.Contains(archive, []byte("public words")) || bytes.Contains(archive, []byte("secret words")) || bytes.Contains(archive, []byte("hidden-parent")) {
			t.Errorf("have %q", exporttest.Unzip(t, archive))
		}
		all := r.await(r.create(ann, octavo.ExportRequest{Scope: octavo.ExportSite, IncludeDrafts: true}).ID)
		_, err = r.Get(t.Context(), reader, all.ID)
		var known *octavo.Error
		if !errors.As(err, &known) || known.Type != octavo.NotFound {
			t.Errorf("an export with drafts: have %v, want it not to exist", err)
		}
	})
}
