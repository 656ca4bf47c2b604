package filename_test

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/importer/filename"
)

func TestPatterns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ patterns, out, in string }{
		{"[a-c].md\n", "a.md x/b.md", "d.md [a-c].md"},
		{"[!a-c].md\n[[:digit:]]x.md\n", "d.md 1x.md", "a.md"},
		{"[]x].md\n", "].md x.md", "a.md"},
		{"[z-a].md\n[x\n", "a.md [x", "ab.md x"},
		{"\\#h.md\n\\!x.md\na\\ b.md\n\\*.md\n", "#h.md !x.md a_b.md *.md", "b.md"},
		{"{a,b/{c,d}}.md\n{e}.md\n", "a.md b/c.md b/d.md {e}.md", "b.md e.md"},
		{"\uFEFFa.md\r\n./b.md\r\n", "a.md b.md", "c.md"},
		{"x/**/y.md\n/z\n", "x/y.md x/a/b/y.md z/a.md", "y.md a/z/b.md"},
		{strings.Repeat("[", 51) + "\n", "a.md", ""},
		{strings.Repeat("a", 1001) + "\n!b.md\n", "a.md", "b.md"},
		{"!" + strings.Repeat("{", 51), "a.md", ""},
		{strings.Repeat("a\n", 128<<10+1), "b.md", ""},
		{"*.md\n!k?.md\n", "a.md k.md", "k1.md x/k2.md"},
	} {
		for want, files := range map[bool]string{true: c.out, false: c.in} {
			for file := range strings.FieldsSeq(files) {
				if file = strings.ReplaceAll(file, "_", " "); filename.Matching(c.patterns)(file) != want {
					t.Errorf("%q, %s: have %t", c.patterns, file, !want)
				}
			}
		}
	}
}
