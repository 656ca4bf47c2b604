package moving

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"testing"
)

// TestOpen holds what becomes of each export in testdata against NAME.txt.
func TestOpen(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bookstack", "confluence", "html", "notion", "outline", "wikijs"} {
		tree, err := Open(os.DirFS("testdata/"+name), Auto)
		if err != nil || tree == nil || tree.System != name {
			t.Fatalf("open %s: %v, %v", name, tree, err)
		}
		var have bytes.Buffer
		fmt.Fprintf(&have, "name %s\n", tree.Name)
		err = fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(tree, file)
			fmt.Fprintf(&have, "\n==== %s\n", file)
			if path.Ext(file) == ".md" {
				have.Write(text)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		have.WriteString("\n==== lost\n")
		for _, l := range tree.Losses() {
			fmt.Fprintf(&have, "%s (%s:%d) %s: %s\n", l.Path, l.From, l.Line, l.Construct, l.Words)
		}
		have.WriteString("\n==== redirects\n")
		for _, r := range tree.Redirects {
			fmt.Fprintf(&have, "%s → %s\n", r.From, r.Path)
		}
		golden := "testdata/" + name + ".txt"
		if os.Getenv("OCTAVO_UPDATE") != "" {
			if err := os.WriteFile(golden, have.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if have.String() != string(want) {
			t.Errorf("%s: have\n%s\nwant\n%s", name, have.String(), want)
		}
	}
}
