package importer

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
)

func TestPartsOfPages(t *testing.T) {
	m := newMemory()
	tree := folder(
		"docs/use.mdx", "import A, {toc} from './_a.mdx';\nimport B from \"/snippets/b.mdx\"\nimport C from './c.md'\nimport D from '../d.md'\nimport E from './e.mdx'\nimport F from './gone.mdx'\nimport G from './g.js'\n\n<A /> <B /> <C /> <D /> <E /> <F /> <G />\n",
		"docs/_a.mdx", "a [c](./c.md) [d](#d) ![p](p.png)", "docs/p.png", "p", "docs/_other.md", "no part of any",
		"held.mdx", "import A from './_held.mdx'\nimport B from './_later.mdx'\nimport C from './_drafts/_c.mdx'\n\n<A /> <B /> <C />",
		"_held.mdx", "---\ntitle: x\ndraft: true\n---\nsecret", "_later.mdx", "---\npublishDate: 2099-01-01\n---\nsecret", "_drafts/_c.mdx", "secret",
		"snippets/b.mdx", "import I from './inner.mdx'\n\n<I />", "snippets/inner.mdx", "i",
		"docs/c.md", "# C\n", "docs/links.md", "[c](c.md)\n",
		"d.md", "---\ndraft: true\n---\nsecret", "docs/e.mdx", "e [x](https://x.example/) [e](#e)",
		"one.mdx", "import Two from './two.mdx'\n\n<Two />", "two.mdx", "import One from './one.mdx'\n\n<One />",
	)
	have := reportOf(mustRun(t, tree, m, Options{Status: octavo.Published}))
	want := []string{
		"_drafts/_c.mdx:1: marked as a draft, so it is not imported: it is in the folder _drafts",
		"_held.mdx:3: marked as a draft, so it is not imported: draft is true",
		"_later.mdx:1: marked as a draft, so it is not imported: its dates say so",
		"d.md:2: kept as a draft: draft is true",
		"docs:1: the folder has no page of its own, so its name is lost; its pages are at the top",
		"docs/_other.md:1: files and folders of this name contain parts of other pages, not pages",
		"docs/use.mdx:1: snippets/b.mdx shows other files in turn, whose text is missing here",
		"docs/use.mdx:1: docs/c.md is a page too; when that page is edited, its text here stays as it is",
		"docs/use.mdx:1: the link to #d in docs/_a.mdx leads to no page or heading",
		"docs/use.mdx:1: the picture p.png in docs/_a.mdx is not shown",
		"docs/use.mdx:1: the link to #e in docs/e.mdx leads to no page or heading",
		"docs/use.mdx:4: ../d.md is a page of its own, so its text is not shown here",
		"docs/use.mdx:6: the file ./gone.mdx, which the page shows, is not in the tree",
		"docs/use.mdx:9: shown as its content or a link: <G />",
		"held.mdx:1: the file ./_held.mdx, which the page shows, is not imported",
		"held.mdx:2: the file ./_later.mdx, which the page shows, is not imported",
		"held.mdx:3: the file ./_drafts/_c.mdx, which the page shows, is not imported",
		"one.mdx:1: ./two.mdx is a page of its own, so its text is not shown here",
		"snippets/inner.mdx:1: files and folders of this name contain parts of other pages, not pages",
		"two.mdx:1: ./one.mdx is a page of its own, so its text is not shown here",
	}
	if !slices.Equal(have, want) {
		t.Errorf("have %q\nwant %q", have, want)
	}
	var pages, assets []string
	for _, p := range m.pages {
		pages = append(pages, p.Source)
	}
	for _, a := range m.assets {
		assets = append(assets, a.Source)
	}
	slices.Sort(pages)
	slices.Sort(assets)
	if want := []string{"d.md", "docs/c.md", "docs/links.md", "docs/use.mdx", "held.mdx", "one.mdx", "two.mdx"}; !slices.Equal(pages, want) {
		t.Errorf("have the pages %q, want %q", pages, want)
	}
	if want := []string{"docs/_a.mdx", "docs/c.md", "docs/e.mdx", "docs/p.png", "snippets/b.mdx"}; !slices.Equal(assets, want) {
		t.Errorf("have the assets %q, want %q", assets, want)
	}
}

// TestListedParts: a file that pages show is a page as well if the navigation lists it.
func TestListedParts(t *testing.T) {
	t.Parallel()
	m := newMemory()
	tree := folder("mkdocs.yml", "nav: [index.md, parts/b.md]\n", "docs/index.md", "--8<-- \"parts/a.md\"\n\n--8<-- \"parts/b.md\"\n", "docs/parts/a.md", "A", "docs/parts/b.md", "B")
	for range 2 {
		mustRun(t, tree, m, Options{})
		if len(m.pages) != 2 || m.bySource("parts/b.md") == nil || len(m.assets) != 2 || m.puts != 2 {
			t.Errorf("have %d pages, %d assets, %d files written", len(m.pages), len(m.assets), m.puts)
		}
	}
}

// TestSnippetsByName: a snippet is in a folder that only the configuration of MkDocs
// names, and may have the name of the page.
func TestSnippetsByName(t *testing.T) {
	t.Parallel()
	report := mustRun(t, folder(
		"mkdocs.yml", "site_name: S\nexclude_docs: |\n  *snippets/\n", "docs/log.md", "--8<-- \"log.md\"\n\n[a](#in-log)\n", "docs/sub/log.md", "{% include \"log.md\" %}\n\n--8<-- \"none.md\"\n\n[a](#in-log)\n",
		"docs/snippets/log.md", "## In log\n",
	), newMemory(), Options{})
	have := slices.DeleteFunc(reportOf(report), func(note string) bool { return strings.Contains(note, "no page of its own") })
	want := []string{"sub/log.md:3: the file none.md, which the page shows, is not in the tree"}
	if !slices.Equal(have, want) {
		t.Errorf("have %q\nwant %q", have, want)
	}
}

// TestPartsElsewhere: what pages show may be hidden, or in a folder that MkDocs is told of.
func TestPartsElsewhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tree fstest.MapFS
		want []string
	}{
		{folder("SUMMARY.md", "* [A](a/a.md)\n", "a/a.md", "{% include \"../.gitbook/includes/r.md\" %}\n", ".gitbook/includes/r.md", "R", ".gitbook/includes/s.md", "S"), []string{".gitbook/includes/r.md"}},
		{folder("mkdocs.yml", "markdown_extensions:\n  - toc\n  - pymdownx.snippets:\n      base_path: [docs, snip]\n", "docs/a/a.md", "--8<-- \"s.md\"\n\n--8<-- \"in/t.md\"\n", "snip/s.md", "S", "snip/in/t.md", "T", "snip/u.md", "U"), []string{"snip/in/t.md", "snip/s.md"}},
		{folder("mkdocs.yml", "markdown_extensions:\n  pymdownx.snippets:\n    base_path: snip\n", "docs/a.md", "--8<-- \"s.md\"\n", "snip/s.md", "S"), []string{"snip/s.md"}},
		{folder("mkdocs.yml", "site_name: A\n", "docs/a.md", "--8<-- \"docs/s.txt\"\n", "docs/s.txt", "S"), []string{"docs/s.txt"}},
	} {
		m := newMemory()
		report := reportOf(mustRun(t, c.tree, m, Options{}))
		var have []string
		for _, a := range m.assets {
			have = append(have, a.Source)
		}
		slices.Sort(have)
		if told := strings.Join(report, "\n"); !slices.Equal(have, c.want) || strings.Contains(told, "not in the tree") || strings.Contains(told, "s.txt") {
			t.Errorf("have %q, %q; want %q", have, report, c.want)
		}
	}
}

// TestPartsBecomeDrafts checks that pages no longer show a part that became a draft.
func TestPartsBecomeDrafts(t *testing.T) {
	t.Parallel()
	const page = "import P from './_p.mdx'\nimport Q from './q.mdx'\n\n<P /> <Q />"
	m := newMemory()
	mustRun(t, folder("a.mdx", page, "_p.mdx", "one", "q.mdx", "two"), m, Options{})
	held := folder("a.mdx", page, "_p.mdx", "---\ndraft: true\n---\none", "q.mdx", "---\ndraft: true\n---\ntwo")
	for _, dry := range []bool{true, false} {
		mustRun(t, held, m, Options{DryRun: dry})
		for _, a := range m.assets {
			if a.Source != "" && (a.Size > 0) != dry {
				t.Errorf("dry run %v: %s has %d bytes", dry, a.Source, a.Size)
			}
		}
	}
	puts := m.puts
	if mustRun(t, held, m, Options{}); m.puts != puts {
		t.Errorf("the same again: have %d files written", m.puts-puts)
	}
}

func TestDraftPartsByRule(t *testing.T) {
	for name, text := range map[string]string{
		"_p/_a.mdx": "---\ndraft: true\n---\nx", "b.mdx": "---\npublishDate: 2099-01-01\n---\nx", "_partials/c.mdx": "---\npublishDate: 2099-01-01\n---\nx",
		"d.mdx": "---\nexpiryDate: 2020-01-01\n---\nx", "e.mdx": "---\ndraft: true\nx: [\n---\nx", "_partials/f.mdx": "\n---\ndraft: true\n---\nx",
		"held/g.mdx": "x", "held/_h.mdx": "x",
	} {
		m := newMemory()
		tree := folder("use.mdx", "import A from './"+name+"'\n\n<A />\n", name, text, "held/_index.md", "---\ntitle: Held\ncascade: {draft: true}\n---\n")
		r := mustRun(t, tree, m, Options{Status: octavo.Published})
		if p := m.bySource(name); len(m.assets) > 0 || p != nil && p.Status == octavo.Published {
			t.Errorf("%s %q is public: %q", name, text, reportOf(r))
		}
	}
}

// TestMarksOfDialects: files that marks name come along, from beside the folder of the
// pages too, and wiki links lead by name. What is read is not told as lost.
func TestMarksOfDialects(t *testing.T) {
	t.Parallel()
	mkdocs := folder("mkdocs.yml", "docs_dir: docs\n", "docs/a/b.md", "```py\n{!> ../src/x.py!}\n```\n\n--8<-- \"parts/c.md\"\n", "docs/parts/c.md", "part", "src/x.py", "x", "src/y.py", "y")
	vault := folder("Home.md", "[[second NOTE#Part]] [[None]] ![[pic.png]] ![[none.png]] [[#Own]]\n# Own", "sub/Second note.md", "# Part", "files/Pic.png", "p")
	for _, c := range []struct {
		name           string
		tree           fstest.MapFS
		dialect        octavo.Dialect
		report, assets []string
	}{
		{"MkDocs", mkdocs, "mkdocs", []string{"a/b.md:1: parts/c.md is a page too; when that page is edited, its text here stays as it is"}, []string{"parts/c.md", "src/x.py"}},
		{"Obsidian", vault, "obsidian", []string{
			"Home.md:1: the link to None leads to no page", "Home.md:1: the file none.png, which the page shows, is not in the tree",
			"sub:1: the folder has no page of its own, so its name is lost; its pages are at the top",
		}, []string{"files/Pic.png"}},
	} {
		m := newMemory()
		report := reportOf(mustRun(t, c.tree, m, Options{Dialect: c.dialect}))
		var assets []string
		for _, a := range m.assets {
			assets = append(assets, a.Source)
		}
		slices.Sort(assets)
		if !slices.Equal(report, c.report) || !slices.Equal(assets, c.assets) {
			t.Errorf("%s: have %q, assets %q\nwant %q, %q", c.name, report, assets, c.report, c.assets)
		}
	}
}

// TestFoldersOfParts: what pages show by importing it, and what is in folders for that,
// is no page.
func TestFoldersOfParts(t *testing.T) {
	t.Parallel()
	m := newMemory()
	mustRun(t, folder(
		"use.mdx", "import Run from \"/snippets/run.mdx\";\nimport Local from './_local.mdx';\n\n<Run />\n\n<Local />\n", "snippets/run.mdx", "Run `tool start` now.", "_local.mdx", "Or `tool local`.",
		"docs/_fragments/a.md", "", "docs/_common/b.md", "", "docs/snippets/c.md", "",
	), m, Options{})
	var pages, assets []string
	for _, p := range m.pages {
		pages = append(pages, p.Source)
	}
	for _, a := range m.assets {
		assets = append(assets, a.Source)
	}
	slices.Sort(pages)
	slices.Sort(assets)
	if want := []string{"docs/snippets/c.md", "use.mdx"}; !slices.Equal(pages, want) {
		t.Errorf("have the pages %q, want %q", pages, want)
	}
	if want := []string{"_local.mdx", "snippets/run.mdx"}; !slices.Equal(assets, want) {
		t.Errorf("have the assets %q, want %q", assets, want)
	}
}

// TestBlocksWithinLines: the report names blocks that an included file would show in a line.
func TestBlocksWithinLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dialect octavo.Dialect
		text    string
		want    string
	}{
		{"jekyll", "# A\n\nOne {% include x.md %} two.\n\nOne {% include y.md %} two.\n", "3 {% include x.md %}"},
		{"hugo", "One {{% include \"x.md\" %}} two.\n", "1 {{% include \"x.md\" %}}"},
		{"docusaurus", "import Run from './x.md'\n\n| A |\n|---|\n| <Run /> |\n", "5 <Run />"},
	} {
		report := mustRun(t, folder("a.md", c.text, "x.md", "Words.\n\n- One\n", "_includes/x.md", "- One\n", "_includes/y.md", "Words.\n"), newMemory(), Options{Dialect: c.dialect})
		have := ""
		for _, note := range reportOf(report) {
			where, what, found := strings.Cut(strings.TrimPrefix(note, "a.md:"), ": a list or another block of the file is not shown, because it stands within a line: ")
			if found {
				have += where + " " + what
			}
		}
		if have != c.want {
			t.Errorf("%s: have %q, want %q, in %q", c.dialect, have, c.want, reportOf(report))
		}
	}
}

// TestPartsThatAreMissing: the report names parts of files that are not in the files.
func TestPartsThatAreMissing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dialect octavo.Dialect
		text    string
		want    []string
	}{
		{"mkdocs", "# A\n\n--8<-- \"x.md:none\"\n\n--8<-- \"x.md:part\"\n\n--8<-- \"x.md:9:9\"\n", []string{"3", "7"}},
		{"vitepress", "<<< ./y.js#none\n\n<<< ./y.js{1}\n\n<!--@include: ./x.md#none-->\n\n<!--@include: ./x.md#b-->\n", []string{"1", "5"}},
		{"myst", "```{literalinclude} y.js\n:start-after: none\n```\n", []string{"1"}},
		{"mdbook", "{{#include y.js:none}}\n", []string{"1"}},
	} {
		report := mustRun(t, folder("a.md", c.text, "x.md", "[start:part]\nx\n[end:part]\n## B\n", "y.js", "y\n", "p.png", "p"), newMemory(), Options{Dialect: c.dialect})
		var have []string
		for _, note := range reportOf(report) {
			if where, _, found := strings.Cut(note, ": not shown, because the file does not have this part"); found {
				have = append(have, strings.TrimPrefix(where, "a.md:"))
			}
		}
		if !slices.Equal(have, c.want) {
			t.Errorf("%s: have %q, want %q, in %q", c.dialect, have, c.want, reportOf(report))
		}
	}
}
