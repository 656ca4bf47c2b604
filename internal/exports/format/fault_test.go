package format_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
)

// TestOddLanguages shows that what is no language tag reaches no rendering.
func TestOddLanguages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.page(exporttest.Published("first", "x")) // whose language would be that of the site
	for slug, tag := range map[string]string{"a": "pt-BR", "b": `x\" onload=\"y`, "c": "en/..", "d": "1a", "e": "zh-Hant-TW", "f": "", "g": strings.Repeat("x", 300)} {
		n := exporttest.Published(slug, "x")
		n.Frontmatter = []byte(`{"lang":"` + tag + `"}`)
		r.page(n)
	}
	files, _, _ := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportPublished})
	for name, want := range map[string]string{"a": ` lang="pt-BR"`, "b": "", "c": "", "d": "", "e": ` lang="zh-Hant-TW"`, "f": "", "g": ""} {
		if !strings.Contains(files[name+".html"], "<article"+want+">") {
			t.Errorf("%s: want <article%s>, have %s", name, want, files[name+".html"])
		}
	}
}

// TestAssetsWithoutBytes shows that an export is made all the same.
func TestAssetsWithoutBytes(t *testing.T) {
	t.Parallel()
	for _, format := range []octavo.ExportFormat{octavo.ExportHTML, octavo.ExportPDF, octavo.ExportMarkdown} {
		r := newRig(t)
		r.tree()
		for key, err := range r.Blobs.All(r.Context()) {
			exporttest.Must(t, err)
			exporttest.Must(t, r.Blobs.Remove(r.Context(), key.Key))
		}
		_, _, report := r.files(octavo.ExportRequest{Format: format, Scope: octavo.ExportPublished})
		if have := strings.Join(warned(report), "\n"); !strings.Contains(have, "p.png") && !strings.Contains(have, "bytes of the asset") || strings.Contains(have, "deleted") {
			t.Errorf("%s: have the warnings %q, want one of the picture, which nobody has deleted", format, have)
		}
	}
}

// broken is a blob store that cannot be reached for reading.
type broken struct{ blob.Store }

func (broken) Open(context.Context, string) (blob.File, error) {
	return nil, octavo.Errorf(octavo.Unavailable, "The bucket does not answer.")
}

// TestBlobStoreUnavailable shows that no export is made without its
// pictures because they cannot be read for a while: it fails, and is tried again.
func TestBlobStoreUnavailable(t *testing.T) {
	t.Parallel()
	for _, format := range []octavo.ExportFormat{octavo.ExportHTML, octavo.ExportPDF, octavo.ExportMarkdown} {
		r := newRig(t)
		r.tree()
		r.Blobs = broken{r.Blobs}
		var out bytes.Buffer
		_, err := r.Render(r.Context(), octavo.ExportRequest{
			Format: format, Scope: octavo.ExportPublished, Selection: octavo.ExportSelection{Mode: octavo.SelectAll}, Rendering: octavo.ExportRendering{EmbedAssets: true},
		}, &out, func(int, int) {})
		if err == nil || !strings.Contains(err.Error(), "The bucket does not answer.") {
			t.Errorf("%s: have %v, want what the bucket says", format, err)
		}
	}
}
