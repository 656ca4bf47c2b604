package document

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// TestAgreesWithScan holds that package markdown, which reads pages when they
// are written, and this one find the same headings, anchors and links.
func TestAgreesWithScan(t *testing.T) {
	t.Parallel()
	contents := map[string]string{}
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".") && path != ".") {
			return fs.SkipDir
		}
		if ext := filepath.Ext(path); ext == ".md" || ext == ".mdx" {
			file, err := fs.ReadFile(root, path)
			if err != nil {
				return fmt.Errorf("read %s: %w", path, err)
			}
			_, body, _, _ := frontmatter.Split(file)
			contents[path] = string(body)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(contents) < 20 {
		t.Fatalf("found %d files of Markdown", len(contents))
	}
	for i, content := range agreed {
		contents[fmt.Sprintf("case %d", i)] = content
	}
	for name, content := range contents {
		for _, format := range []markdown.Format{markdown.Markdown, markdown.MDX} {
			if strings.HasSuffix(name, ".md") && format == markdown.MDX {
				continue
			}
			checkAgreement(t, name, content, format)
		}
	}
}

// agreed are contents in which the two once disagreed, or may.
var agreed = []string{
	"# A *b* `c` [d](e) ![f](g) <b>h</b> &amp; i\n\n# A *b* `c`\n\n## {#x}\n\n## T {#y .z}\n\nS\n-\n",
	"# List<String>\n\n## 日本 Ünï_code - x\n\n### 1. **Bold**!\n\n# a  b\n\n#\n\n#\n",
	"[a](b) [c][d] [d] [D][]\n\n[d]: /u 'v'\n\n<https://x.example> www.y.example z@w.example https://v.example/a_(b).",
	"- [a](b)\n  1. [c](d)\n\n> [e](f)\nlazy [g](h)\n\n| [i](j) | k |\n|---|---|\n| [l\\|m](n) | `[no](no)` |\n",
	"text[^1] and [^none](x)\n\n[^1]: [a](b)\n\n    [c](d)\n",
	"<div>\n<a href=\"x\">y</a>\n</div>\n\n<a href='z'>w <b>v</b></a>\n\n<!-- [a](b) -->\n",
	"<Card title=\"T\" href=\"/c\">\n\n[in](side)\n\n</Card>\n\n<LinkCard href=\"/d\" label=\"D\" />\n\n<Link to=\"/e\">E</Link>\n",
	"<Tabs>\n  <Tab>\n    ## In a tab\n\n    [a](b)\n\n    - [c](d)\n  </Tab>\n</Tabs>\n\n## In a tab\n",
	"import X from 'x'\n\n{/* [a](b) */}\n\n# After {/* c */}\n\n<X>[d](e)</X>\n",
	"    [code](a)\n\n```\n[b](c)\n```\n\n~~~\n# no\n~~~\n\n[d](<e f> \"g\") [h]({{< relref \"i\" >}})\n",
	":::note\n## In a note\n[a](b)\n:::\n\n> [!TIP]\n> ## In a tip\n> [c](d)\n",
	"a | b\n--|--\n[c](d) | [e](f)\n\ng\n: [h](i)\n",
}

func checkAgreement(t *testing.T, name, content string, format markdown.Format) {
	t.Helper()
	d := Parse(content, Options{MDX: format == markdown.MDX})
	var want, have []string
	for _, h := range markdown.Headings([]byte(content), format) {
		want = append(want, fmt.Sprintf("%d #%s", h.Level, h.Anchor))
	}
	for _, h := range d.Headings() {
		have = append(have, fmt.Sprintf("%d #%s", h.Level, h.Anchor))
	}
	if w, h := strings.Join(want, "\n"), strings.Join(have, "\n"); w != h {
		t.Errorf("%s, %v: headings of %q\nof the scan:\n%s\nof the tree:\n%s", name, format, shortened(content), w, h)
	}
	scanned := map[string]bool{}
	for _, link := range markdown.Links([]byte(content), format) {
		scanned[link.Href] = true
	}
	for href := range linksOf(d) {
		// A link of the tree is made a URI reference as the scan makes it.
		found := markdown.Links([]byte("[](<"+strings.NewReplacer("<", "\\<", ">", "\\>", "\\", "\\\\", "&", "&amp;").Replace(href)+">)"), markdown.Markdown)
		for _, link := range found {
			if !scanned[link.Href] {
				t.Errorf("%s, %v: the scan does not find %q in %q", name, format, link.Href, shortened(content))
			}
			delete(scanned, link.Href)
		}
	}
	for href := range scanned {
		t.Errorf("%s, %v: the tree does not have %q of %q", name, format, href, shortened(content))
	}
}

// linksOf returns where the links of a tree lead.
func linksOf(d *Document) map[string]bool {
	links := map[string]bool{}
	d.Walk(func(n Node) bool {
		switch n := n.(type) {
		case *Link:
			links[n.Href] = true
		case *Element:
			if href := n.Attributes.String("href"); href != "" {
				links[href] = true
			}
		case *Component:
			if href := n.Attributes.String("href", "to"); href != "" {
				links[href] = true
			}
		}
		return true
	})
	return links
}

func shortened(s string) string { return s[:min(len(s), 300)] }
