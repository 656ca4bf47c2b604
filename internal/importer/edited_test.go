package importer

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/brought"
	"github.com/octavo-docs/octavo/internal/merge"
)

// told returns what the report says about a file of what stays as it is here.
func told(r Report, path string) string {
	var list []string
	for _, e := range r {
		for _, n := range e.Notes {
			if e.Path == path && n.Here+n.File != "" {
				what, _, _ := strings.Cut(n.Message, " was changed here")
				list = append(list, fmt.Sprintf("%d %s: %q, %q", n.Line, what, n.Here, n.File))
			}
		}
	}
	return strings.Join(list, "; ")
}

// TestMergeLocalAndFileChanges imports a tree, has its page a/b.md changed in the target, imports
// a changed tree, and then the same once more. Each case goes by the store directly and
// over HTTP.
func TestMergeLocalAndFileChanges(t *testing.T) {
	t.Parallel()
	const front = "---\ntitle: B # its title\ntags: [x]\nweight: 1\n---\n"
	const text = "one\n\ntwo\n\nthree\n"
	was := page("B a-b A 1024", `{"title":"B","tags":["x"],"weight":1}`, text)
	for _, c := range []struct {
		name  string
		here  func(m *memory, b *octavo.Page)
		files []string // beside or in place of those before
		want  string   // of the page; "" is as it was
		told  string
		over  string // of the page with Options.Overwrite, where that is another
	}{
		{"nobody, anything", nil, nil, "", "", ""},
		{"the file its text", nil, []string{"a/b.md", front + "one\n"}, page("B a-b A 1024", `{"title":"B","tags":["x"],"weight":1}`, "one\n"), "", ""},
		{"the page its text", content("four\n"), nil, page("B a-b A 1024", `{"title":"B","tags":["x"],"weight":1}`, "four\n"), "", ""},
		{
			"both the text, apart", content("ONE\n\ntwo\n\nthree\n"),
			[]string{"a/b.md", front + "one\n\ntwo\n\nTHREE\n"},
			page("B a-b A 1024", `{"title":"B","tags":["x"],"weight":1}`, "ONE\n\ntwo\n\nTHREE\n"), "", "",
		},
		{
			"both the text, to the same", content("ONE\n\ntwo\n\nthree\n"),
			[]string{"a/b.md", front + "ONE\n\ntwo\n\nthree\n"},
			page("B a-b A 1024", `{"title":"B","tags":["x"],"weight":1}`, "ONE\n\ntwo\n\nthree\n"), "", "",
		},
		{
			"both a line of the text, and others apart", content("here\n\ntwo\n\nthree\nmore\n"),
			[]string{"a/b.md", front + "zero\n\nfile\n\ntwo\n\nTHREE\nfour\n"},
			page("B a-b A 1024", `{"title":"B","tags":["x"],"weight":1}`, "here\n\ntwo\n\nthree\nmore\n"),
			`6 what begins here: "here\n", "zero\n\nfile\n"; 12 what begins here: "three\nmore\n", "THREE\nfour\n"`,
			page("B a-b A 1024", `{"title":"B","tags":["x"],"weight":1}`, "zero\n\nfile\n\ntwo\n\nTHREE\nfour\n"),
		},
		{
			"a line both, another the file", content("here\n\ntwo\n\nthree\n"),
			[]string{"a/b.md", front + "file\n\ntwo\n\nTHREE\n"},
			page("B a-b A 1024", `{"title":"B","tags":["x"],"weight":1}`, "here\n\ntwo\n\nTHREE\n"), `6 what begins here: "here\n", "file\n"`,
			page("B a-b A 1024", `{"title":"B","tags":["x"],"weight":1}`, "file\n\ntwo\n\nTHREE\n"),
		},
		{
			"the page its title, the file its text", func(_ *memory, b *octavo.Page) { b.Title = "Here" },
			[]string{"a/b.md", front + "one\n"},
			page("Here a-b A 1024", `{"title":"B","tags":["x"],"weight":1}`, "one\n"), "", "",
		},
		{
			"both the title", func(_ *memory, b *octavo.Page) { b.Title = "Here" },
			[]string{"a/b.md", "---\ntitle: File\n---\n" + text},
			page("Here a-b A -", `{"title":"File"}`, text), `1 the title: "Here", "File"`, page("File a-b A -", `{"title":"File"}`, text),
		},
		{
			"the page its slug, the file its text", func(_ *memory, b *octavo.Page) { b.Slug = "here" },
			[]string{"a/b.md", front + "one\n"},
			page("B here A 1024", `{"title":"B","tags":["x"],"weight":1}`, "one\n"), "", "",
		},
		{
			"the page its slug, which another file wants", func(_ *memory, b *octavo.Page) { b.Slug = "here" },
			[]string{"here.md", "# New"},
			page("B here A 1024", `{"title":"B","tags":["x"],"weight":1}`, text), "", "",
		},
		{
			"both the slug", func(_ *memory, b *octavo.Page) { b.Slug = "here" },
			[]string{"a/b.md", "---\ntitle: B\ntags: [x]\nweight: 1\nslug: /file\n---\n" + text},
			page("B here A 1024", `{"title":"B","tags":["x"],"weight":1,"slug":"/file"}`, text), `1 the slug: "here", "file"`,
			page("B file A 1024", `{"title":"B","tags":["x"],"weight":1,"slug":"/file"}`, text),
		},
		{
			"the page its parent, the file its text", func(m *memory, b *octavo.Page) { b.ParentID = m.bySource("c.md").ID },
			[]string{"a/b.md", front + "one\n"},
			page("B a-b C 1024", `{"title":"B","tags":["x"],"weight":1}`, "one\n"), "", "",
		},
		{
			"both the parent", func(m *memory, b *octavo.Page) { b.ParentID = m.bySource("c.md").ID },
			[]string{"a/b.md", "", "a/index.md", "", "a.md", "# A", "d.md", front + text},
			page("B d C 1024", `{"title":"B","tags":["x"],"weight":1}`, text), `1 the parent: "C", "Home"`, page("B d Home 1024", `{"title":"B","tags":["x"],"weight":1}`, text),
		},
		{
			"the page its place, the file its text", func(_ *memory, b *octavo.Page) { b.Position = new(int64(7)) },
			[]string{"a/b.md", front + "one\n"},
			page("B a-b A 7", `{"title":"B","tags":["x"],"weight":1}`, "one\n"), "", "",
		},
		{
			"both the place", func(_ *memory, b *octavo.Page) { b.Position = new(int64(7)) },
			[]string{"a/b.md", "---\ntitle: B\ntags: [x]\nweight: 2\n---\n" + text},
			page("B a-b A 7", `{"title":"B","tags":["x"],"weight":2}`, text), `1 the position: "7", "2048"`, page("B a-b A 2048", `{"title":"B","tags":["x"],"weight":2}`, text),
		},
		{
			"the page its tags, the file its weight", frontOf(`{"title":"B","tags":["x","here"],"weight":1}`),
			[]string{"a/b.md", "---\ntitle: B # its title\ntags: [x]\nweight: 2\n---\n" + text},
			page("B a-b A 2048", `{"title":"B","tags":["x","here"],"weight":2}`, text), "", "",
		},
		{
			"both the tags, the file a key", frontOf(`{"title":"B","tags":["here"],"weight":1,"own":1}`),
			[]string{"a/b.md", "---\ntitle: B\ntags: [file]\nweight: 1\nnew: 1\n---\n" + text},
			page("B a-b A 1024", `{"title":"B","tags":["here"],"weight":1,"own":1,"new":1}`, text), `3 tags: "[\"here\"]", "[\"file\"]"`,
			page("B a-b A 1024", `{"title":"B","tags":["file"],"weight":1,"new":1,"own":1}`, text),
		},
		{"the page has no front matter any more", frontOf(""), []string{"a/b.md", front + "one\n"}, page("B a-b A 1024", "", "one\n"), "", ""},
		{
			"the file has no front matter any more, the page a key", frontOf(`{"title":"B","tags":["x"],"weight":1,"own":1}`),
			[]string{"a/b.md", "# B\n"},
			page("B a-b A -", `{"own":1}`, "# B\n"), "", "",
		},
		{
			"the page is marked as a draft, the file changes its text", frontOf(`{"title":"B","tags":["x"],"weight":1,"draft":true}`),
			[]string{"a/b.md", front + "one\n"},
			page("B a-b A 1024", `{"title":"B","tags":["x"],"weight":1,"draft":true}`, "one\n"), "", "",
		},
		{
			"both, and what was imported is not known", func(m *memory, b *octavo.Page) { b.Content, b.Title = "here\n", "Here"; clear(m.imported) },
			[]string{"a/b.md", front + "one\n"},
			page("B a-b A 1024", `{"title":"B","tags":["x"],"weight":1}`, "one\n"), "", "",
		},
		{
			"the file is renamed, the page its text", content("one\n\ntwo\n\nthree\n\nfour\n"),
			[]string{"a/b.md", "", "a/z.md", front + "one\n\ntwo\n\nthree\n"},
			page("B a-z A 1024", `{"title":"B","tags":["x"],"weight":1}`, "one\n\ntwo\n\nthree\n\nfour\n"), "", "",
		},
	} {
		for _, way := range []string{"directly", "over HTTP"} {
			for _, overwrite := range []bool{false, true} {
				m := newMemory()
				var target Target = m
				if way != "directly" {
					target = serve(t, m)
				}
				opts := Options{Status: octavo.Published, Set: "docs", Overwrite: overwrite}
				files := []string{"index.md", "# Home", "a/index.md", "# A", "a/b.md", front + text, "c.md", "# C"}
				mustRun(t, folder(files...), target, opts)
				b := m.bySource("a/b.md")
				if c.here != nil {
					c.here(m, b)
				}
				after := folder(append(files, c.files...)...)
				for name, f := range after {
					if len(f.Data) == 0 {
						delete(after, name)
					}
				}
				report := mustRun(t, after, target, opts)
				want, wantTold := c.want, c.told
				if want == "" {
					want = was
				}
				if overwrite {
					if wantTold = ""; c.over != "" {
						want = c.over
					}
				}
				said := told(report, b.Source)
				if have := m.show(b); have != want || said != wantTold || b.Status != octavo.Published {
					t.Errorf("%s, %s, overwrite %t:\nhave %s\nwant %s\ntold %s\nwant %s", c.name, way, overwrite, have, want, said, wantTold)
				}
				again := mustRun(t, after, target, opts)
				if have := m.show(b); have != want || actions(again) != "" || told(again, b.Source) != told(report, b.Source) {
					t.Errorf("%s, %s, overwrite %t, once more: have %s and %q, told %s", c.name, way, overwrite, have, actions(again), told(again, b.Source))
				}
			}
		}
	}
}

func content(text string) func(*memory, *octavo.Page) {
	return func(_ *memory, b *octavo.Page) { b.Content = text }
}

func frontOf(front string) func(*memory, *octavo.Page) {
	return func(m *memory, b *octavo.Page) {
		if b.Frontmatter = []byte(front); front == "" {
			b.Frontmatter = nil
		}
		delete(m.raw, b.ID)
	}
}

// page is a page as show has it.
func page(members, front, content string) string {
	return fmt.Sprintf("%s %s %q", members, front, content)
}

// show has title, slug, title of the parent and position of a page, and its texts.
func (m *memory) show(p *octavo.Page) string {
	parent, position := "-", "-"
	if up := m.pages[p.ParentID]; up != nil {
		parent = up.Title
	}
	if p.Position != nil {
		position = fmt.Sprint(*p.Position)
	}
	return page(strings.Join([]string{p.Title, p.Slug, parent, position}, " "), string(p.Frontmatter), p.Content)
}

// TestRoundsOfEdits edits files and pages in turn, at random, and checks that no import
// loses a line that one side alone has changed.
func TestRoundsOfEdits(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(88, 1))
	m, files := newMemory(), map[string][]string{"a.md": nil, "b.md": nil, "c.md": nil}
	made := 0
	edit := func(lines []string) []string {
		lines = slices.Clone(lines)
		for range r.IntN(4) {
			at := r.IntN(len(lines) + 1)
			to := min(len(lines), at+r.IntN(3))
			var anew []string
			for range r.IntN(3) {
				made++
				anew = append(anew, fmt.Sprintf("line %d\n", made))
			}
			lines = slices.Replace(lines, at, to, anew...)
		}
		return lines
	}
	run := func(overwrite bool) Report {
		tree := folder()
		for name, lines := range files {
			tree[name] = &fstest.MapFile{Data: []byte("---\ntitle: T\n---\n" + strings.Join(lines, ""))}
		}
		return mustRun(t, tree, m, Options{Set: "s", Overwrite: overwrite})
	}
	run(false)
	told := 0
	for round := range 1000 {
		overwrite, base, here := round%7 == 0, map[string]string{}, map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			p, lines := m.bySource(name), files[name]
			_, text, _ := brought.Read(m.imported[p.ID])
			p.Content = strings.Join(edit(merge.Lines(p.Content)), "")
			base[name], here[name], files[name] = *text, p.Content, edit(lines)
		}
		report := run(overwrite)
		for _, e := range report {
			said := ""
			for _, n := range e.Notes {
				said += n.Here + n.File
				told++
			}
			file, next := strings.Join(files[e.Path], ""), m.bySource(e.Path).Content
			for _, line := range merge.Lines(base[e.Path] + here[e.Path] + file) {
				in := func(text string) bool { return strings.Contains("\n"+text, "\n"+line) }
				was, ours, theirs, is := in(base[e.Path]), in(here[e.Path]), in(file), in(next)
				want := theirs // which alone was changed
				if ours == theirs || theirs == was || in(said) {
					want = ours
				}
				if is != want && (!overwrite || is != theirs) { // overwritten, both may have changed the place
					t.Fatalf("round %d, %s: base %q, here %q, file %q: have %q, in which %q is %t; told %q", round, e.Path, base[e.Path], here[e.Path], file, next, line, is, said)
				}
			}
		}
		if again := run(false); actions(again) != "" {
			t.Fatalf("round %d, once more: have %s", round, actions(again))
		}
	}
	if told < 100 {
		t.Errorf("have %d conflicts told, want more", told)
	}
}

// TestRefusedParent: a file goes below another, whose page was moved below its own.
func TestRefusedParent(t *testing.T) {
	t.Parallel()
	for _, overwrite := range []bool{false, true} {
		m, opts := newMemory(), Options{Set: "docs", Overwrite: overwrite}
		words := prose("w", 40)
		mustRun(t, folder("index.md", "# Home", "a/index.md", "# A", "b.md", words), m, opts)
		home, a, b := m.bySource("index.md"), m.bySource("a/index.md"), m.bySource("b.md")
		a.ParentID = b.ID
		after := folder("index.md", "# Home", "a/index.md", "# A", "a/b.md", words+"more")
		for _, want := range []string{"updated a/b.md", ""} {
			report := mustRun(t, after, m, opts)
			wantTold := `1 the parent: "Home", "A"`
			if have, told := actions(report), told(report, "a/b.md"); have != want || told != wantTold || b.Content != words+"more" || b.ParentID != home.ID || report.Counts().Failed > 0 {
				t.Errorf("overwrite %t: have %q, told %q; want %q, %q; the page is %+v", overwrite, have, told, want, wantTold, b)
			}
		}
	}
}
