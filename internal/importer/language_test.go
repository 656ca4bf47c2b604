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

// TestDialectOfImport: the pages of an import have its dialect, by which their files are
// read, and keep the one that they have where it says none.
func TestDialectOfImport(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"a.md": {Data: []byte("# A {'B'}")}}
	target := newMemory()
	for _, c := range []struct {
		given, want octavo.Dialect
		title       string
		changed     int
	}{
		{"", "", "A {'B'}", 1},
		{octavo.DialectMDX, octavo.DialectMDX, "A B", 1},
		{octavo.DialectMDX, octavo.DialectMDX, "A B", 0},
		{octavo.DialectHugo, octavo.DialectHugo, "A {'B'}", 1},
		{"", octavo.DialectHugo, "A {'B'}", 0},
	} {
		counts := mustRun(t, tree, target, Options{Dialect: c.given}).Counts()
		p := target.bySource("a.md")
		if changed := counts.Created + counts.Updated; changed != c.changed || p.Dialect != c.want || p.Title != c.title {
			t.Errorf("%q: have %d changed, dialect %q and title %q, want %+v", c.given, changed, p.Dialect, p.Title, c)
		}
	}
}
