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

// TestLanguageOfSite: pages have the language of the site where neither they, nor their
// folders, nor the import say one.
func TestLanguageOfSite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, config, want string }{
		{"docusaurus.config.js", "module.exports = {i18n: {defaultLocale: 'fa', locales: ['fa']}}", "fa"},
		{"docusaurus.config.js", "module.exports = {i18n: {defaultLocale: 'en'}}", ""},
		{".vitepress/config.mts", "export default {lang: 'ja-JP'}", "ja-JP"},
		{".vitepress/config.mts", "export default {lang: 'en', locales: {root: {lang: 'zh-Hans'}}}", "zh-Hans"},
		{"astro.config.mjs", "export default {integrations: [starlight({title: 'T', locales: {root: {lang: 'ko'}}})]}", "ko"},
		{"astro.config.mjs", "export default {integrations: [starlight({title: 'T', defaultLocale: 'root'})]}", ""},
		{"mkdocs.yml", "site_name: T\ntheme:\n  name: material\n  language: he\n", "he"},
		{"mkdocs.yml", "site_name: T\ntheme: material\n", ""},
		{"book.toml", "[book]\nlanguage = \"th\"\n", "th"},
		{"hugo.toml", "languageCode = 'ar-EG'\n", "ar-EG"},
		{"hugo.toml", "defaultContentLanguage = 'ar'\n", "ar"},
		{"_config.yml", "title: T\nlocale: pt_BR\n", "pt-BR"},
		{"_config.yml", "title: T\nlocale: \"no such\"\n", ""},
	} {
		for given, want := range map[string]string{"": c.want, "de": "de"} {
			target := newMemory()
			tree := folder(c.file, c.config)
			for _, name := range []string{"a.md", "docs/a.md", "src/a.md", "src/content/docs/a.md", "content/a.md"} {
				tree[name] = &fstest.MapFile{Data: []byte("# A")}
			}
			mustRun(t, tree, target, Options{Language: given})
			for _, p := range target.pages {
				if p.Language != want {
					t.Errorf("%s with %s, told %q: have %q of %s, want %q", c.file, c.config, given, p.Language, p.Source, want)
				}
			}
		}
	}
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
