package importer

import (
	"testing"

	"github.com/octavo-docs/octavo"
)

func TestTitles(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.md", "\uFEFF# Real *title*\r\n\r\ntext\r\n", "Real title"},
		{"Move house.md", "Read this.\n\n## Boxes\n\n## Lorry\n", "Move house"},
		{"ch01-02-types.md", "## Types\n\n### Numbers\n\n### Words\n", "Types"},
		{"x/README.md", "<h1 align=\"center\">\n  <img src=\"l.png\" alt=\"\"><br>\n  My tool\n</h1>\n\n## Use\n\n## More\n", "My tool"},
		{"x/README.md", "A tool.\n\n## Install\n\n## Use\n", "X"},
		{"README.md", "A tool.\n\n## Install\n\n## Use\n", "Big manual"},
		{"README.md", "# Tool\n", "Tool"},
		{"404.md", "", "404"},
		{"2024.md", "", "2024"},
		{"2023-updates.md", "", "2023 updates"},
		{"5-minute-guide.md", "", "5 minute guide"},
		{"05-guide.md", "", "Guide"},
		{"a.md", "---\nTITLE: Own\n---\n# Other\n", "Own"},
		{"a.md", "---\nLinktitle: Own\n---\n# Other\n", "Own"},
	} {
		m := newMemory()
		mustRun(t, folder(c.name, c.text), m, Options{Name: "big-manual"})
		if have := m.bySource(c.name).Title; have != c.want {
			t.Errorf("%s, %q: have %q, want %q", c.name, c.text, have, c.want)
		}
	}
}

func TestNumbersWithoutOrder(t *testing.T) {
	m := newMemory()
	mustRun(t, folder("404.md", "", "2024.md", "", "2023-updates.md", "", "5-minute-guide.md", "", "03-a.md", ""), m, Options{})
	for _, p := range m.pages {
		if (p.Position != nil) != (p.Source == "03-a.md") {
			t.Errorf("%s: have position %v", p.Source, p.Position)
		}
	}
}

func TestKeysInAnyCase(t *testing.T) {
	m := newMemory()
	tree := folder("a.md", "---\nWeight: 7\nAliases: [/old]\nSlug: New\nTags: [x]\n---\n", "b.md", "---\nSidebar:\n  Order: 2\n---\n")
	mustRun(t, tree, m, Options{})
	a, b := m.bySource("a.md"), m.bySource("b.md")
	if a.Slug != "new" || a.Position == nil || *a.Position != 7*Spacing || len(m.formerOf(a.ID)) != 1 || b.Position == nil || *b.Position != 2*Spacing {
		t.Errorf("have %+v, formerly %v, and %+v", a, m.formerOf(a.ID), b)
	}
	if tags := octavo.Tags(a.Frontmatter); len(tags) != 1 {
		t.Errorf("have the tags %v", tags)
	}
}

func TestMetaLinesInTreesOfMkDocs(t *testing.T) {
	m := newMemory()
	text := "Title:   The title\nDraft: true\nAuthors: A B\n         C D\n\nBody text.\n"
	tree := folder("mkdocs.yml", "site_name: X\n", "docs/a.md", text)
	for range 2 {
		mustRun(t, tree, m, Options{Status: octavo.Published})
		p := m.bySource("a.md")
		if p.Title != "The title" || p.Content != "Body text.\n" || p.Status != octavo.Draft || m.raw[p.ID] != "" ||
			string(p.Frontmatter) != `{"title":"The title","draft":"true","authors":"A B C D"}` {
			t.Errorf("have %+v with %s", p, p.Frontmatter)
		}
	}
	calls := m.calls
	if mustRun(t, tree, m, Options{Status: octavo.Published}); m.calls != calls {
		t.Error("an import of the same changed something")
	}
	mustRun(t, folder("a.md", text), m, Options{Set: "X"})
	if p := m.bySource("a.md"); p.Content != text {
		t.Errorf("in another tree: have %q", p.Content)
	}
}
