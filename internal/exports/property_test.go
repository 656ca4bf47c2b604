package exports_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
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
	return n
})

// TestAnyPageComesBackTheSame exports drawn pages as Markdown, imports them into
// an empty store and compares what they are.
func TestAnyPageComesBackTheSame(t *testing.T) {
	t.Parallel()
	const drawn = 300
	r := newRig(t, openSQLite(t))
	for i := range drawn {
		n := anyPage.Example(i)
		n.Slug = fmt.Sprintf("drawn-%d", i)
		if n.Content == "" {
			n.Content = "x"
		}
		r.page(store.NewPage{PageCreate: n})
	}
	_, archive, _ := r.files(octavo.ExportRequest{Scope: octavo.ExportSite})
	tree := fstest.MapFS{}
	for name, text := range unzip(t, archive) {
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
