package importer

import (
	"fmt"
	"strings"
	"testing"
)

// TestSpacing: positions are far apart, but for pages that are there already with the
// numbers of their files, and for numbers that are too large.
func TestSpacing(t *testing.T) {
	t.Parallel()
	m, opts := newMemory(), Options{Set: "docs"}
	positions := func() string {
		var list []string
		for _, path := range []string{"a.md", "b.md", "c.md", "x/index.md", "x/d.md", "x/e.md"} {
			if p := m.bySource(path); p != nil && p.Position != nil {
				list = append(list, fmt.Sprint(path, " ", *p.Position))
			}
		}
		return strings.Join(list, ", ")
	}
	files := []string{
		"a.md", "---\nsidebar_position: 1\n---\n", "b.md", "---\nsidebar_position: 1.5\n---\n", "x/index.md", "# X\n",
		"x/d.md", "---\nweight: 20260101\n---\n", "x/e.md", "---\nweight: 20260102\n---\n",
	}
	mustRun(t, folder(files...), m, opts)
	const spaced = "a.md 1024, b.md 1536, x/d.md 20260101, x/e.md 20260102"
	if have := positions(); have != spaced {
		t.Errorf("have %s, want %s", have, spaced)
	}

	// As an earlier version has imported them.
	clear(m.imported)
	for _, p := range m.pages {
		if p.Position != nil && *p.Position < 20260101 {
			*p.Position /= 1024
		}
	}
	old := positions()
	for _, e := range mustRun(t, folder(files...), m, opts) {
		if e.Action != Unchanged {
			t.Errorf("%s: have %s, want it unchanged", e.Path, e.Action)
		}
	}
	if have := positions(); have != old {
		t.Errorf("have %s, want %s", have, old)
	}
	mustRun(t, folder(append(files, "c.md", "---\nsidebar_position: 1.25\n---\n")...), m, opts)
	const want = "a.md 1024, b.md 1536, c.md 1280, x/d.md 20260101, x/e.md 20260102"
	if have := positions(); have != want {
		t.Errorf("with another page: have %s, want %s", have, want)
	}
}
