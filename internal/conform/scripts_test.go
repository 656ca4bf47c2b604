package conform_test

import (
	"io/fs"
	"regexp"
	"slices"
	"testing"

	"github.com/octavo-docs/octavo/api"
	"github.com/octavo-docs/octavo/internal/conform"
)

// scripts parses the contract scripts.
func scripts(t *testing.T) []*conform.Script {
	t.Helper()
	files := api.Scripts()
	names, err := fs.Glob(files, "*")
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^\d\d-[a-z]+(-[a-z]+)*\.txt$`)
	var list []*conform.Script
	for _, name := range names {
		if !form.MatchString(name) {
			t.Errorf("the script %s: want a name such as 07-create-json.txt", name)
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		script, err := conform.Parse(name, string(text))
		if err != nil {
			t.Error(err)
			continue
		}
		list = append(list, script)
	}
	return list
}

// Each decision about pages, credentials and the edge is shown by a script.
func TestScriptsShowDecisions(t *testing.T) {
	want := []int{38, 39, 42, 43, 44, 45, 46, 47, 48, 49, 50, 56, 57, 58}
	for n := 1; n <= 19; n++ {
		want = append(want, n)
	}
	var shown []int
	for _, script := range scripts(t) {
		shown = append(shown, script.Decisions...)
	}
	for _, n := range want {
		if !slices.Contains(shown, n) {
			t.Errorf("decision %d is shown by no script", n)
		}
	}
}

// Scripts need only what Options says that they do.
func TestScriptsNeeds(t *testing.T) {
	known := []string{
		"reader", "proposer", "writer", "admin", "published", "published-proposer", "expired", "reader-key", "writer-key", "published-key", "search-key",
		"quota-of-five", "events-removed",
	}
	for _, script := range scripts(t) {
		for _, need := range script.Needs {
			if !slices.Contains(known, need) {
				t.Errorf("%s needs %q, which no run has", script.Name, need)
			}
		}
	}
}
