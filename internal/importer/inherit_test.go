package importer

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
)

// heldCase is a tree, and which of its files are held back.
type heldCase struct {
	name string
	tree fstest.MapFS
	held string // files, in order
}

func TestDraftsByConfiguration(t *testing.T) {
	checkHeld(t, []heldCase{
		{"cascade of Hugo", folder("a/_index.md", "---\ncascade:\n  draft: true\n---\n", "a/x.md", "", "a/b/y.md", "---\ndraft: false\n---\n", "z.md", ""), "a/x.md"},
		{"cascades of Hugo", folder("a/_index.md", "+++\n[[cascade]]\n[cascade.build]\nrender = \"never\"\n+++\n", "a/x.md", "", "z.md", ""), "a/x.md"},
		{"cascade of the site", folder("hugo.toml", "[cascade]\ndraft = true\n", "a.md", "", "b.md", "---\ndraft: no\n---\n"), "a.md"},
		{"a cascade for a path", folder("hugo.toml", "[[cascade]]\ndraft = true\n[cascade.target]\npath = '/private/**'\n", "content/private/a.md", "", "content/b.md", ""), "content/private/a.md"},
		{"a cascade for paths", folder("a/_index.md", "---\ncascade:\n  - _target: {path: '/a/{x,y}'}\n    draft: true\n  - _target: {path: /a/z}\n    draft: false\n---\n", "a/x.md", "", "b.md", ""), "a/x.md"},
		{"a cascade in a folder of Hugo", folder("config/_default/hugo.yaml", "cascade: {draft: true}", "a.md", ""), "a.md"},
		{"a cascade in a file of Hugo", folder("config/_default/cascade.toml", "draft = true", "a.md", ""), "a.md"},
		{"exclude of MkDocs", folder("mkdocs.yml", "plugins:\n  - search\n  - exclude:\n      glob: [secret*, '*/notes/*']\n", "docs/secret-a.md", "", "docs/a/b/notes/c.md", "", "docs/d.md", ""), "a/b/notes/c.md mkdocs.yml/a mkdocs.yml/a/b mkdocs.yml/a/b/notes secret-a.md"},
		{"ignored by Eleventy", folder(".eleventyignore", "drafty/\n", "drafty/a.md", "", "b.md", ""), "drafty/a.md"},
		{"a date of a cascade", folder("a/_index.md", "---\ncascade:\n  publishDate: 2099-01-01\n---\n", "a/x.md", ""), "a/x.md"},
		{"defaults of Jekyll", folder("_config.yml", "defaults:\n  - scope: {path: internal}\n    values: {published: false}\n", "internal/a.md", "", "internal/b.md", "---\npublished: true\n---\n", "c.md", ""), "internal/a.md"},
		{"exclude of Jekyll", folder("_config.yml", "exclude: [README.md, vendor/, '*.tmp.md']\n", "README.md", "", "a/README.md", "", "vendor/x.md", "", "b.tmp.md", ""), "README.md b.tmp.md vendor/x.md"},
		{"collections of Jekyll", folder("_config.yml", "collections:\n  docs: {output: true}\n  notes: {output: false}\n", "_docs/a.md", "", "_notes/b.md", "", "_other/c.md", "", "_posts/2020-01-01-d.md", ""), "_notes/b.md _other/c.md"},
		{"Jekyll without collections", folder("_config.yml", "include: [_pages]\n", "_docs/a.md", "", "_layouts/b/c.md", "", "_pages/d.md", "", "_posts/2020-01-01-e.md", ""), "_docs/a.md _layouts/b/c.md"},
		{"a list of collections", folder("_config.yml", "collections: [notes]\n", "_notes/a.md", "", "b.md", ""), "_notes/a.md"},
		{"Jupyter Book", folder("_config.yml", "title: x\n", "_toc.yml", "", "_notes/a.md", ""), ""},
		{"patterns of Jekyll", folder("_config.yml", "defaults:\n  - scope: {path: 'p*'}\n    values: {published: false}\n  - scope: {path: 'in/*/x'}\n    values: {published: false}\nexclude: ./s.md\n", "pq/a.md", "", "q/pq/a.md", "", "in/b/x/c.md", "", "s.md", "", "a/s.md", ""), "in/b/x/c.md pq/a.md s.md"},
		{"Jekyll in TOML", folder("_config.toml", "exclude = 'secret'\n", "secret/a.md", "", "b.md", ""), "secret/a.md"},
		{"exclude_docs of MkDocs", folder("mkdocs.yml", "exclude_docs: |\n  # drafts\n  *.wip.md\n  /notes/\n  !keep.wip.md\ndraft_docs: |\n  next/\n", "docs/a.wip.md", "", "docs/keep.wip.md", "", "docs/notes/x.md", "", "docs/b/notes/y.md", "", "docs/c/next/z.md", ""), "a.wip.md c/next/z.md mkdocs.yml/c mkdocs.yml/c/next mkdocs.yml/notes notes/x.md"},
		{"underscores of Docusaurus", folder("docusaurus.config.ts", "", "docs/_team/a.md", "", "docs/b.md", ""), "docs/_team/a.md"},
		{"hidden in Nextra", folder("pages/_meta.json", `{"a": {"title": "A", "display": "hidden"}, "b": "B"}`, "pages/a.mdx", "", "pages/a/x.mdx", "", "pages/b.mdx", ""), "pages/a.mdx pages/a/x.mdx"},
		{"hidden in Nextra's script", folder("_meta.ts", "export default { a: { display: 'hidden' }, b: { title: 'B' } }", "a.mdx", "", "b.mdx", ""), "a.mdx"},
		{"hidden in Nextra, deep", folder("_meta.js", "export default {\n // c: { display: 'hidden' },\n a: { theme: { toc: false }, title: 'A', display: `hidden` }, b: {display: 'normal'}, d: { items: { e: { display: \"hidden\" } } } }", "a.mdx", "", "b.mdx", "", "c.mdx", "", "d/e.mdx", "", "d/f.mdx", ""), "a.mdx d/e.mdx"},
		{"hidden in Nextra but one", folder("in/_meta.ts", "const meta: Meta = { '*': { display: 'hidden' }, b: { display: 'normal' } }", "in/a.mdx", "", "in/b.mdx", "", "c.mdx", ""), "in/a.mdx"},
		{"hidden in Nextra for all", folder("_meta.global.ts", "export default { docs: { type: 'page', items: { a: { display: 'hidden' }, b: 'B' } } }", "content/docs/a.mdx", "", "content/docs/b.mdx", "", "a.mdx", ""), "content/docs/a.mdx"},
		{"data of a page of Eleventy", folder("posts/a.11tydata.json", `{"draft": true}`, "posts/a.md", "", "posts/b.md", ""), "posts/a.md"},
		{"data beside a page", folder("a.json", `{"password": "x"}`, "a.md", ""), ""},
		{"ignored by Hexo", folder("_config.yml", "ignore:\n  - '**/secret'\n", "source/secret/a.md", "", "b.md", ""), "source/secret/a.md"},
		{"underscores of Quarto", folder("_quarto.yml", "project: {type: website}\n", "_notes/a.md", "", "b.md", ""), "_notes/a.md"},
		{"switched off in Docusaurus", folder("docusaurus.config.js", "{ docs: {},\n  // docs: false\n blog: false }", "blog/a.md", "", "docs/b.md", ""), "blog/a.md"},
		{"expressions of MkDocs", folder("mkdocs.yml", "plugins:\n  - exclude:\n      glob: secret*\n      regex: ['.*\\.wip\\.md$']\n", "docs/secret.md", "", "docs/a.wip.md", "", "docs/b.md", ""), "a.wip.md secret.md"},
		{"templates in MkDocs", folder("mkdocs.yml", "site_name: x\n", "docs/templates/a.md", "", "docs/b/templates/c.md", ""), "mkdocs.yml/templates templates/a.md"},
		{"templates in MkDocs after all", folder("mkdocs.yml", "exclude_docs: '!/templates/'\n", "docs/templates/a.md", ""), ""},
		{"the folder of mdBook", folder("book.toml", "[book]\nsrc = 'text'\n", "text/SUMMARY.md", "[A](a.md)\n<!-- [B](b.md) -->", "text/a.md", "", "text/b.md", "", "src/x.md", ""), "text/b.md"},
		{"GitBook without a configuration", folder(".gitbook/assets/a.png", "x", "SUMMARY.md", "* [A](a.md)\n", "README.md", "", "a.md", "", "b.md", ""), "b.md"},
		{"not in the summary", folder("book.toml", "", "src/SUMMARY.md", "- [A](a.md)\n- [C](b/c.md)\n", "src/README.md", "", "src/a.md", "", "src/b/c.md", "", "src/b/d.md", ""), "src/b/d.md"},
		{"not in the summary of GitBook", folder(".gitbook.yaml", "root: ./", "SUMMARY.md", "* [A](a.md)\n", "README.md", "", "a.md", "", "b.md", ""), "b.md"},
		{"not in the navigation of Mintlify", folder("docs.json", `{"navigation": {"groups": [{"group": "G", "pages": ["a", {"group": "H", "pages": ["b/c"]}]}]}}`, "a.mdx", "", "b/c.mdx", "", "b/d.mdx", ""), "b/d.mdx"},
		{"a navigation in parts", folder("docs.json", `{"navigation": {"groups": [{"pages": ["a"]}, {"$ref": "nav/x.json"}]}}`, "nav/x.json", `[{"pages": ["b"]}]`, "a.mdx", "", "b.mdx", "", "c.mdx", ""), "c.mdx"},
		{"a navigation without a part", folder("docs.json", `{"navigation": {"groups": [{"pages": ["a"]}, {"$ref": "x.json"}]}}`, "a.mdx", "", "b.mdx", ""), "a.mdx b.mdx"},
		{"a navigation that is its own part", folder("docs.json", `{"navigation": {"pages": ["a", {"$ref": "docs.json"}, {"$ref": "docs.json"}]}}`, "a.mdx", "", "b.mdx", ""), "a.mdx b.mdx"},
		{"hidden in Mintlify", folder("docs.json", `{"navigation": {"languages": [{"language": "en", "tabs": [{"tab": "T", "pages": ["a", "d"]}, {"tab": "S", "hidden": true, "groups": [{"group": "G", "pages": ["b", "d"]}]}]}]}}`, "a.mdx", "", "b.mdx", "", "d.mdx", ""), "b.mdx docs.json/s docs.json/s/g"},
		{"all hidden in Mintlify", folder("docs.json", `{"navigation": {"groups": [{"hidden": true, "pages": ["a"]}]}}`, "a.mdx", ""), "a.mdx"},
		{"another docs.json", folder("docs.json", `{"navigation": {}}`, "a.mdx", ""), ""},
		{"data of Eleventy", folder("posts/posts.json", `{"permalink": false}`, "posts/a.md", "", "b.md", ""), "posts/a.md"},
		{"meta of Material", folder("posts/.meta.yml", "draft: true", "posts/a.md", "", "b.md", ""), "posts/a.md"},
		{"ignored by Mintlify", folder(".mintignore", "drafty/\n*.old.mdx\n", "drafty/a.mdx", "", "b.old.mdx", "", "c.mdx", ""), "b.old.mdx drafty/a.mdx"},
	})
}

func checkHeld(t *testing.T, cases []heldCase) {
	t.Helper()
	for _, c := range cases {
		m := newMemory()
		var held []string
		for _, e := range mustRun(t, c.tree, m, Options{Status: octavo.Published}) {
			p := m.bySource(e.Path)
			if p != nil && (p.Status == octavo.Draft) != strings.Contains(notesOf(e), "kept as a draft") {
				t.Errorf("%s: %s is %s, notes %s", c.name, e.Path, p.Status, notesOf(e))
			}
			if p != nil && p.Status == octavo.Draft {
				if c.tree[e.Path] != nil || !strings.HasSuffix(e.Path, "index.md") { // not a folder
					held = append(held, e.Path)
				}
				p.Status = octavo.Published // by other means
			}
		}
		slices.Sort(held)
		if have := strings.Join(held, " "); have != c.held {
			t.Errorf("%s: have %s, want %s", c.name, have, c.held)
		}
		for _, f := range c.tree {
			f.Data = append(f.Data, '\n')
		}
		mustRun(t, c.tree, m, Options{Status: octavo.Published})
		for _, p := range m.pages {
			if p.Status != octavo.Published {
				t.Errorf("%s: %s, which was published by other means, is %s", c.name, p.Source, p.Status)
			}
		}
	}
}
