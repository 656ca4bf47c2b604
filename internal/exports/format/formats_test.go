package format_test

import (
	"bytes"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
)

// tree makes pages that link to each other, to an asset and elsewhere.
func (r *rig) tree() {
	r.Helper()
	var dot bytes.Buffer
	exporttest.Must(r, png.Encode(&dot, image.NewRGBA(image.Rect(0, 0, 2, 2))))
	picture := r.asset("p.png", dot.String())
	root := r.page(exporttest.Published("root", "# Title root\n\nSee [the leaf](leaf#part), [by id](/leaf), [gone](missing.md) and [away](https://example.com/x).\n\n![dot]("+octavo.AssetPath(picture.Key, picture.Name)+")\n"))
	leaf := exporttest.Published("leaf", "# Title leaf\n\n## Part\n\n```go\nfunc main() {}\n```\n\nBack to [root](root).\n")
	leaf.ParentID = root.ID
	r.page(leaf)
	hidden := exporttest.Published("draft", "unpublished words")
	hidden.Status = octavo.Draft
	r.page(hidden)
}

// warned returns the messages of a report that are about a page.
func warned(report octavo.ExportReport) (list []string) {
	for _, w := range report.Warnings {
		list = append(list, w.Message)
	}
	return list
}

func TestSites(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		r.tree()
		in := octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportPublished}
		files, archive, report := r.files(in)
		var pages, all string
		for name, text := range files {
			if strings.HasSuffix(name, ".html") {
				pages += text
			}
			all += name + " "
		}
		for _, want := range []string{"Title root", "Title leaf", "leaf.html#part", "https://example.com/x"} {
			if !strings.Contains(pages, want) {
				t.Errorf("the site of %s lacks %q", all, want)
			}
		}
		if bytes.Contains(archive, []byte("unpublished words")) {
			t.Error("the site has a draft")
		}
		if have := warned(report); !slices.ContainsFunc(have, func(s string) bool { return strings.Contains(s, "missing.md") }) {
			t.Errorf("have warnings %q, want one of the missing page", have)
		}
		if _, again, _ := r.files(in); !bytes.Equal(archive, again) {
			t.Error("a second site has other bytes")
		}
	})
}

func TestBooks(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		r.tree()
		in := octavo.ExportRequest{Format: octavo.ExportPDF, Scope: octavo.ExportPublished}
		_, file, report := r.files(in)
		if !bytes.HasPrefix(file, []byte("%PDF-1.7\n")) || !bytes.Contains(file, []byte("/Subtype/Image")) {
			t.Errorf("have %d bytes, no book with a picture", len(file))
		}
		if have := warned(report); len(have) != 1 || !strings.Contains(have[0], "missing.md") || report.Warnings[0].Line != 3 {
			t.Errorf("have warnings %+v, want one of the missing page", report.Warnings)
		}
		if _, again, _ := r.files(in); !bytes.Equal(file, again) {
			t.Error("a second book has other bytes")
		}
	})
}

// TestFrontMatterInMDX shows that exports show what previews show of it.
func TestFrontMatterInMDX(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	n := exporttest.Published("a", "# Title a\n\nIt has {frontmatter.level} levels.\n")
	n.Frontmatter = []byte(`{"format":"mdx","level":3}`)
	r.page(n)
	files, _, report := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportPublished})
	if !strings.Contains(files["a.html"], "It has 3 levels.") || len(report.Warnings) > 0 {
		t.Errorf("have warnings %v and\n%s", report.Warnings, files["a.html"])
	}
}

// TestNamedAssets shows that assets that are named are in an archive, once,
// whether a page shows them or not.
func TestNamedAssets(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shown, alone := r.asset("shown.png", "shown"), r.asset("alone.txt", "alone")
	p := r.page(exporttest.Published("page", "![dot]("+octavo.AssetPath(shown.Key, shown.Name)+")"))
	for _, format := range []octavo.ExportFormat{octavo.ExportHTML, octavo.ExportMarkdown} {
		for _, embed := range []bool{true, false} {
			var out bytes.Buffer
			_, err := r.Render(t.Context(), octavo.ExportRequest{
				Format: format, Scope: octavo.ExportSelected, Rendering: octavo.ExportRendering{EmbedAssets: embed},
				Selection: octavo.ExportSelection{Mode: octavo.SelectIDs, Items: []octavo.ExportItem{
					{ID: alone.ID, Type: octavo.ItemAsset}, {ID: p.ID, Type: octavo.ItemPage}, {ID: shown.ID, Type: octavo.ItemAsset},
				}},
			}, &out, func(int, int) {})
			exporttest.Must(t, err)
			var have []string
			for name, text := range exporttest.Unzip(t, out.Bytes()) {
				if strings.HasPrefix(name, "assets/") {
					have = append(have, name+"="+text)
				}
			}
			slices.Sort(have)
			want := []string{"assets/alone.txt=alone", "assets/shown.png=shown"}
			if !embed {
				want = nil
			}
			if !slices.Equal(have, want) {
				t.Errorf("%s, embed %t: have %q, want %q", format, embed, have, want)
			}
		}
	}
}
