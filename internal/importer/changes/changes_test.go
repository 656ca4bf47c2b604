package changes

import (
	"context"
	"crypto/sha256"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/importer/brought"
)

// memory is a target of pages that are there.
type memory []octavo.Page

func (m memory) Pages(context.Context) iter.Seq2[octavo.Page, error] {
	return func(yield func(octavo.Page, error) bool) {
		for _, p := range m {
			if !yield(p, nil) {
				return
			}
		}
	}
}

func (m memory) Page(_ context.Context, id octavo.ID) (octavo.Page, error) {
	return m[slices.IndexFunc(m, func(p octavo.Page) bool { return p.ID == id })], nil
}

func (memory) Apply(context.Context, []octavo.BulkOperation) ([]importer.Result, error) {
	panic("nothing is written")
}

// folder makes a file tree of paths and texts.
func folder(pairs ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return fsys
}

func TestFilesBecomeChanges(t *testing.T) {
	t.Parallel()
	before := folder("index.md", "# Home", "a/index.md", "# A", "a/b.md", "---\nweight: 1\n---\n# B", "c.md", "# C")
	for _, test := range []struct {
		name  string
		moved func(memory) // what was done in the target since
		files fstest.MapFS // in place of those before
		only  string
		want  string
	}{
		{"nothing", nil, nil, ".", ""},
		{"text", nil, folder("c.md", "# C\n\nmore", "a/b.md", "other"), "c.md", `{"op":"update","pageId":"C","content":"# C\n\nmore"}`},
		{"what was moved stays", func(m memory) {
			b := &m[2]
			b.Slug, b.ParentID, b.Position = "elsewhere", "", nil
		}, folder("a/b.md", "---\nweight: 1\n---\n# B!"), "a", `{"op":"update","pageId":"B","title":"B!","content":"# B!","frontmatterRaw":"---\nweight: 1\n---\n"}`},
		{
			"front matter moves", nil, folder("a/b.md", "---\nweight: 2\nslug: /x\n---\n# B"), "a/b.md",
			`{"op":"update","pageId":"B","slug":"x","position":2048,"frontmatterRaw":"---\nweight: 2\nslug: /x\n---\n"}`,
		},
		{"front matter goes", nil, folder("a/b.md", "# B"), "a/b.md", `{"op":"update","pageId":"B","position":null,"frontmatterRaw":""}`},
		{
			"a new page below another", nil, folder("d/index.md", "# D", "d/e.md", "# E"), "d",
			`{"id":"new_0","op":"create","title":"D","slug":"d","status":"draft","parentId":"HOME","source":"d/index.md","importSet":"s","content":"# D"}` +
				`{"id":"new_1","op":"create","title":"E","slug":"d-e","status":"draft","parentId":"new_0","source":"d/e.md","importSet":"s","content":"# E"}`,
		},
		{
			"its parent was not asked for", nil, folder("d/index.md", "# D", "d/e.md", "# E"), "d/e.md",
			`{"id":"new_0","op":"create","title":"E","slug":"d-e","status":"draft","parentId":"HOME","source":"d/e.md","importSet":"s","content":"# E"}`,
		},
		{
			"a rename", nil, folder("c.md", "", "a/c.md", "# C"), "a/c.md",
			`{"op":"update","pageId":"C","slug":"a-c","parentId":"A","source":"a/c.md"}`,
		},
		{
			"a schedule", nil, folder("c.md", "---\nexpiryDate: 2040-01-01\n---\n# C"), "c.md",
			`{"op":"update","pageId":"C","publishAt":null,"unpublishAt":"2040-01-01T00:00:00.000Z","frontmatterRaw":"---\nexpiryDate: 2040-01-01\n---\n"}`,
		},
		{
			"a page that no file made, by its slug", func(m memory) { m[3].Source = "" }, folder("c.md", "# C\n\nmore"), "c.md",
			`{"op":"update","pageId":"C","content":"# C\n\nmore"}`,
		},
		{
			"a page of another file, by slug in the front matter", nil, folder("c.md", "", "new.md", "---\nslug: c\n---\nentirely different words"), "new.md",
			`{"op":"update","pageId":"C","title":"New","source":"new.md","content":"entirely different words","frontmatterRaw":"---\nslug: c\n---\n"}`,
		},
		{
			"a page by its id", func(m memory) { m[3].Source = "" }, folder("c.md", "", "new.md", "---\nid: C\n---\n# C"), "new.md",
			`{"op":"update","pageId":"C","frontmatterRaw":"---\nid: C\n---\n"}`,
		},
		{
			"below the folder of MkDocs", nil, folder("mkdocs.yml", "site_name: Site", "docs/c.md", "# C\n\nmore", "docs/index.md", "# Home"), "docs/c.md",
			`{"op":"update","pageId":"C","content":"# C\n\nmore"}`,
		},
		{"no page", nil, folder("x.txt", "x"), "x.txt", "refused x.txt"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			one := int64(importer.Spacing)
			m := memory{
				{ID: "HOME", Source: "index.md", Slug: "index", Title: "Home", Content: "# Home"},
				{ID: "A", Source: "a/index.md", Slug: "a", Title: "A", Content: "# A", ParentID: "HOME"},
				{ID: "B", Source: "a/b.md", Slug: "a-b", Title: "B", Content: "# B", ParentID: "A", Position: &one, Frontmatter: []byte(`{"weight":1}`)},
				{ID: "C", Source: "c.md", Slug: "c", Title: "C", Content: "# C", ParentID: "HOME"},
			}
			for i := range m {
				m[i].ImportSet = "s"
			}
			files := fstest.MapFS{}
			for _, tree := range []fstest.MapFS{before, test.files} {
				for name, file := range tree {
					if files[name] = file; len(file.Data) == 0 || test.files["mkdocs.yml"] != nil && !strings.HasPrefix(name, "docs/") && name != "mkdocs.yml" {
						delete(files, name)
					}
				}
			}
			if test.moved != nil {
				test.moved(m)
			}
			changes := New(m)
			report, err := importer.Run(t.Context(), files, changes, importer.Options{Set: "s", Only: []string{test.only}})
			if err != nil {
				t.Fatal(err)
			}
			var have strings.Builder
			for _, c := range changes.List {
				c.Imported = nil
				have.Write(c.AppendJSON(nil, true))
			}
			for _, e := range report {
				if e.Failed {
					have.WriteString("refused " + e.Path)
				}
			}
			if have := strings.ReplaceAll(have.String(), `"id":"",`, ""); have != test.want {
				t.Errorf("have %s\nwant %s", have, test.want)
			}
		})
	}
}

func TestChangesFindPages(t *testing.T) {
	t.Parallel()
	changes := New(memory{{ID: "page_1", Slug: "a.md"}, {ID: "page_2", Slug: "b", Source: "a.md"}})
	for _, err := range changes.Pages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]octavo.ID{"page_1": "page_1", "a.md": "page_2", "b": "page_2", "c": ""} {
		if page, found := changes.Find(name); page.ID != want || found != (want != "") {
			t.Errorf("%s: have %s, want %s", name, page.ID, want)
		}
	}
	changes.Delete("page_2")
	if c := changes.List[0]; c.Op != octavo.ChangeDelete || c.PageID != "page_2" || c.Children != "reparent" {
		t.Errorf("have %+v", c)
	}
}

// TestEditedPages: what was edited in the target since the last import is in what is
// proposed, and what the files say goes with it for the next one.
func TestEditedPages(t *testing.T) {
	t.Parallel()
	const text = "one\n\ntwo\n\nthree\n"
	b := brought.Base{Title: "A", Slug: "a", Sum: sha256.Sum256([]byte(text))}
	imported, err := b.Object(new(text))
	if err != nil {
		t.Fatal(err)
	}
	m := memory{
		{ID: "A", ImportSet: "s", Source: "a.md", Slug: "here", Title: "Here", Content: "ONE\n\ntwo\n\nthree\n", Imported: imported},
		{ID: "B", ImportSet: "s", Source: "b.md", Slug: "b", Title: "B", Content: "edited"},
	}
	b.Title, b.Slug, b.Sum = "B", "b", sha256.Sum256([]byte("b"))
	if m[1].Imported, err = b.Object(new("b")); err != nil {
		t.Fatal(err)
	}
	const file = "one\n\ntwo\n\nTHREE\n"
	changes := New(m)
	if _, err := importer.Run(t.Context(), folder("a.md", file, "b.md", "b"), changes, importer.Options{Set: "s", Only: []string{"."}}); err != nil {
		t.Fatal(err)
	}
	if len(changes.List) != 1 || changes.List[0].Title != nil || changes.List[0].Slug != nil || *changes.List[0].Content != "ONE\n\ntwo\n\nTHREE\n" {
		t.Fatalf("have %+v", changes.List)
	}
	have, content, ok := brought.Read(changes.List[0].Imported)
	if !ok || content == nil || *content != file || have.Sum != sha256.Sum256([]byte(file)) || have.Title != "A" || have.Slug != "a" {
		t.Errorf("have %s", changes.List[0].Imported)
	}
}
