package docs_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/docs"
)

// pages returns the Markdown files of the repository that people read, by path
// from its root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	root := os.DirFS("..")
	add := func(name string) {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		found[name] = string(text)
	}
	for _, name := range []string{"README.md", "AGENTS.md", "CONTRIBUTING.md", "CHANGELOG.md", "internal/README.md"} {
		add(name)
	}
	err := fs.WalkDir(root, "docs", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" {
			add(name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)
	noise   = regexp.MustCompile(`[^a-z0-9 -]`)
)

// anchors returns the fragments that lead to the headings of a page.
func anchors(text string) []string {
	var list []string
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		list = append(list, strings.ReplaceAll(noise.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return list
}

func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	all := pages(t)
	for name, text := range all {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "/") {
				continue // another site, or the server that shows the page
			}
			file, fragment, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(target))); err != nil {
				t.Errorf("%s: the link %s leads to no file", name, m[1])
			} else if fragment != "" && !slices.Contains(anchors(all[target]), fragment) {
				t.Errorf("%s: the link %s leads to no heading of %s", name, m[1], target)
			}
		}
	}
}

func TestPagesIntroduceThemselves(t *testing.T) {
	t.Parallel()
	for name, text := range pages(t) {
		if !strings.HasPrefix(name, "docs/") {
			continue
		}
		front, body, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
		for _, key := range []string{"title: ", "description: ", "sidebar_position: "} {
			if !ok || !strings.Contains("\n"+front, "\n"+key) {
				t.Errorf("%s: the front matter lacks %s", name, key)
			}
		}
		if n := strings.Count("\n"+body, "\n# "); n < 1 {
			t.Errorf("%s: has no heading of the first level", name)
		}
	}
}

// TestEmbeddedPages finds pages that a new folder would leave out of the
// demo. Decision records are left out on purpose.
func TestEmbeddedPages(t *testing.T) {
	t.Parallel()
	for name := range pages(t) {
		inside, ok := strings.CutPrefix(name, "docs/")
		if !ok || strings.HasPrefix(inside, "adr/") {
			continue
		}
		if _, err := fs.Stat(docs.Files(), inside); err != nil {
			t.Errorf("%s is not embedded: %v", name, err)
		}
	}
}

// TestLibraryReasons holds the decision on libraries to the code: every
// module that is imported stands in it, and no other does.
func TestLibraryReasons(t *testing.T) {
	t.Parallel()
	record := pages(t)["docs/adr/0007-libraries.md"]
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	imports := imported(t)
	var used []string
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1) {
		if !slices.ContainsFunc(imports, func(i string) bool { return i == m[1] || strings.HasPrefix(i, m[1]+"/") }) {
			continue
		}
		name := regexp.MustCompile(`/v\d+$`).ReplaceAllString(strings.TrimPrefix(m[1], "github.com/"), "")
		used = append(used, name)
		if !strings.Contains(record, strings.TrimPrefix(name, "golang.org/x/")) {
			t.Errorf("%s is used and has no reason in docs/adr/0007-libraries.md", name)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^\| ([a-zA-Z.-]+/\S+) \|`).FindAllStringSubmatch(record, -1) {
		if !slices.Contains(used, m[1]) {
			t.Errorf("docs/adr/0007-libraries.md gives a reason for %s, which is not used", m[1])
		}
	}
}

// imported lists what the Go files of the module import.
func imported(t *testing.T) []string {
	t.Helper()
	quoted := regexp.MustCompile(`(?m)^(?:import|\t)\s*(?:[\w.]+ )?"([^"]+)"$`)
	var list []string
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", ".cache", "api/clienttest", "bench", "tools"}, name):
			return fs.SkipDir // other modules, and what is no source
		case path.Ext(name) != ".go":
			return nil
		}
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			list = append(list, m[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
