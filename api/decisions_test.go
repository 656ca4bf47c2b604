package api

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDecisionNumbers holds DECISIONS.md to its form: decisions 1
// to 60 in order and some of those that follow, each ending with what shows it.
func TestDecisionNumbers(t *testing.T) {
	text, err := os.ReadFile("DECISIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`\n\nShown by: .+$`)
	topic := regexp.MustCompile(`\n## .+\n*$`)
	decisions := strings.Split(string(text), "\n### ")[1:]
	if len(decisions) < 60 {
		t.Errorf("have %d decisions, want 60 at least", len(decisions))
	}
	before := 0
	for i, d := range decisions {
		number := 0
		if _, err := fmt.Sscanf(d, "%d. ", &number); err != nil || number <= before || i < 60 && number != i+1 {
			t.Errorf("have %.20q behind decision %d", d, before)
		}
		before = number
		d = strings.TrimSpace(topic.ReplaceAllString(d, ""))
		if !shown.MatchString(d) || strings.Count(d, "Shown by:") != 1 {
			t.Errorf("decision %d does not end with one line that says what shows it", i+1)
		}
	}
}

// TestDecisionReferencesExist checks that the scripts and tests named in DECISIONS.md
// exist.
func TestDecisionReferencesExist(t *testing.T) {
	text, err := os.ReadFile("DECISIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "storetest") {
			return err
		}
		source, err := os.ReadFile(path)
		code.Write(source)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range regexp.MustCompile(`(?m)^Shown by: .+$`).FindAllString(string(text), -1) {
		names := regexp.MustCompile(`Test\w+|[\w-]+\.txt(ar)?`).FindAllString(line, -1)
		if len(names) == 0 {
			t.Errorf("%q names no script or test", line)
		}
		for _, name := range names {
			var found bool
			switch filepath.Ext(name) {
			case ".txt":
				_, err := fs.Stat(Scripts(), name)
				found = err == nil
			case ".txtar":
				_, err := os.Stat(filepath.Join("../cmd/octavo/testdata/script", name))
				found = err == nil
			default:
				found = strings.Contains(code.String(), "func "+name+"(")
			}
			if !found {
				t.Errorf("%s names %s, which does not exist", line, name)
			}
		}
	}
}
