package markdown

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document/reference"
)

// TestReferencesExpandWithinBounds checks that the links of a content with a long
// destination and many uses of it, or with links in links, stay short.
func TestReferencesExpandWithinBounds(t *testing.T) {
	for name, content := range map[string]string{
		"one label":       "[a]: /" + strings.Repeat("u", 50_000) + "\n\n" + strings.Repeat("[a] ", 20_000),
		"nested links":    strings.Repeat(strings.Repeat("<a href=x>\n", 60)+strings.Repeat("word ", 200)+"\n"+strings.Repeat("</a>\n", 60), 200),
		"distinct labels": "[a]: /" + strings.Repeat("u", 50_000) + "\n\n" + strings.Repeat("[x][a] [y][a] [z][a] ", 5_000),
	} {
		total := 0
		for _, link := range Links(content, Format{}) {
			total += len(link.Href) + len(link.Label)
		}
		if total == 0 || total > 2*len(content) {
			t.Errorf("%s: %d bytes of content have %d bytes of links", name, len(content), total)
		}
	}
}

func FuzzLinks(f *testing.F) {
	for _, seed := range []string{
		"[a](b) ![c](d \"e\") <https://f.example> www.g.example h@i.example", "[a]: b 'c'\n\n[a][] [^1]\n\n[^1]: x", "| a | b |\n|--|--|\n| \\| | `c|d` |",
		"- a\n\n  > b\n  1. c\n\t\td\n```x\n[y](z)\n```", "<div>\n<a href='x'>y</a>\n</div>\n\n<!-- z -->", "import A from 'a'\n\n<A b={c} d=\"e\">\n## F {#g}\n</A> {/* h */}",
		"***a** b*_c_~~d~~\\* &amp; `e` ``f`g``  \nh\\\ni", "a\n===\n\n    code\n\n***\n\r\n\x00\xff",
	} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, content string, mdx bool) {
		format := Format{}
		if mdx {
			format.MDX = true
		}
		seen := map[Link]bool{}
		for _, l := range Links(content, format) {
			if again, ok := reference.URI(l.Href); !ok || again != l.Href {
				t.Fatalf("Links(%q, %v): href %q is no URI reference; it would be %q, %v", content, format, l.Href, again, ok)
			}
			if label := oneLine(l.Label); label != l.Label {
				t.Fatalf("Links(%q, %v): label %q is not plain; it would be %q", content, format, l.Label, label)
			}
			if seen[l] {
				t.Fatalf("Links(%q, %v): %+v comes twice", content, format, l)
			}
			seen[l] = true
		}
		checkLeadingTitle(t, []byte(content))
	})
}
