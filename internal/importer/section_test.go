package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/octavo-docs/octavo"
)

// outline lists the pages of a set as a tree, in their order, with the identifiers.
func (m *memory) outline(set string) string {
	var b strings.Builder
	var level func(parent octavo.ID, indent string)
	level = func(parent octavo.ID, indent string) {
		var list []*octavo.Page
		for _, p := range m.pages {
			if p.ImportSet == set && p.ParentID == parent {
				list = append(list, p)
			}
		}
		slices.SortFunc(list, func(a, b *octavo.Page) int {
			at := func(p *octavo.Page) int64 {
				if p.Position == nil {
					return 1 << 40
				}
				return *p.Position
			}
			return cmp.Or(cmp.Compare(at(a), at(b)), cmp.Compare(a.Slug, b.Slug))
		})
		for _, p := range list {
			fmt.Fprintf(&b, "%s%s %s %q\n", indent, p.ID, p.Slug, p.Title)
			level(p.ID, indent+"  ")
		}
	}
	level("", "")
	return b.String()
}

// TestSections: a section without a page is a page of its title.
func TestSections(t *testing.T) {
	t.Parallel()
	const nav = `site_name: Club
nav:
  - index.md
  - Food:
      - soup.md
      - Sweet/Dishes:
          - cake.md
      - Empty:
          - https://example.com
  - Games:
      - games/index.md
      - games/tennis.md
  - Food:
      - tea.md
`
	all := []string{
		"docs/index.md", "# Club", "docs/soup.md", "# Soup\n\n[c](cake.md)", "docs/cake.md", "# Cake", "docs/tea.md", "# Tea",
		"docs/games/index.md", "# All games", "docs/games/tennis.md", "# Tennis", "docs/games/golf.md", "# Golf",
	}
	m, opts := newMemory(), Options{Status: octavo.Published, Gone: GoneDelete}
	mustRun(t, folder(append(all, "mkdocs.yml", nav)...), m, opts)
	tree := `index "Club"
  food "Food"
    soup "Soup"
    food-sweet-dishes "Sweet/Dishes"
      cake "Cake"
  games "All games"
    games-tennis "Tennis"
    games-golf "Golf"
  food-2 "Food"
    tea "Tea"
`
	first := m.outline("Club")
	if have := withoutIDs(first); have != tree {
		t.Fatalf("have\n%s\nwant\n%s", have, tree)
	}
	if have := actions(mustRun(t, folder(append(all, "mkdocs.yml", nav)...), m, opts)); have != "skipped mkdocs.yml" || m.outline("Club") != first {
		t.Errorf("the same again: have %s, pages\n%s\nwant\n%s", have, m.outline("Club"), first)
	}
	less := strings.Replace(nav, "      - Sweet/Dishes:\n          - cake.md\n", "      - cake.md\n", 1)
	have, want := actions(mustRun(t, folder(append(all, "mkdocs.yml", less)...), m, opts)), "deleted mkdocs.yml/food/sweet-dishes, "
	if !strings.Contains(have, want) {
		t.Errorf("a section less: have %s, want it to hold %s", have, want)
	}
	if have := withoutIDs(m.outline("Club")); !strings.Contains(have, "  food \"Food\"\n    soup \"Soup\"\n    cake \"Cake\"\n") {
		t.Errorf("a section less: have\n%s", have)
	}
}

// TestCategories: a folder with a _category_ file that has a label needs no page.
func TestCategories(t *testing.T) {
	t.Parallel()
	m, opts := newMemory(), Options{Set: "docs", Gone: GoneDelete}
	mustRun(t, folder("a/_category_.json", `{"label": "First", "position": 2}`, "a/x.md", "# X", "b/_category_.yml", "position: 1\n", "b/y.md", "# Y", "c/_category_.json", `{"label": "None"}`), m, opts)
	want := "a \"First\"\n  a-x \"X\"\nb-y \"Y\"\n"
	if have := withoutIDs(m.outline("docs")); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
	// A page of the folder takes the place of that of its label.
	mustRun(t, folder("a/_category_.json", `{"label": "First", "position": 2}`, "a/x.md", "# X", "a/index.md", "# All of a", "b/y.md", "# Y"), m, opts)
	want = "a \"All of a\"\n  a-x \"X\"\nb-y \"Y\"\n"
	if have := withoutIDs(m.outline("docs")); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

// TestFolders: a page is made for a folder of Hugo, which a file of it later takes over.
func TestFolders(t *testing.T) {
	t.Parallel()
	m, opts := newMemory(), Options{Set: "s", Gone: GoneDelete}
	all := []string{"hugo.toml", "", "content/a/x.md", "[all of it](/a/)", "content/b.md", ""}
	for _, more := range [][]string{nil, nil, {"content/a/_index.md", "---\ntitle: All of a\n---\n"}, nil} {
		report := mustRun(t, folder(append(all, more...)...), m, opts)
		for _, e := range report {
			if notes := notesOf(e); strings.Contains(notes, "leads to no") || strings.Contains(notes, "no page of its own") {
				t.Errorf("%s: %s", e.Path, notes)
			}
		}
		want := "content-a \"A\"\n  content-a-x \"X\"\ncontent-b \"B\"\n"
		if more != nil {
			want = strings.Replace(want, `"A"`, `"All of a"`, 1)
		}
		if have := withoutIDs(m.outline("s")); have != want || m.made != 3 {
			t.Errorf("have %d made, and\n%s\nwant\n%s", m.made, have, want)
		}
	}
}

// TestNuxtContent: .navigation.yml has the title of a folder, whose page is a numbered index,
// and links have the addresses of the site.
func TestNuxtContent(t *testing.T) {
	t.Parallel()
	m, opts := newMemory(), Options{Set: "docs"}
	run := mustRun(t, folder("1.a/.navigation.yml", "title: First\nicon: x\n", "1.a/4.tips.md", "# X", "2.b/0.index.md", "# All of b\n\n[x](/docs/4.x/a/tips) [b](/docs/b)", "2.b/1.y.md", "# Y"), m, opts)
	want := "a \"First\"\n  a-tips \"X\"\nb \"All of b\"\n  b-y \"Y\"\n"
	if have := withoutIDs(m.outline("docs")); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
	for _, e := range run {
		for _, n := range e.Notes {
			t.Errorf("%s: %s", e.Path, n.Message)
		}
	}
}

// TestSectionPages: which page of the tree speaks for a section, and which none does.
func TestSectionPages(t *testing.T) {
	t.Parallel()
	const nav = `site_name: Shop
nav:
  - Games:
      - Overview: games/index.md
      - Board: games/board.md
  - Both:
      - lamps/index.md
      - chairs/index.md
  - "":
      - plain.md
  - "..":
      - dots.md
`
	m := newMemory()
	mustRun(t, folder("mkdocs.yml", nav, "docs/games/index.md", "# All", "docs/games/board.md", "# Board", "docs/lamps/index.md", "# Lamps", "docs/chairs/index.md", "# Chairs", "docs/plain.md", "# Plain", "docs/dots.md", "# Dots"), m, Options{})
	have := withoutIDs(m.outline("Shop"))
	for _, want := range []string{
		"games \"Games\"\n  games-board \"Board\"\n", "both \"Both\"\n  lamps \"Lamps\"\n  chairs \"Chairs\"\n", "\nplain \"Plain\"\n", " \"..\"\n  dots \"Dots\"\n",
	} {
		if !strings.Contains(have, want) {
			t.Errorf("have\n%s\nwant it to hold\n%s", have, want)
		}
	}
}

// TestSectionsKeepPages: a page that moves to another section is the same page.
func TestSectionsKeepPages(t *testing.T) {
	t.Parallel()
	m, opts := newMemory(), Options{Gone: GoneDelete}
	id := func(source string) octavo.ID {
		for _, p := range m.pages {
			if p.Source == source {
				return p.ID
			}
		}
		return ""
	}
	tree := func(nav string) {
		mustRun(t, folder("mkdocs.yml", "site_name: S\nnav:\n"+nav, "docs/x.md", "# X", "docs/y.md", "# Y"), m, opts)
	}
	tree("  - A: [x.md]\n  - B: [y.md]\n")
	x, a, b := id("x.md"), id("mkdocs.yml/a"), id("mkdocs.yml/b")
	tree("  - B: [y.md, x.md]\n")
	if id("x.md") != x || id("mkdocs.yml/b") != b || id("mkdocs.yml/a") != "" || a == "" || m.pages[x].ParentID != b {
		t.Errorf("have\n%s", m.outline("S"))
	}
}

// TestDraftSections checks that a section is not published before its pages.
func TestDraftSections(t *testing.T) {
	t.Parallel()
	m, opts := newMemory(), Options{Set: "s", Status: octavo.Published, Now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	const label = `{"label": "Secret"}`
	tree := func(front string) string {
		report := mustRun(t, folder("a/_category_.json", label, "a/x.md", "---\n"+front+"\n---\n# X", "a/deep/y.md", "---\ndraft: true\n---\n# Y"), m, opts)
		for _, e := range report {
			if e.Path == "a/_category_.json" {
				p := m.pages[e.ID]
				return fmt.Sprint(e.Action, " ", p.Status, " ", p.PublishAt)
			}
		}
		return ""
	}
	for _, c := range []struct{ front, want string }{
		{"draft: true", "created draft <nil>"},
		{"draft: true", "unchanged draft <nil>"},
		{"date: 2030-02-01", "updated draft 2030-02-01 00:00:00 +0000 UTC"},
		{"date: 2030-02-01", "unchanged draft 2030-02-01 00:00:00 +0000 UTC"},
		{"title: X", "updated published <nil>"},
		{"draft: true", "updated draft <nil>"},
	} {
		if have := tree(c.front); have != c.want {
			t.Errorf("%s: have %s, want %s", c.front, have, c.want)
		}
	}
}

func withoutIDs(outline string) string {
	var b strings.Builder
	for line := range strings.Lines(outline) {
		rest := strings.TrimLeft(line, " ")
		_, text, _ := strings.Cut(rest, " ")
		b.WriteString(line[:len(line)-len(rest)] + text)
	}
	return b.String()
}

// TestLinkIntoSection: a page that was made for a section has no anchors.
func TestLinkIntoSection(t *testing.T) {
	t.Parallel()
	tree := folder("mkdocs.yml", "nav:\n- Guide:\n  - a.md\n", "docs/a.md", "[x](/guide#x)")
	notes := mustRun(t, tree, newMemory(), Options{})[0].Notes
	if want := "the link to /guide#x leads to no heading of mkdocs.yml/guide"; len(notes) != 1 || notes[0].Message != want {
		t.Errorf("have %v, want %q", notes, want)
	}
}

// TestSiteBelowTheRoot: links by the addresses of a site lead to its pages if the site is in
// a folder of the tree.
func TestSiteBelowTheRoot(t *testing.T) {
	t.Parallel()
	for _, tree := range []fstest.MapFS{
		folder("web/astro.config.mjs", "", "web/src/content/docs/a/one.md", "[two](/b/two/) [two](/b/two#x)", "web/src/content/docs/b/two.md", "# X"),
		folder("web/.vitepress/config.ts", "export default {}", "web/a/one.md", "[two](/b/two) [two](/b/two.html#x)", "web/b/two.md", "# X"),
	} {
		for _, e := range mustRun(t, tree, newMemory(), Options{}) {
			for _, n := range e.Notes {
				if strings.Contains(n.Message, "leads to no") {
					t.Errorf("%s: %s", e.Path, n.Message)
				}
			}
		}
	}
}
