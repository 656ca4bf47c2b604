package importer

import (
	"testing"

	"github.com/octavo-docs/octavo"
)

// TestReaderAgreesWithImport compares the result of a Reader with the imported page.
func TestReaderAgreesWithImport(t *testing.T) {
	t.Parallel()
	reader := NewReader()
	for _, c := range []struct{ name, text string }{
		{"a.md", "# Title\n\ntext [x]\n\n[x]: y\n"},
		{"a.md", "# Title [x]\n\n[x]: y\n"},
		{"a.md", "text\n\n## Later `code`\n"},
		{"a.md", "text alone"},
		{"a.md", ""},
		{"2-a b.md", "\ufeff# Title\r\n"},
		{"guide/index.md", "---\nslug: /other\nsidebar_position: 3\ndraft: true\n---\n# Title\n"},
		{"guide/03-README.md", "+++\ntitle = \"Own\"\n+++\n# Title\n"},
		{"a.md", "---\ntitle: x\nbad: [\n---\n# Title\n"},
		{"a.md", "---\ntitle: x\nbad: [\n---\ntext\n"},
		{"a.md", "---\ntitle: x\n# Title\n"},
		{"a.md", "+++\na = \n+++\n# Title\n"},
		{"a.md", ";;;\n{\"a\": 1, \"a\": 2}\n;;;\n\nTitle\n=====\n"},
		{"a.md", "{\"a\": \"\\ud800\"}\n# Title\n"},
		{"a.md", "---\n\n# Title\n---\n\n# Second\n"},
		{"a.md", "---\n- a\n---\n# Title\n"},
		{"a.md", "---\nformat: mdx\n---\n<Note>\n# Title {1}\n</Note>\n"},
		{"a.md", "import A from 'a'\n\n<A>\n    # Title\n</A>\n"},
		{"a.mdx", "# Title {1 +\n1}\n"},
	} {
		target := newMemory()
		mustRun(t, folder(c.name, c.text), target, Options{Status: octavo.Published})
		p, have := target.bySource(c.name), reader.Read(c.name, []byte(c.text))
		if have.Title != p.Title || have.Slug != p.Slug || have.Draft != (p.Status == octavo.Draft) || !samePosition(have.Position, p.Position) {
			t.Errorf("Read(%q, %q): have %+v, want the page %q at %q, %s, position %v", c.name, c.text, have, p.Title, p.Slug, p.Status, p.Position)
		}
	}
}
