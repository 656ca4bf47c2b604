package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

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

func withoutIDs(outline string) string {
	var b strings.Builder
	for line := range strings.Lines(outline) {
		rest := strings.TrimLeft(line, " ")
		_, text, _ := strings.Cut(rest, " ")
		b.WriteString(line[:len(line)-len(rest)] + text)
	}
	return b.String()
}
