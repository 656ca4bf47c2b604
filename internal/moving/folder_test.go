package moving

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// export returns a folder of these files.
func export(files map[string]string) fs.FS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// TestFind holds what addresses on a page mean.
func TestFind(t *testing.T) {
	t.Parallel()
	nfd, nfc := "Wo\u0308chentlich", "W\u00F6chentlich"
	tree, err := Open(export(map[string]string{
		"a.md":      "[accents](" + nfc + ".md) [escaped](50%25%20x.md) [out](../../etc/passwd) [below](in.md) [other](https://example.com/b.md) [itself](#x) [file](f/n.md)",
		nfd + ".md": "x", "50% x.md": "x", "a/in.md": "x",
		"f/n.md":              "x",
		".git/config.md":      "hidden",
		"node_modules/m/r.md": "not ours",
	}), "outline")
	if err != nil {
		t.Fatal(err)
	}
	have, err := fs.ReadFile(tree, "a/index.md")
	want := "[accents](../wochentlich.md) [escaped](../50-x.md) [out](../../etc/passwd) [below](in.md) [other](https://example.com/b.md) [itself](#x) [file](../f/n.md)"
	if err != nil || !strings.HasSuffix(string(have), want) {
		t.Errorf("have %s, %v, want %s", have, err, want)
	}
	for name := range tree.entries {
		if strings.Contains(name, "config") || strings.Contains(name, "r.md") {
			t.Errorf("%s is in the tree", name)
		}
	}
}

// TestAuto holds which system a folder is taken for.
func TestAuto(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"docs/a.md": "", "a.html": "html", "a 0123456789abcdef0123456789abcdef.html": "notion", "data.json": "",
		"c/uploads/00000000-0000-4000-8000-000000000000/00000000-0000-4000-8000-000000000001/x.png": "outline",
	} {
		tree, err := Open(export(map[string]string{file: "x"}), Auto)
		have := ""
		if tree != nil {
			have = tree.System
		}
		if err != nil || have != want {
			t.Errorf("%s: have %q, %v, want %q", file, have, err, want)
		}
	}
	for _, name := range Systems() {
		if _, err := Open(export(map[string]string{"a.txt": "x"}), name); err == nil {
			t.Errorf("a folder of text as an export of %s: want an error", name)
		}
	}
}

// TestEqualTitles has as many pages of one title as would take minutes if each was
// tried against those before it.
func TestEqualTitles(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 20_000 {
		files[fmt.Sprintf("Untitled %032x.md", i)] = "x"
	}
	tree, err := Open(export(files), Auto)
	if err != nil || len(tree.entries) != len(files) || tree.entries["untitled-20000.md"].open == nil {
		t.Errorf("have %d pages, %v, want %d", len(tree.entries), err, len(files))
	}
}

// FuzzMarkdown reads pages of Markdown as those of each system that has some.
func FuzzMarkdown(f *testing.F) {
	f.Add("# a\n\n![x](y =3x4) [z](b.md)\n> q\n{.is-info}\n\\\n~~~\n", "a,b\n1,\"2\n")
	f.Add("<!--\ntitle: x\n-->\n<p>y", "---\ntitle: \"\n---\n> a\nb\n{.is-danger}")
	f.Fuzz(func(t *testing.T, text, table string) {
		if len(text)+len(table) > 1<<16 {
			return
		}
		for _, system := range []string{"outline", "wikijs", "notion", "html"} {
			const id = " 0123456789abcdef0123456789abcdef"
			tree, err := Open(export(map[string]string{"a" + id + ".md": text, "a" + id + "/t" + id + ".csv": table, "b.html": text, "a.md": table}), system)
			if err != nil {
				t.Fatal(err)
			}
			for name := range tree.entries {
				if !fs.ValidPath(name) {
					t.Errorf("%s: the path %q", system, name)
				}
				if _, err := fs.ReadFile(tree, name); err != nil && !strings.Contains(err.Error(), "parse error on line") && !strings.Contains(err.Error(), "read the HTML") {
					t.Errorf("%s: %s: %v", system, name, err)
				}
			}
		}
	})
}

// unreadable is a folder in which one cannot be read.
type unreadable struct{ fstest.MapFS }

func (u unreadable) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "locked" {
		return nil, fs.ErrPermission
	}
	return u.MapFS.ReadDir(name)
}

// TestUnreadable tells of a folder that cannot be read, and takes the others along.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	folder := unreadable{fstest.MapFS{"a.md": {Data: []byte("x")}, "locked/b.md": {Data: []byte("x")}}}
	if tree, err := Open(folder, Auto); tree != nil || err != nil {
		t.Errorf("a tree of files: have %v, %v, want none", tree, err)
	}
	tree, err := Open(folder, "outline")
	if err != nil || len(tree.entries) != 1 || !slices.ContainsFunc(tree.Losses(), func(l Loss) bool { return l.From == "locked" }) {
		t.Errorf("have %v, want one page and a loss", err)
	}
}
