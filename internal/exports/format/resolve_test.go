package format_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// imported returns a rig over a tree, without a server.
func imported(t *testing.T, files map[string]string) *rig {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	r := newRig(t)
	r.PublicURL = ""
	r.importTree(tree)
	return r
}

// TestNamesBeyondASCII checks that pictures and files whose names have spaces or
// letters outside of ASCII are in both exports, however they are written, and that
// links lead to them.
func TestNamesBeyondASCII(t *testing.T) {
	t.Parallel()
	var square bytes.Buffer
	exporttest.Must(t, png.Encode(&square, image.NewRGBA(image.Rect(0, 0, 2, 2))))
	dot := square.String()
	r := imported(t, map[string]string{
		"a.md": "# A\n\n![1](<im/my logo.png>) ![2](im/my%20logo.png) ![3](im/größe.png) ![4](im/gr%C3%B6%C3%9Fe.png)\n\n<img src=\"im/my logo.png\" alt=\"5\">\n\n" +
			"![6](im/e\u0301.png) ![7](im/100%.png)\n\n[one](<im/my logo.png>), [two](im/größe.png), [three](im/größe.png) and [four](<my notes.txt>)\n",
		"im/my logo.png": dot, "im/größe.png": dot, "im/\u00e9.png": dot, "im/100%.png": dot, "my notes.txt": "notes",
	})
	files, _, report := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportPublished})
	if n := strings.Count(files["a.html"], `<img src="assets/`); n != 7 || len(report.Warnings) > 0 {
		t.Errorf("html: have %d pictures and %v, want 7 and no warning", n, report.Warnings)
	}
	_, file, report := r.files(octavo.ExportRequest{Format: octavo.ExportPDF, Scope: octavo.ExportPublished})
	if len(report.Warnings) > 0 {
		t.Errorf("pdf: have %v, want no warning", report.Warnings)
	}
	if have := len(regexp.MustCompile(`(?m)^ +\d+ +\d+ image`).FindAllString(exporttest.Output(t, file, "pdfimages", "-list", "-"), -1)); have != 7 {
		t.Errorf("pdf: have %d pictures, want 7", have)
	}
	name := filepath.Join(t.TempDir(), "a.pdf")
	exporttest.Must(t, os.WriteFile(name, file, 0o600))
	open := exporttest.Output(t, nil, "qpdf", "--qdf", "--object-streams=disable", name, "-")
	if links, attached := strings.Count(open, "/Subtype /FileAttachment"), strings.Count(open, "/Type /EmbeddedFile"); links != 4 || attached != 3 {
		t.Errorf("pdf: have %d links to %d files, want 4 to 3", links, attached)
	}
}

// TestLinksAgree checks that a link leads to the same page for backlinks, reads and
// both exports.
func TestLinksAgree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, text, link, want string }{
		{"permalink", "p.md", "---\npermalink: /docs/Static_Files/\n---\n# P\n", "/docs/Static_Files/", "docs-static-files.html"},
		{"permalink with an extension", "p.md", "---\npermalink: /a_B.html\n---\n# P\n", "/a_B.html", "a-b.html"},
		{"version", "p.md", "---\nslug: /release/1.2\n---\n# P\n", "/release/1.2", "release-1-2.html"},
		{"post", "_posts/2024-01-02-x.md", "# P\n", "/2024/01/02/x.html", "posts-2024-01-02-x.html"},
		{"folder page of its name", "guide/guide.md", "# P\n", "/guide/", "guide.html"},
		{"alias of the site", "docs/p.md", "# P\n\n## Part\n", "@site/docs/p.md#part", "docs-p.html#part"},
		{"from the root of the pages", "docs/x/p.md", "# P\n", "x/p.md", "docs-x-p.html"},
		{"shortcode", "docs/p.md", "# P\n\n## Part\n", `{{< relref "p.md#part" >}}`, "docs-p.html#part"},
		{"accents in two parts", "docs/e\u0301.md", "# P\n", "\u00e9.md", "docs-e.html"},
		{"an anchor that is alike", "docs/p.md", "# P\n\n## What's new?\n", "p.md#what-s-new", "docs-p.html#whats-new"},
		{"a label", "docs/p.md", "# P\n\n(A b)=\n## Part\n", "#a-b", "docs-p.html#A-b"},
		{"a label without a mark", "docs/p.md", "# P\n\n(a/b)=\n## Part\n", "a/b", "docs-p.html#a/b"},
		{"a label of a directive", "docs/p.md", "# P\n\n```{note}\n:name: f\n\nb\n```\n", "#F", "docs-p.html#f"},
		{"no such anchor", "docs/p.md", "# P\n", "p.md#none", "docs-p.html"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := map[string]string{"docs/q.md": "# Q\n\n[link](" + c.link + ")\n", c.file: c.text}
			if strings.HasPrefix(c.name, "a label") {
				tree["myst.yml"] = "project: {}\n"
			}
			r := imported(t, tree)
			var from, to octavo.Page
			for p, err := range (target{r, nil}).Pages(t.Context()) {
				exporttest.Must(t, err)
				if p.Source == "docs/q.md" {
					from = p
				} else {
					to = p
				}
			}
			links, _, _, err := r.Store.Pages.Backlinks(t.Context(), octavo.Audience{}, to.ID, sqldb.Cursor{}, 10)
			if exporttest.Must(t, err); len(links) != 1 {
				t.Errorf("have the backlinks %v, want one", links)
			}
			read := pages.New(r.Store.DB, r.Store.Pages, r.Store.Assets, 0)
			shown, err := read.Render(t.Context(), octavo.Audience{}, from.ID, pages.View{Link: func(octavo.ID, string) string { return to.Slug + ".html" }})
			exporttest.Must(t, err)
			files, _, report := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportSite, IncludeDrafts: true})
			href := regexp.MustCompile(`<a href="([^"]*)"[^>]*>link</a>`)
			for where, text := range map[string]string{"read": string(shown.HTML), "site": files["docs-q.html"]} {
				if m := href.FindStringSubmatch(text); m == nil || m[1] != c.want {
					t.Errorf("%s: have %q, want %q in\n%s", where, m, c.want, shown.HTML)
				}
			}
			_, _, other := r.files(octavo.ExportRequest{Format: octavo.ExportPDF, Scope: octavo.ExportSite, IncludeDrafts: true})
			if fmt.Sprint(report.Warnings) != fmt.Sprint(other.Warnings) || len(report.Warnings) > 0 != strings.Contains(c.name, "anchor") {
				t.Errorf("have the warnings %v and %v, want the same, and some of anchors alone", report.Warnings, other.Warnings)
			}
			if slices.ContainsFunc(report.Warnings, func(w octavo.ExportWarning) bool { return w.Source != "docs/q.md" || w.Line != 3 }) {
				t.Errorf("have %+v, want the place of the link", report.Warnings)
			}
		})
	}
}

// TestLinksHaveTitles checks that reads and both exports show the titles of what links
// without a text lead to.
func TestLinksHaveTitles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tree map[string]string
		want string
	}{
		{map[string]string{
			"myst.yml": "project: {}\n", "p.md": "# Page\n\n(a)=\n## Part *one*\n\n(b)=\nText\n",
			"q.md": "# Q\n\n1 [](#a), 2 {doc}`p`, 3 [](p.md#a), 4 [](#b), 5 {ref}`here <b>`, 6 [](#none).\n",
		}, "1 Part one, 2 Page, 3 Part one, 4 b, 5 here, 6 none."},
		{map[string]string{
			".gitbook.yaml": "root: ./\n", "SUMMARY.md": "* [Page](p.md)\n* [Q](q.md)\n", "p.md": "# Page\n", "q.md": "# Q\n\n1 [p.md](p.md), 2 [x](p.md \"mention\"), 3 [here](p.md).\n",
		}, "1 Page, 2 Page, 3 here."},
	} {
		r := imported(t, c.tree)
		var from octavo.Page
		for p, err := range (target{r, nil}).Pages(t.Context()) {
			if exporttest.Must(t, err); p.Source == "q.md" {
				from = p
			}
		}
		read := pages.New(r.Store.DB, r.Store.Pages, r.Store.Assets, 0)
		shown, err := read.Render(t.Context(), octavo.Audience{}, from.ID, pages.View{Link: func(_ octavo.ID, slug string) string { return slug }})
		exporttest.Must(t, err)
		files, _, _ := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportSite, IncludeDrafts: true})
		_, file, _ := r.files(octavo.ExportRequest{Format: octavo.ExportPDF, Scope: octavo.ExportSite, IncludeDrafts: true})
		tags := regexp.MustCompile(`<[^>]*>`)
		for where, text := range map[string]string{"read": string(shown.HTML), "site": files["q.html"], "pdf": exporttest.Output(t, file, "pdftotext", "-", "-")} {
			if text = tags.ReplaceAllString(text, ""); !strings.Contains(strings.ReplaceAll(text, "\n", " "), c.want) {
				t.Errorf("%s: have %s, want %s", where, text, c.want)
			}
		}
	}
}
