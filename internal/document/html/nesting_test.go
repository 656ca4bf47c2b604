package html

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
)

// TestBrowsersKeepTheNesting renders the project's documentation, and parses the
// result as browsers do: they must find nothing to mend.
func TestBrowsersKeepTheNesting(t *testing.T) {
	t.Parallel()
	r := New(highlight.New(0))
	contents := []string{
		"<h2>\n\n# a\n\n</h2>", "<p>\n\n- a\n\n</p>", "| <ul><li>a</li></ul> |\n|---|\n| <div>b</div> |", "- <p>a\n- b</p>",
		"[a <b>c](d) e</b>", "[![a](b)](c) [x<a href=y>z</a>](w)", "<a href=x>\n\n[a](b)\n\n- c\n\n</a>", "<details><summary>\n\na\n\n</summary>\n\nb</details>",
	}
	for _, pattern := range []string{"../../../docs/*.md", "../../../docs/*/*.md", "../../../*.md", "../../../api/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			file, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			contents = append(contents, string(file))
		}
	}
	if len(contents) < 20 {
		t.Fatalf("have %d contents", len(contents))
	}
	div := &nethtml.Node{Type: nethtml.ElementNode, Data: "div", DataAtom: atom.Div}
	for _, content := range contents {
		out := r.Fragment(t.Context(), document.Parse(content, document.Options{}), Options{}).HTML
		nodes, err := nethtml.ParseFragment(bytes.NewReader(out), div)
		if err != nil {
			t.Fatal(err)
		}
		var mended bytes.Buffer
		for _, n := range nodes {
			if err := nethtml.Render(&mended, n); err != nil {
				t.Fatal(err)
			}
		}
		if have, want := tagNames(out), tagNames(mended.Bytes()); have != want {
			t.Errorf("%.200q\nhave %s\na browser makes of it %s", content, have, want)
		}
	}
}

// tagNames returns the names of the tags of HTML in order.
func tagNames(fragment []byte) string {
	var names []string
	z := nethtml.NewTokenizer(bytes.NewReader(fragment))
	for {
		switch z.Next() {
		case nethtml.ErrorToken:
			return strings.Join(names, " ")
		case nethtml.StartTagToken, nethtml.SelfClosingTagToken:
			names = append(names, z.Token().Data)
		case nethtml.EndTagToken:
			names = append(names, "/"+z.Token().Data)
		}
	}
}
