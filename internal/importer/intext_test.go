package importer

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

// TestStatusFollowsMarksInText checks that a page becomes a draft when its text comes
// to hold it back, as with front matter.
func TestStatusFollowsMarksInText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, before, held string }{
		{"a.md", "# A\n", "\n---\ndraft: true\n---\n# A\n"},
		{"a.md", "---\ntitle: A\n---\n# A\n", "\n---\ntitle: A\ndraft: true\n---\n# A\n"},
		{"a.mdx", "---\ntitle: A\n---\n# A\n", "---\ntitle: A\n---\nexport const metadata = { draft: true }\n\n# A\n"},
	} {
		m := newMemory()
		opts := Options{Status: octavo.Published}
		for i, text := range []string{c.before, c.held, c.held + "more\n", c.before, c.held} {
			notes := notesOf(mustRun(t, folder(c.file, text), m, opts)[0])
			want := octavo.Draft
			if text == c.before {
				want = octavo.Published
			}
			if have := m.bySource(c.file).Status; have != want || strings.Contains(notes, "stays published") {
				t.Errorf("%s, %q: have %s, %q; want %s", c.file, text, have, notes, want)
			}
			if i == 1 { // published in the target, which stays
				m.bySource(c.file).Status = octavo.Published
				if notes = notesOf(mustRun(t, folder(c.file, text), m, opts)[0]); !strings.Contains(notes, "stays published, because its status was changed") {
					t.Errorf("%s: have %q", c.file, notes)
				}
				m.bySource(c.file).Status = octavo.Draft
			}
		}
	}
}

// TestRuleKeepsStatus checks that a rule that comes to cover a published page is
// named as what does not change it, and that the page's own file still does.
func TestRuleKeepsStatus(t *testing.T) {
	t.Parallel()
	m := newMemory()
	run := func(text string) string {
		for _, e := range mustRun(t, folder("a.md", text, ".mintignore", "a.md\n", "docs.json", `{"name": "x"}`), m, Options{Status: octavo.Published}) {
			if e.Path == "a.md" {
				return notesOf(e)
			}
		}
		return ""
	}
	mustRun(t, folder("a.md", "# A\n", "docs.json", `{"name": "x"}`), m, Options{Status: octavo.Published})
	if have, want := run("# A\n"), "the page stays published, and its status does not change: it is left out (.mintignore)"; have != want || m.bySource("a.md").Status != octavo.Published {
		t.Errorf("have %s, %q; want it published, %q", m.bySource("a.md").Status, have, want)
	}
	if have := run("---\ndraft: true\n---\n# A\n"); m.bySource("a.md").Status != octavo.Draft || !strings.HasPrefix(have, "kept as a draft: draft is true") {
		t.Errorf("have %s, %q; want a draft", m.bySource("a.md").Status, have)
	}
}
