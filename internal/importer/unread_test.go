package importer

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

func TestNoteIncludes(t *testing.T) {
	for _, c := range []struct {
		text  string
		lines []int
	}{
		{"# A\n\n<!--@include: ./parts/b.md-->\n", []int{3}},
		{"<<< @/snippets/a.js{1}\n", []int{1}},
		{"```rust\n{{#include ../a.rs}}\n{{#rustdoc_include ../a.rs:here}}\n```\n", []int{2, 3}},
		{"```py\n{!> ../../a.py!}\n```\n", []int{2}},
		{"--8<-- \"b.md\"\n\n    --8<-- \"c.md:2:4\"\n", []int{1, 3}},
		{"![[note]]\n\nSay ![[note]], and `![[x]]`\n", []int{1}},
		{"--8<--\na.md\nb.md\n--8<--\n", []int{1}},
		{".. include:: x.md\n", []int{1}},
		{"```{literalinclude} x.py\n```\n\n:::{include} y.md\n:::\n", []int{1, 4}},
		{"{% include note.html %}\n{%- include \"a.md\" -%}\n{% include-markdown \"x.md\" %}\n", []int{1, 2, 3}},
		{"{{< readfile \"x.md\" >}}\n", []int{1}},
		{"[!INCLUDE [title](x.md)]\n[!code-csharp[](x.cs)]\n:::code language=\"c\" source=\"x.c\":::\n", []int{1, 2, 3}},
		{"[x](https://x.example/x.md ':include')\n", []int{1}},
		{"[x](_media/x.md\n':include')\n", []int{2}},
		{"@[code](x.js)\n", []int{1}},
		{"<Snippet file=\"x.mdx\" />\n", []int{1}},
		{"```js file=./x.js\n```\n\n~~~py src=x.py\n\n~~~\n", []int{1, 4}},
		{"```ts reference\nhttps://example.com/x.ts\n```\n", []int{1}},
		{"{{ read_csv(\"x.csv\") }}\n\n- {{ read_yaml('x.yml') }}\n", []int{1, 3}},
		{"<!-- INCLUDE x.md -->\n@include x.md\n\n<<[x.md]\n\n<<(y.md)\n", []int{1, 2, 4, 6}},
		{"```js file=x.js\nhere()\n```\n\n```reference\n```\n\n`{{ read_csv(\"x\") }}` and a reference, file=x\n", nil},
		{"<!-- include the rest later -->\n\n@include mixin\n\n```scss\n@include x.md\n{{ read_csv(1) }}\n```\n", nil},
		{"Write `{{#include x}}` or `--8<-- \"x\"` there.\n", nil},
		{"```\n<<< @/x.js\n.. include:: x\n```\n", nil},
		{"```py\n# --8<-- [start:x]\n# --8<-- [end:x]\n```\n;--8<-- \"x\"\n", nil},
		{"a << b, x <<< y, we include: this\n", nil},
	} {
		m := newMemory()
		var have []int
		for _, n := range mustRun(t, folder("a.md", c.text), m, Options{})[0].Notes {
			if strings.Contains(n.Message, "includes another file") {
				have = append(have, n.Line)
			}
		}
		if !slices.Equal(have, c.lines) {
			t.Errorf("%q: have lines %v, want %v", c.text, have, c.lines)
		}
	}
}

func TestMacroCalls(t *testing.T) {
	for text, want := range map[string]int{
		"# A\n\n{{ button('x') }}\n": 3, "{{ page.title }}": 0, "`{{ f(x) }}`": 0, "```\n{{ f(x) }}\n```\n": 0, "$e^{{f(x)}}$": 0, "<A b={{ f() }} />": 0,
		"{% highlight sh %}\n# a\n{% endhighlight %}\n\n{%- raw -%}\n{{ a }}\n{% endraw %}\n": 0, "{% rawish %}\n": 1,
	} {
		have := 0
		for _, n := range mustRun(t, folder("a.md", text), newMemory(), Options{})[0].Notes {
			if strings.Contains(n.Message, "template tags") {
				have = n.Line
			}
		}
		if have != want {
			t.Errorf("%q: have a note on line %d, want %d", text, have, want)
		}
	}
}

// TestTextLikeMarks checks that lines which no tool reads are not told of.
func TestTextLikeMarks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"content/d.md", "---\ntitle: D\n---\n\n[a]({{< ref \"d\" >}}) [b]({{% relref \"d.md\" %}}) {{< br >}}\n", nil},
		{"docs/a.md", "# A\n\n```\n{% x %}\n```\n\n{% x %}\n", []string{"a.md:7: template tags are kept in the text and not replaced; this is the first of 1 lines with some"}},
		{"a.markdown", "`{{ x }}` {{ \"c\" | relative_url }}\n```\n{% for d in e %}\n```\n<p>\n  {% for d in e %}\n  {{ d }}\n  {% endfor %}\n</p>\n\nf `g` {{ h.i }}\n", []string{
			"a.markdown:6: not shown, and kept in the source: {% for d in e %}", "a.markdown:11: not shown, and kept in the source: {{ h.i }}",
		}},
		{"docs/a.mdx", "Then\nimport the key\n\nimport b from './b'\nexport const c = () => {\n}\nimport d from './d'\n", []string{
			"docs/a.mdx:4: not shown, and kept in the source: import b from './b'",
			"docs/a.mdx:5: not shown, and kept in the source: export const c = () => {",
			"docs/a.mdx:7: not shown, and kept in the source: import d from './d'",
		}},
		{"docs/b.mdx", "import {\n  Aside,\n} from '@astrojs/starlight/components'\nexport const d = 1\n\n<Aside>{d} {e}</Aside>\n\n<Own />\n", []string{
			"docs/b.mdx:6: not shown, and kept in the source: {e}",
			"docs/b.mdx:8: shown as its content or a link: <Own />",
		}},
	} {
		tree := folder("mkdocs.yml", "site_name: A\n", c.name, c.text)
		if strings.HasSuffix(c.name, ".markdown") {
			tree = folder("_config.yml", "title: A\n", c.name, c.text)
		}
		if strings.HasSuffix(c.name, "x") {
			tree = folder("docusaurus.config.js", "", c.name, c.text)
		}
		if strings.HasPrefix(c.name, "content/") {
			tree = folder("hugo.toml", "title = 'A'\n", c.name, c.text)
		}
		var have []string
		for _, n := range reportOf(mustRun(t, tree, newMemory(), Options{})) {
			if strings.HasPrefix(n, strings.TrimPrefix(c.name, "docs/")) || strings.HasPrefix(n, c.name) {
				have = append(have, n)
			}
		}
		if !slices.Equal(have, c.want) {
			t.Errorf("%s: have %q, want %q", c.name, have, c.want)
		}
	}
}

// reportOf lists the notes of a report, without what became of the files.
func reportOf(r Report) (list []string) {
	for _, e := range r {
		for _, n := range e.Notes {
			list = append(list, e.Path+":"+strconv.Itoa(n.Line)+": "+n.Message)
		}
	}
	return list
}

func TestNoteUnreadNavigation(t *testing.T) {
	for _, name := range []string{
		"sidebarLearn.json", "meta.json", "docs.json", "mint.json", ".pages", ".nav.yml", ".order", "_data/docs_nav.yml", "toc.yml", "_quarto.yml",
	} {
		m := newMemory()
		have := reportOf(mustRun(t, folder("index.md", "# A\n", name, "{}"), m, Options{}))
		if want := []string{name + ":1: " + lostOrder}; !slices.Equal(have, want) {
			t.Errorf("%s: have %q, want %q", name, have, want)
		}
	}
	m := newMemory()
	have := reportOf(mustRun(t, folder("index.md", "# A\n", ".eslintrc.json", "{}", ".github/x.yml", "", "package.json", "{}"), m, Options{}))
	if want := []string{"package.json:1: no page refers to the file"}; !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
}

func TestPageOfTheFoldersName(t *testing.T) {
	m := newMemory()
	mustRun(t, folder("guide/guide.md", "# G\n", "guide/x.md", "# X\n", "02-api/API.md", "# A\n", "02-api/x.md", "# X\n",
		"both/both.md", "# B\n", "both/index.md", "# I\n", "both/x.md", "# X\n"), m, Options{})
	for file, parent := range map[string]string{"guide/x.md": "guide/guide.md", "02-api/x.md": "02-api/API.md", "both/x.md": "both/index.md", "both/both.md": "both/index.md"} {
		if p := m.pages[m.bySource(file).ParentID]; p == nil || p.Source != parent {
			t.Errorf("%s: have the parent %+v, want %s", file, p, parent)
		}
	}
	if have := m.bySource("guide/guide.md").Slug; have != "guide" {
		t.Errorf("have the slug %s", have)
	}
}

func TestCategoryWithLinkedPage(t *testing.T) {
	m := newMemory()
	report := mustRun(t, folder("docs/guide/_category_.json", `{"label": "Guides", "position": 4, "link": {"type": "doc", "id": "guide/intro"}}`,
		"docs/guide/01-intro.md", "text", "docs/guide/x.md", "# X\n",
		"docs/more/_category_.yml", "link:\n  type: doc\n  id: more/gone\n", "docs/more/y.md", "# Y\n"), m, Options{})
	intro, x := m.bySource("docs/guide/01-intro.md"), m.bySource("docs/guide/x.md")
	if x.ParentID != intro.ID || intro.Title != "Guides" || intro.Slug != "docs-guide-intro" || *intro.Position != 4*Spacing {
		t.Errorf("have %+v below %+v", x, intro)
	}
	if have := reportOf(report); !slices.Contains(have, "docs/more/_category_.yml:1: link: there is no page more/gone in the folder") {
		t.Errorf("have %q", have)
	}
}

func TestNoteMissingPictures(t *testing.T) {
	m := newMemory()
	have := reportOf(mustRun(t, folder("a.md", "# A\n\n![x](img/nothere.png)\n![y](there.png) ![z](https://x.example/z.png) ![z](data:image/png;base64,AA)\n\n<img src=\"gone.svg\">\n",
		"there.png", "PNG"), m, Options{}))
	want := []string{
		"a.md:3: the file img/nothere.png, which the page shows, is not in the tree",
		"a.md:6: the file gone.svg, which the page shows, is not in the tree",
	}
	if !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
}

func TestMkDocsYAMLExtension(t *testing.T) {
	m := newMemory()
	mustRun(t, folder("README.md", "# Repo\n", "mkdocs.yaml", "site_name: The site\nnav:\n  - Start: index.md\n  - Second: b.md\n", "docs/b.md", "text", "docs/index.md", "text"), m, Options{Status: octavo.Published})
	if b := m.bySource("b.md"); b == nil || b.Slug != "b" || b.Title != "Second" || *b.Position != 2*Spacing || m.bySource("README.md") != nil {
		t.Errorf("have %+v", b)
	}
}

// TestTagsWithinLines: only lines with a tag that their tool does not replace here are told of.
func TestTagsWithinLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dialect octavo.Dialect
		text    string
		want    int
	}{
		{octavo.DialectHugo, "a {{< badge \"b\" >}}, [c]({{< ref \"d\" >}})\n", 0},
		{octavo.DialectGitBook, "a {% math %}b{% endmath %}\n\nc {% none %}\n", 3},
		{octavo.DialectGitBook, "a {% math %}b{% endmath %} {% none %}\n", 1},
		{octavo.DialectMkDocs, "a {% b %}\n", 1},
	} {
		have := 0
		for _, n := range mustRun(t, folder("a.md", c.text), newMemory(), Options{Dialect: c.dialect})[0].Notes {
			if strings.Contains(n.Message, "template tags") {
				have = n.Line
			}
		}
		if have != c.want {
			t.Errorf("%s %q: have a note on line %d, want %d", c.dialect, c.text, have, c.want)
		}
	}
}
