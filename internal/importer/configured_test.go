package importer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

func TestReadLenientConfiguration(t *testing.T) {
	checkHeld(t, []heldCase{
		{"a key twice", folder("_config.yml", "title: x\nexclude: [a.md]\nexclude: [b.md]\n", "a.md", "", "b.md", ""), "b.md"},
		{"merge keys", folder("_config.yml", "d: &d {published: false}\ndefaults:\n  - scope: {path: in}\n    values: {<<: *d, title: x}\n  - scope: {path: out}\n    values: {<<: [*d], published: true}\n", "in/a.md", "", "out/b.md", ""), "in/a.md"},
		{"a tag of Ruby", folder("_config.yml", "skip: !ruby/regexp /x/\nexclude: [a.md]\n", "a.md", "", "b.md", ""), "a.md"},
		{"a key of Hugo twice", folder("hugo.yaml", "title: x\ntitle: y\ncascade: {draft: true}\n", "content/a.md", ""), "content/a.md"},
		{"no number", folder("hugo.toml", "x = nan\ny = [1]\nz = -inf\n[cascade]\ndraft = true\n", "content/a.md", ""), "content/a.md"},
		{"a last comma", folder("docs.json", "{\"navigation\": {\"pages\": [\"a\",],},}", "a.mdx", "", "b.mdx", ""), "b.mdx"},
		{"an alias in MkDocs", folder("mkdocs.yml", "x: &x a.md\nexclude_docs: *x\n", "docs/a.md", "", "docs/b.md", ""), "a.md"},
		{"a list as data", folder("posts/posts.json", "[1, 2]", "posts/a.md", ""), ""},
		{"another program's configuration", folder("config.json", "{{ x }}", "a.md", ""), ""},
		{"an empty configuration", folder("_config.yml", "# nothing\n", "a.md", ""), ""},
	})
}

func TestUnreadableConfiguration(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 8 {
		bomb += string(rune('b'+i)) + ": &" + string(rune('b'+i)) + " [" + strings.TrimSuffix(strings.Repeat("*"+string(rune('a'+i))+", ", 10), ", ") + "]\n"
	}
	for file, text := range map[string]string{
		"_config.yml": "exclude:\n\t- a.md\n", "sub/_config.yml": "title: x: y\n", "hugo.toml": "draft =\n", "sub/hugo.yaml": bomb, "sub/.meta.yml": "draft: [",
		"sub/sub.json": "{draft}", "docs.json": "{'navigation': {}}", "sub/mkdocs.yml": "exclude_docs: [\n", "_config.yaml": "just text", "sub/book/.meta.yml": "a: &a {<<: *a}\n",
	} {
		m := newMemory()
		report := mustRun(t, folder(file, text, "a.md", "", "sub/a.md", "", "sub/book/a.md", ""), m, Options{Status: octavo.Published})
		noted := 0
		for _, e := range report {
			dir, _, nested := strings.Cut(file, "/")
			if strings.HasPrefix(file, "sub/book/") {
				dir = "sub/book"
			}
			held := !nested || strings.HasPrefix(e.Path, dir+"/")
			switch p := m.bySource(e.Path); {
			case e.Path == file && strings.Contains(notesOf(e), "it cannot be read, so all pages that it affects become drafts: "):
				noted++
			case p != nil && (p.Status == octavo.Draft) != held, p != nil && strings.Contains(notesOf(e), file+" cannot be read") != held:
				t.Errorf("%s: %s is %s, notes %s", file, e.Path, p.Status, notesOf(e))
			}
		}
		if noted != 1 {
			t.Errorf("%s: it is noted %d times", file, noted)
		}
	}
	m := newMemory()
	report := mustRun(t, folder("mkdocs.yml", "nav: [\n", "docs/a.md", ""), m, Options{Status: octavo.Published})
	if m.bySource("a.md").Status != octavo.Draft || !strings.Contains(notesOf(report[1]), "all pages become drafts") {
		t.Errorf("mkdocs.yml: have %v", report)
	}
}

func TestConfigurationBelowTheRoot(t *testing.T) {
	checkHeld(t, []heldCase{
		{"MkDocs", folder("website/mkdocs.yml", "docs_dir: text\nexclude_docs: /a.md\nnav: [b.md]\n", "website/text/a.md", "", "website/text/b.md", "", "text/a.md", ""), "website/text/a.md"},
		{"Jekyll", folder("docs/_config.yml", "exclude: [a.md]\ndefaults: [{scope: {path: in}, values: {published: false}}]\n", "docs/a.md", "", "docs/in/b.md", "", "a.md", "", "in/b.md", ""), "docs/a.md docs/in/b.md"},
		{"Hugo", folder("site/hugo.toml", "cascade.draft = true\n", "site/content/a.md", "", "a.md", ""), "site/content/a.md"},
		{"Hugo of old", folder("site/config.toml", "cascade.draft = true\n", "site/content/a.md", "", "other/config.toml", "cascade.draft = true\n", "other/a.md", ""), "site/content/a.md"},
		{"a folder of Hugo", folder("site/config/_default/cascade.yaml", "draft: true\n", "site/content/a.md", "", "a.md", ""), "site/content/a.md"},
		{"Mintlify", folder("docs/docs.json", `{"navigation": {"pages": ["a"]}}`, "docs/a.mdx", "", "docs/b.mdx", "", "b.mdx", ""), "docs/b.mdx"},
		{"Docusaurus", folder("website/docusaurus.config.js", "", "website/docs/_h/a.md", "", "_h/a.md", ""), "website/docs/_h/a.md"},
		{"mdBook", folder("guide/book.toml", "", "guide/src/SUMMARY.md", "[A](a.md)\n", "guide/src/a.md", "", "guide/src/b.md", "", "b.md", ""), "guide/src/b.md"},
		{"patterns of Mintlify", folder("docs/.mintignore", "/x/\n", "docs/x/a.md", "", "x/a.md", ""), "docs/x/a.md"},
	})
}

func TestBundleResources(t *testing.T) {
	held, zola := "---\ndraft: true\n---\n", "base_url = 'https://example.com'\n"
	checkHeld(t, []heldCase{
		{"resources in Hugo", folder("hugo.toml", "", "content/d/index.md", held, "content/d/r.md", "---\ndraft: false\n---\n", "content/d/sub/r.md", "", "content/e/index.md", "", "content/e/r.md", "", "content/f.md", ""), "content/d/index.md content/d/r.md content/d/sub/r.md"},
		{"of a headless page", folder("content/_index.md", "", "content/d/index.md", "---\nheadless: true\n---\n", "content/d/r.md", ""), "content/d/index.md content/d/r.md"},
		{"of a page to come", folder("config.toml", "", "content/d/index.md", "---\nexpiryDate: 2020-01-01\n---\n", "content/d/r.md", ""), "content/d/index.md content/d/r.md"},
		{"in two languages", folder("hugo.toml", "", "d/index.en.md", held, "d/index.fr.md", "", "d/r.md", "", "e/index.en.md", held, "e/index.pt-br.md", held, "e/r.md", ""), "d/index.en.md e/index.en.md e/index.pt-br.md e/r.md"},
		{"held back by a cascade", folder("hugo.toml", "", "a/_index.md", "---\ncascade: {draft: true}\n---\n", "a/d/index.md", "", "a/d/r.md", "---\ndraft: false\n---\n"), "a/d/index.md a/d/r.md"},
		{"another generator", folder("d/index.md", held, "d/r.md", "", "hugo/content/_index.md", ""), "d/index.md"},
		{"a section of Zola", folder("config.toml", zola, "content/s/_index.md", held, "content/s/a.md", "", "content/s/t/b.md", "", "content/c.md", ""), "content/s/_index.md content/s/a.md content/s/t/b.md"},
		{"a section of Hugo", folder("hugo.toml", "", "content/s/_index.md", held, "content/s/a.md", ""), "content/s/_index.md"},
		{"a section of Hugo in a language", folder("a/_index.en.md", "---\ncascade: {draft: true}\n---\n", "a/x.en.md", "", "b/_index.pt-br.md", "---\ncascade: {draft: true}\n---\n", "b/y.md", "", "z.md", ""), "a/x.en.md b/y.md"},
	})
}

func TestExclusionLists(t *testing.T) {
	checkHeld(t, []heldCase{
		{"VitePress", folder(".vitepress/config.mts", "export default {\n  // srcExclude: ['b.md'],\n  srcExclude: ['**/TODO.md', \"in/*.md\"],\n}", "TODO.md", "", "x/TODO.md", "", "in/a.md", "", "x/in/a.md", "", "b.md", ""), "TODO.md in/a.md x/TODO.md"},
		{"a folder of configuration in VitePress", folder("docs/.vitepress/config/index.ts", "export default { srcExclude: [`a.md`] }", "docs/a.md", "", "docs/b.md", ""), "docs/a.md"},
		{"a route of VitePress", folder(".vitepress/config.ts", "export default {}", "a/[id].md", "", "a/[id].paths.ts", "export default {}", "b/[id].md", "", "a/id.md", ""), "a/[id].md"},
		{"VuePress", folder(".vuepress/config.js", "export default { pagePatterns: ['**/*.md', '!drafty/**', '!.vuepress'] }", "drafty/a.md", "", "b.md", ""), "drafty/a.md"},
		{"code of Eleventy", folder(".eleventy.js", "eleventyConfig.ignores.add('in/**');\neleventyConfig.ignores.add(`c.md`)", "in/a.md", "", "b.md", "", "c.md", ""), "c.md in/a.md"},
		{"Quartz", folder("quartz.config.ts", "ignorePatterns: [\"private\", \"templates\", \".obsidian\"],", "content/private/a.md", "", "content/b.md", ""), "content/private/a.md"},
		{"DocFX", folder("docfx.json", `{"build": {"content": [{"files": ["**/*.md"], "exclude": ["obj/**", "in/**"]}]}}`, "in/a.md", "", "b.md", ""), "in/a.md"},
		{"MyST", folder("myst.yml", "project:\n  exclude:\n    - a.md\n    - in/**\n", "a.md", "", "in/c.md", "", "b.md", "", "x/a.md", ""), "a.md in/c.md"},
		{"Pelican", folder("pelicanconf.py", "IGNORE_FILES = ['*.wip.md']\nARTICLE_EXCLUDES = ['notes']\n", "content/a.wip.md", "", "content/notes/x.md", "", "content/b.md", ""), "content/a.wip.md content/notes/x.md"},
		{"drafts of Quarto", folder("_quarto.yml", "website:\n  drafts: [a.md]\n", "a.md", "", "b.md", ""), "a.md"},
		{"mounts of Hugo", folder("hugo.toml", "[[module.mounts]]\nsource='content'\nexcludeFiles='private/**'\n", "content/private/a.md", "", "content/b.md", ""), "content/private/a.md"},
		{"what is written out of a list", folder("docusaurus.config.ts", "exclude: [\n...defaults, '!(x).md', '**/_*.{md,mdx}', 'in/**',\n]", "docs/in/a.md", "", "docs/b.md", ""), "docs/in/a.md"},
		{"the folder of VitePress", folder("docs/.vitepress/config.js", "export default { srcDir: './src', srcExclude: ['a.md'] }", "docs/src/a.md", "", "docs/b.md", ""), "docs/src/a.md"},
		{"the folder of Docusaurus", folder("website/docusaurus.config.js", "docs: { path: '../docs', exclude: ['in/**'] }", "docs/in/a.md", "", "docs/_x/b.md", "", "website/in/c.md", "", "in/d.md", "", "_y/e.md", ""), "docs/_x/b.md docs/in/a.md website/in/c.md"},
		{"Docusaurus", folder("docusaurus.config.js", "presets: [['classic', {\n docs: {exclude: ['in/**',\n 'c.md']}, blog: {exclude: ['d.md']}}]]", "docs/in/a.md", "", "docs/b.md", "", "docs/c.md", "", "blog/d.md", ""), "blog/d.md docs/c.md docs/in/a.md"},
		{"Sphinx", folder("docs/conf.py", "exclude_patterns = [\n    '_build',  # made\n    \"in/**\",\n]\n", "docs/_build/a.md", "", "docs/in/x/b.md", "", "in/c.md", ""), "docs/_build/a.md docs/in/x/b.md"},
		{"Hugo", folder("hugo.toml", "ignoreFiles = [\"\\\\.wip\\\\.md$\", '/in/']\n", "content/a.wip.md", "", "content/in/b.md", "", "content/wip.md", ""), "content/a.wip.md content/in/b.md"},
		{"Zola", folder("config.toml", "ignored_content = ['*.wip.md']\n", "content/a/b.wip.md", "", "content/c.md", ""), "content/a/b.wip.md"},
		{"Quarto", folder("_quarto.yml", "project:\n  render:\n    - in/\n    - \"*.x.md\"\n    - '!in/c.md'\n", "in/a.md", "", "b.x.md", "", "in/c.md", "", "d.md", ""), "d.md in/c.md"},
		{"all of Quarto but", folder("_quarto.yml", "project:\n  render: ['!in/']\n", "in/a.md", "", "b.md", ""), "in/a.md"},
		{"Retype", folder("retype.yml", "exclude:\n  - in/\n  - '*.x.md'\ninput: .\n", "in/a.md", "", "b.x.md", "", "c.md", ""), "b.x.md in/a.md"},
		{"the summary of GitBook", folder(".gitbook.yaml", "root: ./text/\nstructure:\n  summary: toc/list.md\n", "text/toc/list.md", "[A](../a.md)", "text/a.md", "", "text/b.md", "", "c.md", ""), "text/b.md"},
		{"bases of MkDocs without end", folder("mkdocs.yml", "INHERIT: mkdocs.yml\nexclude_docs: a.md\n", "docs/a.md", "", "docs/b.md", ""), "a.md"},
		{"a base of MkDocs", folder("mkdocs.yml", "INHERIT: base/mkdocs.yml\nsite_name: x\n", "base/mkdocs.yml", "exclude_docs: a.md\n", "docs/a.md", "", "docs/b.md", ""), "a.md"},
	})
}

func TestUnsupportedExclusionLists(t *testing.T) {
	for _, c := range []struct{ file, text, note string }{
		{".vitepress/config.js", "import x from 'x'\nexport default {\n  srcExclude: x,\n}", "3 srcExclude is not understood"},
		{"docusaurus.config.js", "docs: {\n exclude: ['!(a).md'],\n}", "2 exclude is not understood"},
		{"conf.py", "exclude_patterns = ['a'] + more", "1 exclude_patterns is not understood"},
		{"hugo.toml", "ignoreFiles = ['(']", "1 ignoreFiles is not understood"},
		{"mkdocs.yml", "site_name: x\nexclude_docs: !ENV [X, a.md]\n", "2 exclude_docs is not understood"},
		{"mkdocs.yml", "site_name: x\nINHERIT: ../base.yml\n", "2 INHERIT is not understood"},
	} {
		m := newMemory()
		var notes []string
		for _, e := range mustRun(t, folder(c.file, c.text, "docs/a.md", ""), m, Options{Status: octavo.Published}) {
			for _, n := range e.Notes {
				if e.Path == c.file {
					notes = append(notes, fmt.Sprint(n.Line, " ", n.Message))
				}
			}
		}
		if have := strings.Join(notes, "; "); !strings.Contains(have, c.note) {
			t.Errorf("%s: have %q, want %q", c.text, have, c.note)
		}
	}
}

func TestHugoFoldersWithoutPages(t *testing.T) {
	m := newMemory()
	report := mustRun(t, folder("site/config.toml", "", "site/content/a.md", "", "site/layouts/x.md", "", "site/archetypes/default.md", "", "site/themes/t/README.md", "", "site/themes/t/b.md", "", "themes/c.md", ""), m, Options{})
	var told []string
	for _, e := range report {
		if strings.Contains(notesOf(e), "Hugo has no pages in this folder") {
			told = append(told, e.Path)
		}
	}
	if have := strings.Join(told, " "); have != "site/archetypes site/layouts site/themes" || len(m.pages) != 2 {
		t.Errorf("have %d pages, and these folders: %s", len(m.pages), have)
	}
}

// TestHugoContent holds that only files of the folders of content are pages, those in HTML with
// front matter as well.
func TestHugoContent(t *testing.T) {
	m := newMemory()
	tree := folder("hugo.yaml", "module:\n  mounts:\n    - source: more\n      target: content/more\n", "README.md", "", "tests/t.md", "", "more/m.md", "", "docs/_index.md", "", "docs/d.md", "", "content/a.md", "[home](/)", "content/en/c.md", "c", "static/_redirects", "/old/ /c/ 301!\n",
		"content/_index.html", "---\ntitle: Home\ncascade:\n  type: x\n---\n<div>\n\n    <p>*a*</p>\n<pre>\n    b\n</pre>\n</div>\n", "content/part.html", "<p>", "content/b.html", "-")
	report := mustRun(t, tree, m, Options{Status: octavo.Published})
	var pages []string
	for _, p := range m.pages {
		pages = append(pages, p.Source)
		if p.Source == "content/_index.html" && (p.Title != "Home" || !strings.HasSuffix(p.Content, "<div>\n\n<p>*a*</p>\n<pre>\n    b\n</pre>\n</div>\n")) {
			t.Errorf("have %q: %q", p.Title, p.Content)
		}
	}
	slices.Sort(pages)
	if have := strings.Join(pages, " "); have != "content/_index.html content/a.md content/en/_index.md content/en/c.md docs/_index.md docs/d.md more/m.md" {
		t.Errorf("have these pages: %s", have)
	}
	for _, e := range report {
		if notes := notesOf(e); e.Path == "content/a.md" && notes != "" || e.Path == "static/_redirects" && strings.Contains(notes, "no page /c") || e.Path == "tests/t.md" && !strings.Contains(notes, "not in the folder of content") {
			t.Errorf("%s: have %q", e.Path, notes)
		}
	}
	for _, e := range mustRun(t, tree, m, Options{Status: octavo.Published}) {
		if e.Action != Unchanged && e.Action != Skipped {
			t.Errorf("the second time: have %s of %s", e.Action, e.Path)
		}
	}
}

func TestResourcesFollowTheirPage(t *testing.T) {
	m := newMemory()
	for _, c := range []struct {
		front string
		want  octavo.PageStatus
	}{{"", octavo.Published}, {"draft: true\n", octavo.Draft}, {"draft: false\n", octavo.Published}} {
		mustRun(t, folder("hugo.toml", "", "content/d/index.md", "---\ntitle: x\n"+c.front+"---\n", "content/d/r.md", "text"), m, Options{Status: octavo.Published})
		if have := m.bySource("content/d/r.md").Status; have != c.want {
			t.Errorf("%q: have %s, want %s", c.front, have, c.want)
		}
	}
}

// TestOutsideOfTheSite: in a repository, texts beside the folders of the pages are drafts.
func TestOutsideOfTheSite(t *testing.T) {
	t.Parallel()
	checkHeld(t, []heldCase{
		{"Docusaurus", folder(
			"package.json", "{}", "README.md", "", "docs/a.md", "", "more/b.md", "", "samples/c.md", "", "website/docusaurus.config.js", "module.exports = {presets: [['classic', {docs: {path: '../docs'}}]], plugins: [['content-docs', {path: '../more'}]]}",
			"website/README.md", "", "website/blog/d.md", "", "website/src/pages/e.md", "", "website/more_versioned_docs/version-1/f.md", "",
		), "README.md samples/c.md website/README.md"},
		{"Starlight", folder(".git/HEAD", "x", "astro.config.mjs", "", "README.md", "", "src/content/docs/a.md", "", "src/content/notes/b.md", ""), "README.md"},
		{"VitePress", folder("LICENSE", "", "README.md", "", "docs/.vitepress/config.ts", "export default {}", "docs/a.md", "", "other/book.toml", "", "other/src/SUMMARY.md", "[B](b.md)", "other/src/b.md", ""), "README.md"},
		{"Nextra", folder(
			"package.json", "{}", "README.md", "", "next.config.js", "", "app/_meta.global.js", "export default {}", "app/a/page.mdx", "import Part from './part.mdx'\n\n<Part />\n", "app/a/part.mdx", "", "app/a/old.mdx", "", "content/b.mdx", "", "components/c.mdx", "",
		), "README.md app/a/old.mdx components/c.mdx"},
		{"MkDocs", folder("go.mod", "", "README.md", "", "docs/mkdocs.yml", "docs_dir: content\n", "docs/readme.md", "", "docs/content/a.md", "", "ui/b.md", ""), "README.md docs/readme.md ui/b.md"},
		{"MkDocs at the root", folder("go.mod", "", "README.md", "", "mkdocs.yml", "site_name: x\n", "docs/a.md", ""), ""},
		{"Docsify", folder("package.json", "{}", "README.md", "", "docs/_sidebar.md", "* [A](a.md)", "docs/index.html", "", "docs/a.md", ""), "README.md"},
		{"Docsify at the root", folder("package.json", "{}", "README.md", "", "index.html", "", "a.md", "", "de/_sidebar.md", "* [A](a.md)", "de/a.md", ""), ""},
		{"no repository", folder("README.md", "", "docs/.vitepress/config.ts", "export default {}", "docs/a.md", ""), ""},
	})
}
