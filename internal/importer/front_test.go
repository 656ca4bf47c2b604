package importer

import (
	"testing"

	"github.com/octavo-docs/octavo"
)

func TestKeepTextLikeFrontMatter(t *testing.T) {
	for _, c := range []struct {
		text    string
		content string
		status  octavo.PageStatus
		line    int // of the note; 0 wants none
	}{
		{"---\n\nA rule first\n\n---\n\nmore\n", "", octavo.Published, 0},
		{"---\n# Heading\n\n---\nmore\n", "", octavo.Published, 0},
		{"---\n- a\n- b\n---\n", "", octavo.Published, 0},
		{"\uFEFF---\r\n---\r\nmore\r\n", "", octavo.Published, 0},
		{";;;\n[1]\n;;;\nmore\n", "", octavo.Published, 0},
		{"---\ntitle: x\nbad: [\n---\nmore\n", "", octavo.Draft, 4},
		{"+++\na = \n+++\nmore\n", "", octavo.Draft, 2},
		{"---\ntitle: x\n", "", octavo.Draft, 1},
		{"---\ntitle: x\n---\nmore\n", "more\n", octavo.Published, 0},
	} {
		want := c.content
		if want == "" {
			want = c.text
		}
		m := newMemory()
		e := mustRun(t, folder("a.md", c.text), m, Options{Status: octavo.Published})[0]
		p := m.bySource("a.md")
		if p.Content != want || p.Status != c.status || (p.Frontmatter == nil) != (c.content == "") {
			t.Errorf("%q: have %q, %s, front matter %s\nwant %q, %s", c.text, p.Content, p.Status, p.Frontmatter, want, c.status)
		}
		line := 0
		if len(e.Notes) > 0 {
			line = e.Notes[0].Line
		}
		if line != c.line {
			t.Errorf("%q: have notes %v, want one at line %d, or none for 0", c.text, e.Notes, c.line)
		}
	}
}

func TestUnsupportedAddresses(t *testing.T) {
	for _, front := range []string{"slug: /", "permalink: /:year/:title", "url: https://h/x"} {
		m := newMemory()
		e := mustRun(t, folder("a.md", "---\ntags: []\n"+front+"\n---\n"), m, Options{})[0]
		if e.Slug != "a" || len(e.Notes) != 1 || e.Notes[0].Line != 3 {
			t.Errorf("%s: have %+v, want the slug a and a note at line 3", front, e)
		}
	}
}

func TestNoteInvalidTags(t *testing.T) {
	t.Parallel()
	for tags, want := range map[string]string{
		"{a: 1}": `tags: {"a":1} is not a tag`, "[a, [b, c], {x: y}]": `tags: ["b","c"] is not a tag; tags: {"x":"y"} is not a tag`,
		"[a, 1, true, null, {label: b}]": "", "a, b": "", "": "",
	} {
		e := mustRun(t, folder("a.md", "---\ntags: "+tags+"\n---\n"), newMemory(), Options{})[0]
		if have := notesOf(e); have != want {
			t.Errorf("tags: %s: have %s, want %s", tags, have, want)
		}
	}
}

func TestReformatFrontMatter(t *testing.T) {
	m := newMemory()
	mustRun(t, folder("a.md", "---\na: 1\n---\n", "b.md", "---\nb: 1\n---\n", "c.md", "c"), m, Options{})
	after := folder("a.md", "---\na: 1 # one\n---\n", "b.md", "---\nb: 1\n---\n", "c.md", "c")
	if have, want := actions(mustRun(t, after, m, Options{})), "updated a.md"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
	if have, want := m.raw[m.bySource("a.md").ID], "---\na: 1 # one\n---\n"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
	if have := actions(mustRun(t, after, m, Options{})); have != "" {
		t.Errorf("again: have %q, want nothing", have)
	}
}
