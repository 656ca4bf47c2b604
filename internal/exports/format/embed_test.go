package format_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"maps"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/pages"
)

// TestPagesInPages holds that reads and both exports show what pages embed of those that
// may be read, with links and pictures of the embedded page, and that it is no part of
// their contents, anchors and search.
func TestPagesInPages(t *testing.T) {
	t.Parallel()
	var square bytes.Buffer
	exporttest.Must(t, png.Encode(&square, image.NewRGBA(image.Rect(0, 0, 2, 2))))
	tree := fstest.MapFS{}
	for name, text := range map[string]string{
		".obsidian/app.json": "{}",
		"Home.md":            "# Home\n\n![[Note]]\n\n## Part\n\nSee ![[Note#Part two]] here.\n\n- item ![[Note#^b1]]\n\n![[Note#^b2]]\n\n![[Secret]]\n\n![[Ring]] ![[none]] ![[Note#no part]]\n\n[own](Same.md) own[^n]\n\n[^n]: own note\n",
		"sub/Note.md":        "# Note\n\nwhole ![p](<im/my pic.png>) [same](Same.md) [[#Part two|here]] [out](https://out.example/) [[Secret|hid]] [mail](mailto:a@b.example) [^k]\n\n[^k]: their note\n\n## Part\n\none <b id=\"part\">x</b>\n\n## Part two\n\ntwo\n\n### Below\n\nbelow\n\n## Part three\n\n- a\n- bee ^b1\n\n| t |\n|---|\n| cell |\n\n^b2\n",
		"sub/Same.md":        "# Sub same\n", "Same.md": "# Root same\n",
		"Secret.md": "---\ndraft: true\n---\n# Secret\n\nhidden words\n",
		"Ring.md":   "# Ring\n\nring words ![[Home]] ![[Ring]] ![[Inner]]\n", "Inner.md": "inner words ![[Ring]]\n",
		"sub/im/my pic.png": square.String(),
	} {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	rigs(t, func(t *testing.T, r *rig) {
		r.PublicURL = ""
		r.importTree(tree)
		var home octavo.Page
		for p, err := range (target{r, nil}).Pages(t.Context()) {
			if exporttest.Must(t, err); p.Source == "Home.md" {
				home = p
			}
		}
		read := pages.New(r.Store.DB, r.Store.Pages, r.Store.Assets, 0)
		read.AssetURL = func(a octavo.Asset) string { return "/at/" + a.Source }
		view := pages.View{Whole: true, Link: func(_ octavo.ID, slug string) string { return "/" + slug }}
		shown, err := read.Render(t.Context(), octavo.Audience{PublishedOnly: true}, home.ID, view)
		exporttest.Must(t, err)
		files, _, _ := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportSite})
		_, file, _ := r.files(octavo.ExportRequest{Format: octavo.ExportPDF, Scope: octavo.ExportSite})
		counts := map[string]int{ // in both
			"<blockquote>": 6, "whole": 1, ">two<": 2, ">below<": 2, "bee": 2, ">cell<": 2, "ring words": 1, "inner words": 1, "hidden words": 0, ">hid<": 1, "<h1": 1, "their note": 1,
			`id="part"`: 1, `id="part-two"`: 0, `id="fn-2"`: 1, `href="#fn-2"`: 1, `href="https://out.example/"`: 1, `href="mailto:a@b.example"`: 1, "page:": 0, "\xff": 0, "wiki:": 0,
		}
		for where, c := range map[string]struct {
			text  string
			links map[string]int
		}{
			"read": {string(shown.HTML), map[string]int{`"/at/sub/im/my%20pic.png" width="2" height="2"`: 1, `"/sub-same">same`: 1, `"/same">own`: 1, `"/sub-note#part-two">here`: 1, `"/sub-note#part-two">Note`: 1}},
			"site": {strings.SplitAfter(files["home.html"], "<article>")[1], map[string]int{`<img src="assets/my-pic.png"`: 1, `"sub-same.html">same`: 1, `"same.html">own`: 1, `"sub-note.html#part-two">here`: 1}},
		} {
			maps.Copy(c.links, counts)
			for part, want := range c.links {
				if have := strings.Count(c.text, part); have != want {
					t.Errorf("%s: have %d of %q, want %d in\n%s", where, have, part, want, c.text)
				}
			}
		}
		const want = "[15:1: included text left out: Home 15:1: included text left out: Ring 15:1: included text left out: Ring 13:1: link leads to no page: wiki:Secret 15:11: link leads to no page: wiki:none 15:21: no heading has the anchor of the link: wiki:Note#no%20part]"
		if have := fmt.Sprint(shown.Notices); have != want {
			t.Errorf("have the notices\n%s, want\n%s", have, want)
		}
		if found := files["site/search-1.js"]; strings.Count(found, "whole") != 1 || strings.Count(found, "their note") != 1 || strings.Count(found, "inner words") != 1 {
			t.Errorf("the index of the site has the text of pages more than once:\n%s", found)
		}
		said := exporttest.Output(t, file, "pdftotext", "-", "-")
		for part, want := range map[string]int{"whole": 4, "cell": 7, "bee": 7, "inner words": 3, "hidden words": 0} {
			if have := strings.Count(said, part); have != want {
				t.Errorf("pdf: have %d of %q, want %d in\n%s", have, part, want, said)
			}
		}
	})
}

// TestIncludedEmbeds holds that sites show what included files embed as it is now, whatever
// is kept of the site before.
func TestIncludedEmbeds(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		tree := fstest.MapFS{
			".obsidian/app.json": {Data: []byte("{}")},
			"home.md":            {Data: []byte("---\nformat: mdx\n---\nimport Part from './_part.md'\n\n# Home\n\n<Part />\n")},
			"_part.md":           {Data: []byte("part words\n\n![[note]]\n")},
			"note.md":            {},
		}
		for _, words := range []string{"first words", "second words", ""} {
			tree["note.md"].Data = []byte("---\ndraft: " + strconv.FormatBool(words == "") + "\n---\n# Note\n\nown " + words + "\n")
			r.importTree(tree)
			files, _, _ := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportSite})
			_, home, _ := strings.Cut(files["home.html"], "<article>")
			if !strings.Contains(home, "part words") || !strings.Contains(home, words) || strings.Contains(home, "own") != (words != "") {
				t.Errorf("want %q in\n%s", words, home)
			}
		}
	})
}
