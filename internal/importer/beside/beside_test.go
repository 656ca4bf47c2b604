package beside

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
)

func TestFS(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"docs/a.md": {Data: []byte("a")}, "docs/x/b.py": {Data: []byte("in")}, "x/b.py": {Data: []byte("out")}, "x/c.py": {Data: []byte("c")}, "docs/.h/d.md": {Data: []byte("d")}}
	docs, err := fs.Sub(tree, "docs")
	if err != nil {
		t.Fatal(err)
	}
	f := FS{docs, tree, []string{"x", "none"}, ""}
	if have, want := f.Find([]string{"x/c.py", "x/b.py", "x/none.py", "x", "../x/c.py", "c.py", ".h/d.md"}), []string{".h/d.md", "x/c.py"}; !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
	for name, want := range map[string]string{"a.md": "a", "x/b.py": "in", "x/c.py": "c"} {
		if have, err := fs.ReadFile(f, name); err != nil || string(have) != want {
			t.Errorf("%s: have %q, %v; want %q", name, have, err, want)
		}
	}
	if _, err := f.Open("none"); err == nil {
		t.Error("a file that is nowhere was opened")
	}
}
