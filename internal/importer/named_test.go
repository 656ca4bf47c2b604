package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
)

// shapeOf lists the pages by position, below their parents.
func shapeOf(m *memory) string {
	var list func(parent octavo.ID) string
	list = func(parent octavo.ID) string {
		var below []octavo.Page
		for _, p := range m.pages {
			if p.ParentID == parent {
				below = append(below, *p)
			}
		}
		slices.SortFunc(below, func(a, b octavo.Page) int {
			at := func(p octavo.Page) int64 {
				if p.Position == nil {
					return 1 << 40
				}
				return *p.Position
			}
			return cmp.Or(cmp.Compare(at(a), at(b)), strings.Compare(a.Title, b.Title))
		})
		var out []string
		for _, p := range below {
			out = append(out, p.Title+list(p.ID))
		}
		if len(out) == 0 {
			return ""
		}
		return fmt.Sprintf("(%s)", strings.Join(out, " "))
	}
	return list("")
}

func TestParentsByTitle(t *testing.T) {
	page := func(title, keys string) string { return "---\ntitle: " + title + "\n" + keys + "---\n" }
	m := newMemory()
	mustRun(t, folder("_config.yml", "title: T\n", "index.md", page("Home", ""),
		"a.md", page("A", ""), "b.md", page("B", ""), "sa.md", page("S", "parent: A\n"), "sb.md", page("S", "parent: B\n"),
		"ta.md", page("TA", "parent: S\ngrand_parent: B\n"), "u.md", page("U", "parent: TA\nancestor: B\n"), "v.md", page("V", "parent: None\n"),
		"x.md", page("X", "parent: Y\n"), "y.md", page("Y", "parent: X\n"),
	), m, Options{Status: octavo.Published})
	if have, want := shapeOf(m), "(Home(A(S) B(S(TA(U))) V X Y))"; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}

// TestParentsInCircles: pages that name each other, or what is below them, end the import of
// none.
func TestParentsInCircles(t *testing.T) {
	page := func(title, keys string) string { return "---\ntitle: " + title + "\n" + keys + "---\n" }
	for _, c := range []struct {
		tree fstest.MapFS
		want string
	}{
		{folder("a.md", page("A", "parent: A\nancestor: X\n"), "b.md", page("A", "parent: A\nancestor: X\n")), "(Home(A A))"},
		{folder("a.md", page("A", "parent: A\nancestor: A\n"), "b.md", page("A", "parent: A\nancestor: A\n")), "(Home(A A))"},
		{folder("a/index.md", page("A", "parent: B\n"), "a/b.md", page("B", "")), "(Home(A(B)))"},
		{folder("a/index.md", page("A", "parent: B\n"), "a/b/index.md", page("C", ""), "a/b/b.md", page("B", "")), "(Home(A(C(B))))"},
	} {
		c.tree["_config.yml"], c.tree["index.md"] = &fstest.MapFile{Data: []byte("title: T\n")}, &fstest.MapFile{Data: []byte(page("Home", ""))}
		m := newMemory()
		mustRun(t, c.tree, m, Options{Status: octavo.Published})
		if have := shapeOf(m); have != c.want {
			t.Errorf("have %s, want %s", have, c.want)
		}
	}
}

func TestNewestFirstInHugo(t *testing.T) {
	page := func(title, keys string) string { return "---\ntitle: " + title + "\n" + keys + "---\n" }
	m := newMemory()
	mustRun(t, folder("hugo.toml", "title = 'T'\n", "content/_index.md", page("Home", ""),
		"content/a.md", page("A", "date: 2020-01-01\n"), "content/b.md", page("B", "date: 2024-05-06T12:00:00Z\n"), "content/c.md", page("C", "date: 2024-05-06T13:00:00Z\n"),
		"content/d.md", page("D", ""), "content/e.md", page("E", "date: 2020-01-01\nweight: 3\n"),
	), m, Options{Status: octavo.Published})
	if have, want := shapeOf(m), "(Home(E C B A D))"; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}

func TestFoldersOfNewestFirst(t *testing.T) {
	page := func(date string) string { return "---\ndate: " + date + "\n---\n" }
	m := newMemory()
	mustRun(t, folder("hugo.toml", "title = 'T'\n", "content/blog/_index.md", "---\ntitle: Blog\n---\n", "content/blog/2023/a.md", page("2023-02-03"), "content/blog/2024/b.md", page("2024-02-03"), "content/blog/2024/c.md", page("2024-05-03"), "content/blog/d.md", page("2024-01-01")), m, Options{Status: octavo.Published})
	if have, want := shapeOf(m), "(Blog(2024(C B) D 2023(A)))"; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}

func TestNewestPostsFirst(t *testing.T) {
	m := newMemory()
	mustRun(t, folder("_config.yml", "title: T\n", "index.md", "# Home\n", "_posts/2020-01-02-a.md", "# A\n", "_posts/2021-01-02-b.md", "# B\n"), m, Options{Status: octavo.Published})
	if have, want := shapeOf(m), "(Home(B A))"; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}

func TestTermsInParts(t *testing.T) {
	for _, note := range reportOf(mustRun(t, folder("hugo.toml", "title = 'T'\n", "content/_index.md", "[b](a.md#b) [x](a.md#x)\n",
		"content/a.md", "{{% include \"_common/b.md\" %}}\n", "content/_common/b.md", "[Home](/)\n\nb\n: c\n",
	), newMemory(), Options{Status: octavo.Published})) {
		if strings.Contains(note, "leads to no") && !strings.Contains(note, "#x") {
			t.Error(note)
		}
	}
}
