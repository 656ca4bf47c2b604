package format_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// anyPage draws pages of what is easily taken for something else: ends of front
// matter, byte order marks, all kinds of line ends.
var anyPage = rapid.Custom(func(t *rapid.T) octavo.PageCreate {
	piece := rapid.SampledFrom([]string{
		"---\n", "---", "+++\n", "\n", "\r\n", "\r", "\ufeff", "# Title\n", "text", "\t", " ", "```\n", "import x from 'y'\n", "<Note>\n", "{1}", "\u2028", "a: b\n", "title: other\n", "{\n", "}\n", "😀", "\u0301",
	})
	name := rapid.SampledFrom([]string{"A", "title", ": ", "#", "'", "\"", "- ", "é", "日本", "null", "1.50", "true", "~", "[", "{", "%", "|", "\\"})
	n := octavo.PageCreate{Content: strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "content"), ""), Status: octavo.Published}
	if n.Title = strings.TrimSpace(strings.Join(rapid.SliceOfN(name, 1, 4).Draw(t, "title"), "")); n.Title == "" {
		n.Title = "x"
	}
	if front := rapid.SampledFrom([]string{"", `{}`, `{"tags":["x"]}`, `{"n":1.50,"s":"---\n","z":null}`, `{"é":{"a":[1,"yes",false]}}`}).Draw(t, "front"); front != "" {
		n.Frontmatter = []byte(front)
	}
	if rapid.Bool().Draw(t, "draft") {
		n.Status = octavo.Draft
	}
	return n
})

// anyFile draws what a file may hold that is imported: front matter of every
// kind, also such as cannot be read, and text behind it.
var anyFile = rapid.Custom(func(t *rapid.T) string {
	front := rapid.SampledFrom([]string{
		"", "---\n---\n", "---\ntitle: A\n---\n", "---\r\ntitle: 'B' # why\r\ntags: [x, y]\r\n---\r\n", "+++\ntitle = 'C'\nweight = 2\n+++\n",
		"---\ndraft: true\n---\n", "---\nslug: /else/where\nsidebar_position: 1\n---\n", "---\ntitle: [\n---\n", "---\na: 1\na: 2\n---\n", "---\nx: \"\\u00e9\"\n---", "\ufeff---\ntitle: D\n---\n",
		"{\n\"title\": \"E\"\n}\n",
	}).Draw(t, "front")
	piece := rapid.SampledFrom([]string{
		"# Title\n", "# a_b_ *c* `d` &amp; [e](f)\n", "#\n", "## Closed ##\r\n", "Under\n===\n", "    # code\n", "\n", "\r", " ", "text", "---\n", "<Note>\n", "export const a = 1\n", "```\n", "[x]: y\n", "# {#own}\n", "# 1 < 2 & 日本\n", "\u2028",
	})
	return front + strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "content"), "")
})

// TestFileRoundTrip imports drawn files, exports what they became,
// and imports that into an empty store: the files are the same, byte for byte,
// and so are the pages.
func TestFileRoundTrip(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{}
	for i := range 300 {
		name := fmt.Sprintf("%s%d%s", []string{"", "folder/", "folder/01-deeper/"}[i%3], i, []string{"-page.md", "/index.md", "_page.mdx", "/README.md"}[i%4])
		tree[name] = &fstest.MapFile{Data: []byte(anyFile.Example(i)), Mode: fs.FileMode(0o644)}
	}
	r := newRig(t)
	r.importTree(tree)
	files, archive, _ := r.files(octavo.ExportRequest{Scope: octavo.ExportSite, IncludeDrafts: true})
	again := fstest.MapFS{}
	for name, text := range exporttest.Unzip(t, archive) {
		again[name] = &fstest.MapFile{Data: []byte(text), Mode: fs.FileMode(0o644)}
	}
	for name, f := range tree {
		if files[name] != string(f.Data) {
			t.Errorf("%s:\nhave %q\nwant %q", name, files[name], f.Data)
		}
	}
	other := r.another()
	other.importTree(again)
	if want, have := r.all(), other.all(); !slices.Equal(have, want) {
		for i := range max(len(have), len(want)) {
			if at(have, i) != at(want, i) {
				t.Errorf("page %d:\nhave %q\nwant %q", i, at(have, i), at(want, i))
			}
		}
	}
}

// TestPageRoundTrip exports drawn pages as Markdown, imports them into
// an empty store and compares what they are.
func TestPageRoundTrip(t *testing.T) {
	t.Parallel()
	const drawn = 300
	r := newRig(t)
	for i := range drawn {
		n := anyPage.Example(i)
		n.Slug = fmt.Sprintf("drawn-%d", i)
		if n.Content == "" {
			n.Content = "x"
		}
		page := pagestore.NewPage{PageCreate: n}
		if i%3 == 0 {
			page.Position = new(int64)
			*page.Position = int64(i % 4)
		}
		r.page(page)
	}
	_, archive, _ := r.files(octavo.ExportRequest{Scope: octavo.ExportSite, IncludeDrafts: true})
	tree := fstest.MapFS{}
	for name, text := range exporttest.Unzip(t, archive) {
		tree[name] = &fstest.MapFile{Data: []byte(text), Mode: fs.FileMode(0o644)}
	}
	other := r.another()
	other.importTree(tree)
	want, have := r.all(), other.all()
	if len(want) != len(have) || len(want) < drawn {
		t.Errorf("have %d pages, want %d", len(have), len(want))
	}
	for i := range want {
		if i < len(have) && have[i] != want[i] {
			t.Errorf("page %d:\nhave %q\nwant %q", i, have[i], want[i])
		}
	}
}
