package importer

import (
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
)

// TestLanguageOfImport shows that front matter counts before the folder, and that
// before what the import is told; and that a run changes what says another one.
func TestLanguageOfImport(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{
		"en/a.md": {Data: []byte("# A")},
		"ar/a.md": {Data: []byte("# A")},
		"ar/b.md": {Data: []byte("---\nlang: fa\n---\n# B")},
		"c.md":    {Data: []byte("# C")},
		"d.md":    {Data: []byte("---\nlanguage: de\n---\n# D")},
	}
	target := newMemory()
	run := func(language string, want map[string]string, changed int) {
		t.Helper()
		counts := mustRun(t, tree, target, Options{Language: language}).Counts()
		if have := counts.Created + counts.Updated; have != changed {
			t.Errorf("%q: have %d pages changed, want %d", language, have, changed)
		}
		for file, want := range want {
			if have := target.bySource(file).Language; have != want {
				t.Errorf("%q: %s: have %q, want %q", language, file, have, want)
			}
		}
	}
	want := map[string]string{"en/a.md": "en", "ar/a.md": "ar", "ar/b.md": "fa", "c.md": "he", "d.md": "de"}
	run("he", want, 5)
	run("he", want, 0)
	want["c.md"] = ""
	run("", want, 1)
	for _, p := range target.pages { // as an earlier version left them
		p.Language = octavo.Language(p.Frontmatter)
	}
	run("", want, 2)
	run("", want, 0)
}
