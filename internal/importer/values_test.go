package importer

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
)

// TestValuesOfTheSite: a page gets the values of the configuration that it uses, once.
func TestValuesOfTheSite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, front string
		tree              []string
		shown             []string
	}{
		{
			"Hugo", "content/a.md", `{"title":"A","site_values":{"Deep.x":"2","version":"v1"}}`,
			[]string{
				"hugo.toml", "[params]\n'' = 'no name'\nversion = 'v1'\nunused = 'u'\napiKey = 'k'\n", "config/_default/params.yaml", "deep: {x: 2}\n",
				"content/a.md", "---\ntitle: A\n---\n{{< param version >}} {{% param Deep.x %}} {{< param apiKey >}}{{< param none >}}{{< param title >}}\n",
			},
			[]string{"v1 2 A"},
		},
		{
			"Jekyll", "a.md", `{"title":"A","site_values":{"site.repo":"https://x.example/r"}}`,
			[]string{"_config.yml", "repo: https://x.example/r\n", "a.md", "---\ntitle: A\n---\n[b]({{ site.repo }}/1) {{ site.repo | upcase }}\n"},
			[]string{"https://x.example/r/1"},
		},
		{
			"Sphinx", "a.md", `{"site_values":{"B":"the *b*","c":"in {c}"}}`,
			[]string{"conf.py", "myst_substitutions = {\n    'b': 'the *b*',\n    \"c\": \"in {c}\",\n    \"d\": \"x\" + y,\n}\n", "a.md", "See {{ B }}, {{ c }}, {{ d }}.\n"},
			[]string{"See the b, in {c}, ."},
		},
		{
			"Jupyter Book", "a.md", `{"site_values":{"b":"1"}}`,
			[]string{"_toc.yml", "root: a\n", "_config.yml", "sphinx: {config: {myst_substitutions: {b: \"1\"}}}\n", "a.md", "B {{ b }}\n"},
			[]string{"B 1"},
		},
		{
			"what MkDocs appends", "a.md", `{"title":"A","site_values":{"*[API key]":"A secret","[Docs]":"https://docs.example \"All\""}}`,
			[]string{
				"mkdocs.yml", "markdown_extensions:\n  - pymdownx.snippets:\n      base_path: parts\n      auto_append: [more/terms.md]\n",
				"parts/more/terms.md", "<!-- Terms -->\n*[API key]: A secret\n*[XYZ]: Unused\n[Docs]: https://docs.example \"All\"\n", "docs/a.md", "---\ntitle: A\n---\nAn API key, see [the docs][docs].\n",
			},
			[]string{"https://docs.example", "(A secret)"},
		},
		{
			"a key of the author", "a.md", `{"site_values":"mine"}`,
			[]string{"_config.yml", "repo: r\n", "a.md", "---\nsite_values: mine\n---\n{{ site.repo }}\n"},
			nil,
		},
	} {
		m := newMemory()
		for range 2 {
			mustRun(t, folder(c.tree...), m, Options{})
		}
		p := m.bySource(c.file)
		if string(p.Frontmatter) != c.front || p.Version > 1 {
			t.Errorf("%s: have %s in version %d, want %s", c.name, p.Frontmatter, p.Version, c.front)
		}
		doc := document.Parse(p.Content, document.Options{Dialect: string(p.Dialect), Frontmatter: p.Frontmatter})
		have := ""
		doc.Walk(func(n document.Node) bool {
			switch n := n.(type) {
			case *document.Text:
				have += n.Text
			case *document.Link:
				have += n.Href
			case *document.Span:
				have += "(" + n.Attributes.String("title") + ")"
			}
			return true
		})
		for _, want := range c.shown {
			if !strings.Contains(have, want) {
				t.Errorf("%s: have %q, want %q", c.name, have, want)
			}
		}
	}
}
