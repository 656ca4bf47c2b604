package exports

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadPages(t *testing.T) {
	tree := t.TempDir()
	code := "```sh\na\n```\n\n```sh\nb\n```\n"
	for name, text := range map[string]string{
		"a.md":     "---\ntitle: 'A page'\nweight: 1\n---\n![Alt](x.png) {{< tip >}}\n" + code,
		"plain.md": "no code",
		"long.md":  code + strings.Repeat("x", mostBytes),
	} {
		if err := os.WriteFile(filepath.Join(tree, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pages, err := readPages(tree)
	if err != nil || len(pages) != 1 {
		t.Fatalf("have %v, %v; want one page", pages, err)
	}
	if have, want := pages[0].markdown(7), "---\ntitle: \"A page 7\"\n---\n\nAlt { {< tip >}}\n"+code; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
	if _, err := readPages(t.TempDir()); err == nil {
		t.Error("an empty tree: have no error")
	}
	out := filepath.Join(t.TempDir(), "out")
	if err := writePages(out, pages, 3, true); err != nil {
		t.Fatal(err)
	}
	if made, err := os.ReadDir(out); err != nil || len(made) != 6 {
		t.Errorf("have %d files, %v; want 3 pages and 3 pictures", len(made), err)
	}
}

func TestWriteSheets(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "sheets")
	pages := []page{{"A", "Some words, and `code` of *all* kinds.\n\n```sh\nrm x9\n```\n"}, {"B", "More of them here.\n"}}
	if err := writeSheets(folder, pages, 20); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != chapters {
		t.Fatalf("have %d files, %v; want %d", len(files), err, chapters)
	}
	text, err := os.ReadFile(files[1])
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	words := len(strings.Fields(strings.Join(parts[1:], " ")))
	if parts[0] != "Chapter 2" || words != 20*wordsOfSheet/chapters || strings.ContainsAny(string(text), "`*9") {
		t.Errorf("have %q, %d words in %d paragraphs: %.200s", parts[0], words, len(parts)-1, text)
	}
	if err := writeSheets(folder, []page{{"A", "1 2 3"}}, 1); err == nil {
		t.Error("no words: have no error")
	}
}
