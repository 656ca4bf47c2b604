package importer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
)

// folder makes a file tree of paths and texts.
func folder(pairs ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return fsys
}

// actions lists what happened to files of a kind, without the unchanged.
func actions(r Report) string {
	var list []string
	for _, e := range r {
		if e.Action != Unchanged {
			list = append(list, string(e.Action)+" "+e.Path)
		}
	}
	return strings.Join(list, ", ")
}

func TestSecondRun(t *testing.T) {
	before := folder("a/index.md", "# A", "a/b.md", "---\nweight: 1\n---\n# B", "c.md", "---\ndraft: true\n---\n# C")
	tests := []struct {
		name  string
		after fstest.MapFS
		want  string // actions
		check func(*memory) error
	}{
		{"nothing", folder("a/index.md", "# A", "a/b.md", "---\nweight: 1\n---\n# B", "c.md", "---\ndraft: true\n---\n# C"), "", nil},
		{"content", folder("a/index.md", "# A", "a/b.md", "---\nweight: 1\n---\n# B\nmore", "c.md", "---\ndraft: true\n---\n# C"), "updated a/b.md", nil},
		{"front matter gone", folder("a/index.md", "# A", "a/b.md", "# B", "c.md", "---\ndraft: true\n---\n# C"), "updated a/b.md", func(m *memory) error {
			if b := m.bySource("a/b.md"); b.Frontmatter != nil || b.Position != nil || m.raw[b.ID] != "" {
				return fmt.Errorf("front matter is left: %s %v %q", b.Frontmatter, b.Position, m.raw[b.ID])
			}
			return nil
		}},
		{"no longer a draft", folder("a/index.md", "# A", "a/b.md", "---\nweight: 1\n---\n# B", "c.md", "---\ndraft: false\n---\n# C"), "updated c.md", func(m *memory) error {
			if c := m.bySource("c.md"); c.Status != octavo.Published {
				return fmt.Errorf("status %s", c.Status)
			}
			return nil
		}},
		{"another slug", folder("a/index.md", "---\nslug: z\n---\n# A", "a/b.md", "---\nweight: 1\n---\n# B", "c.md", "---\ndraft: true\n---\n# C"), "updated a/index.md", nil},
		{"parent gone", folder("a/b.md", "---\nweight: 1\n---\n# B", "c.md", "---\ndraft: true\n---\n# C"), "skipped a, updated a/b.md, skipped a/index.md", func(m *memory) error {
			if b := m.bySource("a/b.md"); b.ParentID != "" {
				return fmt.Errorf("parent %s", b.ParentID)
			}
			return nil
		}},
		{
			"new root", folder("index.md", "# Home", "a/index.md", "# A", "a/b.md", "---\nweight: 1\n---\n# B", "c.md", "---\ndraft: true\n---\n# C"),
			"updated a/index.md, updated c.md, created index.md", nil,
		},
		{
			"new file that sorts first keeps the old slug alone", folder("a.md", "x", "a/index.md", "# A", "a/b.md", "---\nweight: 1\n---\n# B", "c.md", "---\ndraft: true\n---\n# C"),
			"created a.md", func(m *memory) error {
				if slug := m.bySource("a.md").Slug; slug != "a-2" {
					return fmt.Errorf("slug %s", slug)
				}
				return nil
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMemory()
			opts := Options{Status: octavo.Published}
			mustRun(t, before, m, opts)
			dry := opts
			dry.DryRun = true
			calls := m.calls
			if have := actions(mustRun(t, tt.after, m, dry)); have != tt.want || m.calls != calls {
				t.Errorf("dry run: have %q and %d calls, want %q and none", have, m.calls-calls, tt.want)
			}
			if have := actions(mustRun(t, tt.after, m, opts)); have != tt.want {
				t.Errorf("have %q, want %q", have, tt.want)
			}
			if tt.check != nil {
				if err := tt.check(m); err != nil {
					t.Error(err)
				}
			}
			for _, e := range mustRun(t, tt.after, m, opts) {
				if e.Action == Created || e.Action == Updated {
					t.Errorf("third run: %s %s", e.Action, e.Path)
				}
			}
		})
	}
}

func TestKeepStatus(t *testing.T) {
	m := newMemory()
	mustRun(t, folder("a.md", "one"), m, Options{})
	page := m.bySource("a.md")
	page.Status = octavo.Published // by other means
	mustRun(t, folder("a.md", "two"), m, Options{})
	if page.Status != octavo.Published || page.Content != "two" {
		t.Errorf("have %s %q, want published and two", page.Status, page.Content)
	}
	mustRun(t, folder("a.md", "---\ntitle: [\n---\nthree"), m, Options{})
	if want := "---\ntitle: [\n---\nthree"; page.Status != octavo.Published || page.Content != want {
		t.Errorf("front matter broken: have %s %q, want published and %q", page.Status, page.Content, want)
	}
}

// TestDraftByBrokenFrontMatter checks that a page becomes a draft if its front matter
// says so, even if that is invalid as a whole.
func TestDraftByBrokenFrontMatter(t *testing.T) {
	for _, c := range []struct {
		front string
		want  octavo.PageStatus
	}{
		{"title: \"Broken\ndraft: true", octavo.Draft},
		{"title: [\nPublished: 'no'", octavo.Draft},
		{"title: [\npublishDate: 2999-01-01", octavo.Draft},
		{"title: [\ndraft: false", octavo.Published},
		{"title: [\ndescription: how to write a draft: true", octavo.Published},
	} {
		m := newMemory()
		mustRun(t, folder("a.md", "one"), m, Options{Status: octavo.Published})
		mustRun(t, folder("a.md", "---\n"+c.front+"\n---\n\ndraft: true\n"), m, Options{Status: octavo.Published})
		if have := m.bySource("a.md").Status; have != c.want {
			t.Errorf("%q: have %s, want %s", c.front, have, c.want)
		}
	}
}

func TestSlugsMoveOn(t *testing.T) {
	m := newMemory()
	mustRun(t, folder("a.md", "---\nslug: x\n---\n", "z/index.md", "---\nslug: y\n---\n", "z/k.md", ""), m, Options{})
	report := mustRun(t, folder("a.md", "---\nslug: y\n---\n", "z/index.md", "---\nslug: v\n---\n", "z/k.md", "", "new.md", "---\nslug: x\n---\n"), m, Options{})
	if have, want := actions(report), "updated a.md, created new.md, updated z/index.md"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}

func TestSwapSlugs(t *testing.T) {
	slugs := func(a, b, c, d, e string) fstest.MapFS {
		return folder("a.md", "---\nslug: "+a+"\n---\n", "b.md", "---\nslug: "+b+"\n---\n", "c.md", "---\nslug: "+c+"\n---\n", "d.md", "---\nslug: "+d+"\n---\n", "e.md", "---\nslug: "+e+"\n---\n")
	}
	m := newMemory()
	mustRun(t, slugs("v", "w", "x", "y", "z"), m, Options{})
	after := slugs("w", "v", "y", "z", "x") // a pair, and three in a ring
	report := mustRun(t, after, m, Options{})
	if have, want := actions(report), "updated a.md, updated b.md, updated c.md, updated d.md, updated e.md"; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
	for _, e := range report {
		if p := m.bySource(e.Path); p.Slug != e.Slug {
			t.Errorf("%s: have the slug %s, want %s", e.Path, p.Slug, e.Slug)
		}
	}
	if have := actions(mustRun(t, after, m, Options{})); have != "" {
		t.Errorf("third run: have %s, want nothing", have)
	}
}

func TestSlugsOfOtherPages(t *testing.T) {
	m := newMemory()
	m.pages["page_0"] = &octavo.Page{ID: "page_0", Slug: "guide", Title: "By hand"}
	for range 2 {
		report := mustRun(t, folder("guide.md", "---\naliases: [/guide]\n---\n"), m, Options{})
		if e := report[0]; e.Slug != "guide-2" || len(e.Notes) != 2 {
			t.Errorf("have %+v, want guide-2 and two notes", e)
		}
	}
	if m.pages["page_0"].Title != "By hand" || len(m.pages) != 2 {
		t.Errorf("have %+v", m.pages)
	}
}

func TestRefusedPages(t *testing.T) {
	m := newMemory()
	m.refuse = func(op octavo.BulkOperation) error {
		switch op.Create.Title {
		case "Refused":
			return octavo.Invalid("/operations/0/page/content", "is not welcome")
		case "Taken":
			return octavo.Errorf(octavo.SlugTaken, "Another page has the slug.")
		}
		return nil
	}
	report := mustRun(t, folder("index.md", "# Top", "a/index.md", "# Refused", "a/x.md", "# X", "b/index.md", "# Taken", "b/c/index.md", "# C", "b/c/d.md", "# D"), m, Options{})
	if have, want := actions(report), "skipped a/index.md, created a/x.md, created b/c/d.md, created b/c/index.md, skipped b/index.md, created index.md"; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
	top := m.bySource("index.md").ID
	for _, source := range []string{"a/x.md", "b/c/index.md"} {
		if p := m.bySource(source); p.ParentID != top {
			t.Errorf("%s: have parent %s, want %s", source, p.ParentID, top)
		}
	}
	if n := report.Counts(); n.Failed != 2 || n.Created != 4 || n.Skipped != 2 || n.Notes != 4 {
		t.Errorf("counts: have %+v", n)
	}
	if have, want := report[0].Notes[0].Message, "the page was refused: content is not welcome"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
}

func TestReportRefusedUpdate(t *testing.T) {
	m := newMemory()
	mustRun(t, folder("a.md", "---\nslug: x\n---\n"), m, Options{})
	m.refuse = func(octavo.BulkOperation) error { return octavo.Invalid("/slug", "is not welcome") }
	e := mustRun(t, folder("a.md", "---\nslug: y\n---\n"), m, Options{})[0]
	if e.Action != Skipped || e.ID != m.bySource("a.md").ID || e.Slug != "x" {
		t.Errorf("have %+v, want it skipped, with its id and the slug x", e)
	}
}

func TestFailingTargetEndsTheRun(t *testing.T) {
	m := newMemory()
	m.failing = errors.New("no disk")
	report, err := Run(context.Background(), folder("a.md", "x"), m, Options{})
	if !errors.Is(err, m.failing) || len(report) != 1 || !report[0].Failed {
		t.Errorf("have %v, %+v", err, report)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, folder("a.md", "x"), m, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: have %v", err)
	}
}

func TestManyPagesGoInBatches(t *testing.T) {
	var pairs []string
	for i := range 2500 {
		pairs = append(pairs, fmt.Sprintf("p%d.md", i), "x")
	}
	m := newMemory()
	last := 0
	report := mustRun(t, folder(pairs...), m, Options{Workers: 4, Progress: func(done, total int) {
		if done <= last || total != 5000 {
			t.Errorf("progress: have %d of %d after %d", done, total, last)
		}
		last = done
	}})
	if m.calls != 3 || len(report) != 2500 || last != 5000 {
		t.Errorf("have %d calls, %d entries, %d steps, want 3, 2500, 5000", m.calls, len(report), last)
	}
}

// TestProgressReachesTotal: sections, parts and what orders pages count as well.
func TestProgressReachesTotal(t *testing.T) {
	t.Parallel()
	tree := folder("SUMMARY.md", "# All\n\n## Part\n\n* [A](a.md)\n", "a.md", "import X from './x.mdx'\n\n<X />\n\n![](a.png)\n", "x.mdx", "x", "a.png", "p", "b.css", "", "latin1.md", "\xe9")
	m := newMemory()
	for _, target := range []Target{m, struct{ Target }{m}} { // the latter takes no files
		done, total := 0, 0
		mustRun(t, tree, target, Options{Workers: 2, Progress: func(d, t int) { done, total = d, t }})
		if done != total || done == 0 {
			t.Errorf("have %d of %d", done, total)
		}
	}
}

// locked is a file tree with a folder that cannot be read.
type locked struct {
	fstest.MapFS
	dir string
}

func (l locked) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == l.dir {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.MapFS.ReadDir(name)
}

func TestUnreadableFolder(t *testing.T) {
	m := newMemory()
	files := folder("a/x.md", "x", "b/y.md", "y", "c.md", "z")
	mustRun(t, files, m, Options{})
	files["c.md"].Data = []byte("new")
	report, err := Run(context.Background(), locked{files, "b"}, m, Options{})
	if have, want := actions(report), "skipped a, skipped b, updated c.md"; err != nil || have != want {
		t.Fatalf("have %s, %v, want %s", have, err, want)
	}
	if e := report[2]; !e.Failed || e.Notes[0].Message != "the folder cannot be read: permission denied" {
		t.Errorf("have %+v", e)
	}
	if _, err := Run(context.Background(), locked{files, "."}, m, Options{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("the root: have %v, want that it cannot be read", err)
	}
}

func TestDeepTrees(t *testing.T) {
	var pairs []string
	dir := ""
	for range 40 {
		dir += "d/"
		pairs = append(pairs, dir+"index.md", "x")
	}
	m := newMemory()
	mustRun(t, folder(pairs...), m, Options{})
	deepest := 0
	for _, p := range m.pages {
		depth := 1
		for up := p.ParentID; up != ""; up = m.pages[up].ParentID {
			depth++
		}
		deepest = max(deepest, depth)
	}
	if deepest != octavo.MaxDepth {
		t.Errorf("have a depth of %d, want %d", deepest, octavo.MaxDepth)
	}
}

func TestFilesWithoutPage(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.md")
	inside := filepath.Join(dir, "tree")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(inside, name)); err != nil {
			t.Fatal(err)
		}
	}
	write(outside, "secret")
	write(filepath.Join(inside, "good.md"), "NUL \x00 stays\r\n")
	write(filepath.Join(inside, "latin1.md"), "one\ntwo \xe9\n")
	write(filepath.Join(inside, "large.md"), strings.Repeat("x", maxFile+1))
	write(filepath.Join(inside, "exact.md"), strings.Repeat("x", maxPage-len(`""""`)))
	write(filepath.Join(inside, "escapes.md"), strings.Repeat("\"", maxPage/2))
	write(filepath.Join(inside, "sub", "x.png"), "unwelcome")
	link(outside, "leak.md")
	link("good.md", "same.md")
	link("sub", "loop")
	link("nowhere", "dangling.md")
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	m := newMemory()
	report, err := Run(context.Background(), root.FS(), m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `skipped dangling.md 1 the symbolic link leads out of the tree or nowhere
skipped escapes.md 1 the page is larger than 2080768 bytes as JSON
created exact.md
created good.md
skipped large.md 1 the file is larger than 2097152 bytes
skipped latin1.md 2 the text is not UTF-8; save it in that encoding
skipped leak.md 1 the symbolic link leads out of the tree or nowhere
skipped loop 1 symbolic links to folders are not followed
created same.md
skipped sub/x.png 1 the file was refused: file is not welcome
`
	var have strings.Builder
	for _, e := range report {
		fmt.Fprintf(&have, "%s %s", e.Action, e.Path)
		for _, n := range e.Notes {
			fmt.Fprintf(&have, " %d %s", n.Line, n.Message)
		}
		have.WriteByte('\n')
	}
	if have.String() != want {
		t.Errorf("have:\n%s\nwant:\n%s", have.String(), want)
	}
	if p := m.bySource("good.md"); p.Content != "NUL \x00 stays\r\n" {
		t.Errorf("content: have %q", p.Content)
	}
}
