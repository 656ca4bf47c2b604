package importer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
)

// pagesOf lists the pages of a set: identifier, file, slug and status.
func (m *memory) pagesOf(set string) string {
	var list []string
	for _, p := range m.pages {
		if p.ImportSet == set {
			list = append(list, fmt.Sprintf("%s %s %s %s", p.ID, p.Source, p.Slug, p.Status))
		}
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

// prose makes a text of so many words that no other seed has.
func prose(seed string, words int) string {
	var b strings.Builder
	for i := range words {
		fmt.Fprintf(&b, "%s%d ", seed, i)
	}
	return b.String()
}

// TestRenamedFiles: page_1 is that of the first file, and so on.
func TestRenamedFiles(t *testing.T) {
	t.Parallel()
	alpha, beta, gamma := "# Alpha\n\n"+prose("a", 40), "# Beta\n\n"+prose("b", 40), "# Gamma\n\n"+prose("c", 40)
	template := func(name string) string {
		return "# GET /" + name + "\n\nReturns the " + name + " with the given identifier.\n\n" + prose("t", 20) + "\n\nResponds 200 with the " + name + ".\n"
	}
	one, two := template("order"), template("invoice")
	for _, c := range []struct {
		name          string
		before, after fstest.MapFS
		want          string // pages
		former        string // slugs of page_1
	}{
		{"renamed", folder("a.md", alpha, "b.md", beta), folder("alpha.md", alpha, "b.md", beta), "page_1 alpha.md alpha\npage_2 b.md b", "[a]"},
		{"renamed, and a link to it changed", folder("a.md", alpha, "b.md", "[a](a.md)"), folder("alpha.md", alpha, "b.md", "[a](alpha.md)"), "page_1 alpha.md alpha\npage_2 b.md b", "[a]"},
		{"renamed and edited", folder("a.md", alpha, "b.md", beta), folder("alpha.md", "# The alpha\n\nNew. "+prose("a", 40), "b.md", beta), "page_1 alpha.md alpha\npage_2 b.md b", "[a]"},
		{"renamed, and other front matter", folder("a.md", "---\nx: 1\n---\n"+alpha), folder("c.md", "---\nx: 2\n---\n"+alpha), "page_1 c.md c", "[a]"},
		{"another extension", folder("a.md", alpha), folder("a.mdx", alpha), "page_1 a.mdx a", "[]"},
		{"into a folder", folder("a.md", alpha), folder("guide/a.md", alpha), "page_1 guide/a.md guide-a", "[a]"},
		{
			"a folder renamed", folder("x/index.md", alpha, "x/y.md", beta, "x/z.md", gamma), folder("n/index.md", alpha, "n/y.md", beta, "n/z.md", gamma),
			"page_1 n/index.md n\npage_2 n/y.md n-y\npage_3 n/z.md n-z", "[x]",
		},
		{"swapped", folder("a.md", alpha, "b.md", beta), folder("a.md", beta, "b.md", alpha), "page_1 b.md b\npage_2 a.md a", "[]"},
		{"swapped and edited", folder("a.md", alpha, "b.md", beta), folder("a.md", beta+"more", "b.md", "New. "+alpha), "page_1 b.md b\npage_2 a.md a", "[]"},
		{"swapped, and one edited", folder("a.md", alpha, "b.md", beta), folder("a.md", beta, "b.md", alpha+"more"), "page_1 b.md b\npage_2 a.md a", "[]"},
		{"alike, swapped, and one edited", folder("a.md", one, "b.md", two), folder("a.md", two+"more", "b.md", one), "page_1 b.md b\npage_2 a.md a", "[]"},
		{"alike, one over the other, and edited", folder("a.md", one, "b.md", two), folder("a.md", one+"more", "b.md", one), "page_1 a.md a\npage_2 b.md b", "[]"},
		{"both rewritten", folder("a.md", alpha, "b.md", beta), folder("a.md", gamma, "b.md", prose("d", 40)), "page_1 a.md a\npage_2 b.md b", "[]"},
		{"moved on and edited", folder("a.md", alpha, "b.md", beta), folder("b.md", alpha+"more", "c.md", beta+"more"), "page_1 b.md b\npage_2 c.md c", "[a]"},
		{"moved on", folder("a.md", alpha, "b.md", beta), folder("b.md", alpha, "c.md", beta), "page_1 b.md b\npage_2 c.md c", "[a]"},
		{"in the place of another", folder("a.md", alpha, "b.md", beta), folder("b.md", alpha), "page_1 a.md a\npage_2 b.md b", "[]"},
		{"copied", folder("a.md", alpha), folder("a.md", alpha, "b.md", alpha), "page_1 a.md a\npage_3 b.md b", "[]"},
		{"copied and rewritten", folder("a.md", alpha), folder("a.md", beta, "b.md", alpha), "page_1 b.md b\npage_3 a.md a", "[]"},
		{"moved and edited, and another in its place", folder("a.md", alpha), folder("a.md", beta, "x/a.md", alpha+"more"), "page_1 x/a.md x-a\npage_3 a.md a", "[]"},
		{"below another in its place", folder("a/index.md", alpha), folder("a/index.md", beta, "a/x.md", alpha), "page_1 a/x.md a-x\npage_3 a/index.md a", "[]"},
		{"one of two of the same text", folder("a/x.md", alpha, "b/x.md", alpha), folder("b/y.md", alpha), "page_1 a/x.md a-x\npage_2 b/y.md b-y", "[]"},
		{"two of the same text", folder("a/x.md", alpha, "a/y.md", alpha), folder("b/y.md", alpha, "c/x.md", alpha), "page_1 c/x.md c-x\npage_2 b/y.md b-y", "[a-x]"},
		{"the likest", folder("a.md", alpha+beta, "b.md", alpha), folder("c.md", alpha+"more", "d.md", alpha+beta+"more"), "page_1 d.md d\npage_2 c.md c", "[a]"},
		{"another text", folder("a.md", alpha), folder("b.md", beta), "page_1 a.md a\npage_3 b.md b", "[]"},
		{"without a text", folder("a.md", ""), folder("b.md", ""), "page_1 a.md a\npage_3 b.md b", "[]"},
		{"front matter alone", folder("a.md", "---\ntitle: One\n---\n"), folder("b.md", "---\ntitle: One\n---\n"), "page_1 b.md b", "[a]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, opts := newMemory(), Options{Name: "docs"}
			mustRun(t, c.before, m, opts)
			for len(c.before) < 2 && m.made < 2 {
				m.made++ // so that the next one is page_3
			}
			calls, old := m.calls, m.pagesOf("docs")
			dry := opts
			dry.DryRun = true
			tried := actions(mustRun(t, c.after, m, dry))
			if m.calls != calls || m.pagesOf("docs") != old {
				t.Error("a dry run changed something")
			}
			if have := actions(mustRun(t, c.after, m, opts)); have != tried {
				t.Errorf("have %s, and %s in a dry run", have, tried)
			}
			if have := strings.ReplaceAll(m.pagesOf("docs"), " draft", ""); have != c.want {
				t.Errorf("have\n%s\nwant\n%s", have, c.want)
			}
			if have := fmt.Sprint(m.formerOf("page_1")); c.former != "[]" && have != c.former {
				t.Errorf("former slugs: have %s, want %s", have, c.former)
			}
			calls = m.calls
			if again := mustRun(t, c.after, m, opts); m.calls != calls || again.Counts().Updated+again.Counts().Created > 0 {
				t.Errorf("again: have %s", actions(again))
			}
		})
	}
}

// TestEditsFollowRename: what was changed here goes with the text, not with the path.
func TestEditsFollowRename(t *testing.T) {
	t.Parallel()
	alpha := "# Alpha\n\n" + prose("a", 40) + "\n"
	m := newMemory()
	mustRun(t, folder("a.md", alpha), m, Options{})
	page := m.bySource("a.md")
	page.Content += "\nWritten here.\n"
	mustRun(t, folder("a.md", "# Beta\n\n"+prose("b", 40), "x/a.md", "New. "+alpha), m, Options{})
	moved, put := m.bySource("x/a.md"), m.bySource("a.md")
	if moved.ID != page.ID || moved.Content != "New. "+alpha+"\nWritten here.\n" || put.Slug != "a" || strings.Contains(put.Content, "here") {
		t.Errorf("have %+v and %+v", moved, put)
	}
}

// TestSameSetNameOfAnotherTree: a tree that has nothing of the pages of a set does not take
// them over unless its set is named.
func TestSameSetNameOfAnotherTree(t *testing.T) {
	t.Parallel()
	alpha, beta, gamma, delta := prose("a", 40), prose("b", 40), prose("c", 40), prose("d", 40)
	first := folder("index.md", alpha, "a.md", beta, "b.md", gamma)
	titled := folder("index.md", delta, "book.toml", "[book]\ntitle = 'docs'\n")
	for _, c := range []struct {
		name    string
		tree    fstest.MapFS
		o       Options
		refused bool
	}{
		{"another", folder("index.md", delta, "x.md", prose("x", 9)), Options{}, true},
		{"another with the title", titled, Options{}, true},
		{"another that is named", titled, Options{Set: "docs"}, false},
		{"another of another name", titled, Options{Set: "Other"}, false},
		{"further pages", folder("x.md", delta), Options{}, false},
		{"further pages, and others gone", folder("x.md", delta, "book.toml", "[book]\ntitle = 'docs'\n"), Options{Gone: GoneDelete}, true},
		{"rewritten but for one", folder("index.md", delta, "a.md", prose("e", 40), "b.md", gamma+"more"), Options{}, false},
		{"moved", folder("n/index.md", alpha, "n/a.md", beta, "n/b.md", gamma), Options{}, false},
	} {
		m := newMemory()
		c.o.Name = "docs"
		mustRun(t, first, m, Options{Name: "docs"})
		old := m.pagesOf("docs")
		_, err := Run(t.Context(), c.tree, m, c.o)
		if (err != nil) != c.refused || err != nil && (!strings.Contains(err.Error(), `"docs" has 3 pages`) || m.pagesOf("docs") != old) {
			t.Errorf("%s: have %v and\n%s", c.name, err, m.pagesOf("docs"))
		}
	}
}

// TestRenameIntoDrafts checks that a page becomes a draft when its file moves to a
// folder of drafts, and is published again when it returns.
func TestRenameIntoDrafts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		held   string
		config []string
	}{
		{"_drafts/a.md", nil},
		{"old/a.md", []string{"_config.yml", "defaults:\n- scope: {path: old}\n  values: {published: false}\n"}},
	} {
		m, opts := newMemory(), Options{Status: octavo.Published, Name: "docs"}
		for _, at := range []string{"a.md", c.held, "a.md"} {
			mustRun(t, folder(append(c.config, at, "# A\n\n"+prose("a", 9))...), m, opts)
			if p := m.bySource(at); len(m.pages) != 1 || (p.Status == octavo.Draft) != (at == c.held) {
				t.Errorf("%s: have %d pages, the page %+v", at, len(m.pages), p)
			}
		}
	}
}

func TestGone(t *testing.T) {
	t.Parallel()
	before := folder("a/index.md", "# A", "a/b.md", "# B", "a/c.md", "# C", "d.md", "---\ndraft: true\n---\n# D", "e.md", "---\npublishDate: 2030-01-01\n---\n# E")
	after := folder("a/b.md", "# B", "new.md", "---\nslug: a\n---\nOther words.")
	all := "page_1 a/index.md a published\npage_2 d.md d draft\npage_3 e.md e draft\npage_4 a/b.md a-b published\npage_5 a/c.md a-c published"
	for _, c := range []struct{ gone, actions, pages string }{
		{"", "skipped a, updated a/b.md, skipped a/c.md, skipped a/index.md, skipped d.md, skipped e.md, created new.md", all + "\npage_6 new.md a-2 published"},
		{"keep", "skipped a, updated a/b.md, skipped a/c.md, skipped a/index.md, skipped d.md, skipped e.md, created new.md", all + "\npage_6 new.md a-2 published"},
		{GoneDraft, "skipped a, updated a/b.md, updated a/c.md, updated a/index.md, skipped d.md, updated e.md, created new.md", "page_1 a/index.md a draft\npage_2 d.md d draft\npage_3 e.md e draft\npage_4 a/b.md a-b published\npage_5 a/c.md a-c draft\npage_6 new.md a-2 published"},
		{GoneDelete, "skipped a, updated a/b.md, deleted a/c.md, deleted a/index.md, deleted d.md, deleted e.md, created new.md", "page_4 a/b.md a-b published\npage_6 new.md a published"},
	} {
		for _, over := range []string{"a store", "HTTP"} {
			m, opts := newMemory(), Options{Status: octavo.Published, Set: "docs", Gone: c.gone}
			target := Target(m)
			if over == "HTTP" {
				target = serve(t, m)
			}
			mustRun(t, before, target, opts)
			dry := opts
			dry.DryRun = true
			if have := actions(mustRun(t, after, target, dry)); have != c.actions || m.pagesOf("docs") != all {
				t.Errorf("%s, %s, dry: have %s\nwant %s", c.gone, over, have, c.actions)
			}
			report := mustRun(t, after, target, opts)
			if have := actions(report); have != c.actions {
				t.Errorf("%s, %s: have %s\nwant %s", c.gone, over, have, c.actions)
			}
			if have := m.pagesOf("docs"); have != c.pages {
				t.Errorf("%s, %s: have\n%s\nwant\n%s", c.gone, over, have, c.pages)
			}
			if have := report.Counts().Gone; have != 4 {
				t.Errorf("%s, %s: have %d gone, want 4", c.gone, over, have)
			}
			if p := m.pages["page_3"]; c.gone == GoneDraft && p.PublishAt != nil {
				t.Errorf("%s: a page that became a draft is published at %v", over, p.PublishAt)
			}
			if again := mustRun(t, after, target, opts).Counts(); again.Created+again.Updated > 0 || (again.Gone == 0) != (c.gone == GoneDelete) {
				t.Errorf("%s, %s, again: have %+v", c.gone, over, again)
			}
		}
	}
}

// TestSkippedFiles checks files that exist but make no page now.
func TestSkippedFiles(t *testing.T) {
	t.Parallel()
	m, opts := newMemory(), Options{Set: "docs", Gone: GoneDelete}
	mustRun(t, folder("a.md", "# A", "b/c.md", "# C", "d.md", "# D"), m, opts)
	pages := m.pagesOf("docs")
	report, err := Run(t.Context(), locked{folder("a.md", "\xff", "b/c.md", "# C", "d.md", "# D"), "b"}, m, opts)
	if n := report.Counts(); err != nil || n.Gone > 0 || m.pagesOf("docs") != pages {
		t.Errorf("have %+v, %v, pages\n%s", n, err, m.pagesOf("docs"))
	}
}

// TestRefusedGone: what the target refuses to take away is told of.
func TestRefusedGone(t *testing.T) {
	t.Parallel()
	m, opts := newMemory(), Options{Set: "docs", Gone: GoneDelete}
	mustRun(t, folder("a.md", "# A"), m, opts)
	lost := folder("mkdocs.yml", "site_name: Docs\ndocs_dir: pages\n")
	if _, err := Run(t.Context(), lost, m, opts); err == nil || !strings.Contains(err.Error(), "the folder that mkdocs.yml names does not exist") {
		t.Errorf("without the folder of the pages: have %v", err)
	}
	m.refuse = func(octavo.BulkOperation) error { return octavo.Errorf(octavo.Conflict, "It is needed.") }
	e := mustRun(t, folder(), m, opts)[0]
	if last := e.Notes[len(e.Notes)-1].Message; !e.Failed || e.Action != Skipped || last != "the change was refused: It is needed." {
		t.Errorf("have %+v", e)
	}
	m.refuse, m.failing = nil, errFailing
	report, err := Run(t.Context(), folder("b.md", "# B"), m, opts)
	if err != errFailing || !report[0].Failed || report[0].Action != Skipped {
		t.Errorf("have %+v, %v", report, err)
	}
}

var errFailing = fmt.Errorf("no disk")

// TestIndependentSets: two trees with the same files in one store, each with its set.
func TestIndependentSets(t *testing.T) {
	t.Parallel()
	one := folder("index.md", "# Home", "a.md", "# A\n\n"+prose("a", 20), "b.md", "# B\n\n"+prose("b", 20))
	m := newMemory()
	m.pages["page_0"] = &octavo.Page{ID: "page_0", Slug: "hand", Title: "By hand", Status: octavo.Published}
	for _, set := range []string{"one", "two"} {
		mustRun(t, one, m, Options{Status: octavo.Published, Set: set, Gone: GoneDelete})
	}
	first, second := m.pagesOf("one"), m.pagesOf("two")
	if strings.Count(first, "\n") != 2 || strings.Count(second, "\n") != 2 {
		t.Fatalf("have\n%s\nand\n%s", first, second)
	}
	// Of the second tree one file goes, one is renamed, one is edited.
	two := folder("index.md", "# New home", "c.md", "# A\n\n"+prose("a", 20))
	report := mustRun(t, two, m, Options{Status: octavo.Published, Set: "two", Gone: GoneDelete})
	if have, want := actions(report), "deleted b.md, updated c.md, updated index.md"; have != want || m.pagesOf("one") != first {
		t.Errorf("have %s, want %s; pages of the other\n%s\nwant\n%s", have, want, m.pagesOf("one"), first)
	}
	mustRun(t, folder(), m, Options{Set: "two", Gone: GoneDelete})
	if have := m.pagesOf("two"); have != "" || m.pagesOf("one") != first || m.pages["page_0"].Title != "By hand" {
		t.Errorf("have\n%s\nand\n%s", have, m.pagesOf("one"))
	}
	if have := actions(mustRun(t, one, m, Options{Status: octavo.Published, Set: "one", Gone: GoneDelete})); have != "" {
		t.Errorf("the first tree again: have %s, want nothing", have)
	}
}

func TestMatchPagesWithoutSet(t *testing.T) {
	t.Parallel()
	m := newMemory()
	mustRun(t, folder("a.md", "# A", "b.md", "# B"), m, Options{}) // as before there were sets
	opts := Options{Set: "docs", Gone: GoneDelete}
	if have, want := actions(mustRun(t, folder("a.md", "# A"), m, opts)), "updated a.md"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	if have, want := m.pagesOf("docs"), "page_1 a.md a draft"; have != want || m.bySource("b.md") == nil {
		t.Errorf("have %s, want %s, and the page of b.md", have, want)
	}
}

func TestChosenSet(t *testing.T) {
	t.Parallel()
	known := newMemory()
	known.pages = map[octavo.ID]*octavo.Page{}
	for i, source := range []string{"a.md", "b.md", "c.md"} {
		for _, set := range []string{"Known", "Other"} {
			id := octavo.ID(fmt.Sprint(set, i))
			known.pages[id] = &octavo.Page{ID: id, Source: source, Title: set + " " + source, Slug: strings.ToLower(string(id)), Content: "text of " + set, ImportSet: set}
		}
	}
	page := []string{"a.md", "x"}
	for _, c := range []struct {
		name string // of the folder
		set  string // asked for
		tree []string
		want string
	}{
		{"docs", "Mine", page, "Mine"},
		{"docs", "Mine", append(page, "mkdocs.yml", "site_name: Theirs\n"), "Mine"},
		{"docs", "", append(page, "mkdocs.yml", "site_name: \"The  site\"\ndocs_dir: .\n"), "The site"},
		{"docs", "", append(page, "hugo.toml", "title = 'By Hugo'\n"), "By Hugo"},
		{"docs", "", append(page, "_config.yml", "title: By Jekyll\n"), "By Jekyll"},
		{"docs", "", append(page, "book.toml", "[book]\ntitle = 'By mdBook'\n"), "By mdBook"},
		{"docs", "", append(page, "docs.json", `{"name": "By Mintlify", "navigation": {}}`), "By Mintlify"},
		{"docs", "", append(page, "sub/_config.yml", "title: Not this\n"), "docs"},
		{"docs", "", append(page, "mkdocs.yml", "docs_dir: .\n"), "docs"},
		{"docs-2026-05-01", "", page, "docs"},
		{"docs_v1.2.3", "", page, "docs"},
		{"docs (2)", "", page, "docs"},
		{"2026-05-01_docs", "", page, "docs"},
		{"docs-3-4.1", "", page, "docs"},
		{"k8s", "", page, "k8s"},
		{"2026-05-01", "", page, "2026-05-01"},
		{"документация-2", "", page, "документация"},
		{"", "", page, ""},
		// Two of three files are those of a set, by their text or their title.
		{"docs", "", []string{"a.md", "text of Known", "b.md", "# Known b.md\n\nedited", "new.md", "x"}, "Known"},
		{"docs", "", []string{"a.md", "text of Other", "b.md", "text of Other", "c.md", "text of Known"}, "Other"},
		{"docs", "", []string{"a.md", "x", "b.md", "y", "c.md", "z"}, "docs"},
		{"docs", "", []string{"a.md", "text of Known", "new.md", "x"}, "docs"},
		{"docs", "", []string{"d.md", "text of Known", "e.md", "text of Known"}, "docs"},
	} {
		for _, gone := range []string{"keep", GoneDraft, GoneDelete} {
			have := ""
			opts := Options{Name: c.name, Set: c.set, Gone: gone, DryRun: true, Found: func(f Found) { have = f.Set }}
			_, err := Run(t.Context(), folder(c.tree...), known, opts)
			named := c.set != "" || strings.HasPrefix(c.want, "By ") || c.want == "The site"
			if refused := gone != "keep" && !named; refused != (err != nil) || !refused && have != c.want || refused && !strings.Contains(err.Error(), fmt.Sprintf("%q", c.want)) {
				t.Errorf("%s, %v, %s: have %q, %v, want %q", c.name, slices.Sorted(maps.Keys(folder(c.tree...))), gone, have, err, c.want)
			}
		}
	}
	for _, wrong := range []string{"a\nb", " a", strings.Repeat("a", 121)} {
		if _, err := Run(t.Context(), folder("a.md", "x"), known, Options{Set: wrong}); err == nil || known.calls > 0 {
			t.Errorf("%q: have no error, or %d calls", wrong, known.calls)
		}
	}
}
