package importer

import (
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

// TestNoteBrokenLinks notes dead links, anchors and pictures with their lines, and no
// others.
func TestNoteBrokenLinks(t *testing.T) {
	t.Parallel()
	b := "# B\n\n## What's new?\n\n<a name=\"by-name\"></a>\n"
	for _, c := range []struct{ text, want string }{
		{"[x](none.md)", "3: the link to none.md leads to no page"},
		{"[x](b.md) and data.md\n\n[y](a.md#no)", "5: the link to a.md#no leads to no heading of docs/a.md"},
		{"none.mdx\n\n[x](none.md)", "5: the link to none.md leads to no page"},
		{"[x](none.md)\n\n[y](none.md) [z](a.md#no)\n\n[w](a.md#no)", "3: the link to none.md leads to no page; 5: the link to a.md#no leads to no heading of docs/a.md"},
		{"`[x](none.md)`\n\n```\n[x](none.md)\n```\n\n[`x`](none.md)", "9: the link to none.md leads to no page"},
		{"- a\n\n  ```\n  b\n\n[x](none.md)", "8: the link to none.md leads to no page"},
		{"[x](b.md#whats-new) [x](b.md#by-name) [x](b.md) [x](#a) [x](#top) [x](b#whats-new)", ""},
		{"[x](b.md#what-s-new)", "3: the link to b.md#what-s-new leads to no heading of docs/b.md; resolved to the similar #whats-new"},
		{"[x](#A_)", "3: the link to #A_ leads to no heading of docs/a.md; resolved to the similar #a"},
		{"[x](#none)", "3: the link to #none leads to no heading of docs/a.md"},
		{"[x]({{< relref \"b.md#none\" >}})", "3: the link to {{< relref \"b.md#none\" >}} leads to no heading of docs/b.md"},
		{"![x](img/none.png)", "3: the file img/none.png, which the page shows, is not in the tree"},
		{"<img src='none.png'>", "3: the file none.png, which the page shows, is not in the tree"},
		{"[x](c.mdx#in-part) [x](c.mdx#c)", ""},
		{"[x](c.mdx#inpart)", "3: the link to c.mdx#inpart leads to no heading of docs/c.mdx; resolved to the similar #in-part"},
		{"![x](<two words.png>) ![x](/logo.png) ![x](@site/docs/two%20words.png) ![x](.gitbook/assets/x.png) [x](pathname:///logo.png#a)", ""},
	} {
		tree := folder("docs/a.md", "# A\n\n"+c.text+"\n", "docs/b.md", b, "docs/_p.mdx", "## In part\n", "docs/c.mdx", "import P from './_p.mdx'\n\n# C\n\n<P />\n", "docs/two words.png", "x", "docs/public/logo.png", "x", "docs/.gitbook/assets/x.png", "x")
		have := slices.DeleteFunc(reportOf(mustRun(t, tree, newMemory(), Options{})), func(n string) bool {
			return !strings.HasPrefix(n, "docs/a.md:") || strings.Contains(n, "template tags")
		})
		if text := strings.ReplaceAll(strings.Join(have, "; "), "docs/a.md:", ""); text != c.want {
			t.Errorf("%s\nhave %s\nwant %s", c.text, text, c.want)
		}
	}
}

// TestLabelsOfTheTree: labels are found anywhere in the tree, and broken ones are noted.
func TestLabelsOfTheTree(t *testing.T) {
	t.Parallel()
	report := mustRun(t, folder("docs/a.md", "[](#fig) {ref}`x <one/two>` [y](one/two) [](b.md#one/two) [](#none) [z](no/where) {doc}`b`\n\n```{include} _part.md\n```\n[](#inside)\n",
		"docs/b.md", "(one/two)=\n# B\n\n```{figure} p.png\n:label: Fig\n```\n", "docs/p.png", "x", "docs/_part.md", "(inside)=\n# Part\n"), newMemory(), Options{Dialect: octavo.DialectMyST})
	have := strings.Join(reportOf(report), "; ")
	want := "docs/a.md:1: the link to #none leads to no page; docs/a.md:1: the link to no/where leads to no page"
	if !strings.Contains(have, want) || strings.Count(have, "leads to") != 2 {
		t.Errorf("have %s\nwant %s", have, want)
	}
}

// TestNoteHiddenFolders notes hidden folders with content once, and imports pictures in
// them that pages show.
func TestNoteHiddenFolders(t *testing.T) {
	t.Parallel()
	m := newMemory()
	report := mustRun(t, folder("a.md", "![x](.gitbook/assets/shown.png)\n", ".gitbook/assets/shown.png", "x", ".gitbook/assets/other.png", "y",
		".draft.md", "x", ".vscode/settings.json", "{}", ".git/x.md", "x", "docs/.notes/x/y.md", "x", "node_modules/a/README.md", "x"), m, Options{})
	var told []string
	for _, e := range report {
		if e.Action == Skipped && len(e.Notes) > 0 {
			told = append(told, e.Path)
		}
	}
	if want := []string{".draft.md", ".gitbook", "docs/.notes", "node_modules"}; !slices.Equal(told, want) {
		t.Errorf("told are %q, want %q", told, want)
	}
	if len(m.pages) != 1 || len(m.assets) != 1 || m.assets[0].Source != ".gitbook/assets/shown.png" {
		t.Errorf("have %d pages and the assets %v, want one page and the picture that it shows", len(m.pages), m.assets)
	}
}
