package archtest

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// claimed are the pages with tables whose last column names what shows that a
// row is true.
var claimed = []struct{ file, header string }{
	{"README.md", "| promise | shown by |"},
	{"docs/security.md", "| threat | defence | shown by |"},
}

var (
	quoted   = regexp.MustCompile("`([^`]+)`")
	testName = regexp.MustCompile(`^(Test|Fuzz|Benchmark)[A-Z]\w*$`)
	script   = regexp.MustCompile(`^\d\d-[a-z-]+$`)
)

// evidence is what the rows of a table may name.
type evidence struct {
	tests map[string]bool
	files []string // all paths of the repository
}

// claims tells which rows of the tables below a header name nothing that shows
// them, or something that there is not; rows counts them.
func (e evidence) claims(text, header string) (rows int, faults []string) {
	inside := false
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line == header:
			inside = true
			continue
		case !strings.HasPrefix(line, "|"):
			inside = false
		}
		if !inside || strings.HasPrefix(line, "|--") || strings.HasPrefix(line, "| --") {
			continue
		}
		rows++
		cells := strings.Split(strings.Trim(line, "| "), "|")
		shown := 0
		for _, found := range quoted.FindAllStringSubmatch(cells[len(cells)-1], -1) {
			if e.exists(found[1]) {
				shown++
			} else {
				faults = append(faults, found[1]+" is not in the repository: "+line)
			}
		}
		if shown == 0 {
			faults = append(faults, "nothing shows: "+line)
		}
	}
	return rows, faults
}

// exists reports whether a test, a script of the contract, or a path (or the
// end of one) is there.
func (e evidence) exists(name string) bool {
	switch {
	case testName.MatchString(name):
		return e.tests[name]
	case script.MatchString(name):
		name = "api/scripts/" + name + ".txt"
	}
	for _, path := range e.files {
		if path == name || strings.HasSuffix(path, "/"+name) || strings.HasPrefix(path, name+"/") {
			return true
		}
	}
	return false
}

// TestClaimsNameTheirTests: each promise and each defence names what shows it,
// and that exists.
func TestClaimsNameTheirTests(t *testing.T) {
	t.Parallel()
	e := evidence{tests: map[string]bool{}}
	for _, f := range load(t, os.DirFS("../..")) {
		e.files = append(e.files, f.path)
		if !f.isTest() {
			continue
		}
		for _, d := range f.syntax.Decls {
			if function, ok := d.(*ast.FuncDecl); ok && function.Recv == nil {
				e.tests[function.Name.Name] = true
			}
		}
	}
	for _, c := range claimed {
		text, err := os.ReadFile(filepath.Join("..", "..", c.file))
		if err != nil {
			t.Error(err)
		}
		rows, faults := e.claims(string(text), c.header)
		for _, fault := range faults {
			t.Errorf("%s: %s", c.file, fault)
		}
		if rows < 20 {
			t.Errorf("%s: have %d rows, want more", c.file, rows)
		}
	}
}

func TestClaimsBite(t *testing.T) {
	t.Parallel()
	e := evidence{tests: map[string]bool{"TestThere": true}, files: []string{"api/scripts/07-there.txt", "internal/store/there_test.go"}}
	text := "| what | shown by |\n|---|---|\n| a | `TestThere`, `07-there` |\n| b | `TestGone` |\n| c | words |\n| d | `there_test.go` in `internal/store` |\n| e | `08-gone` |\n\n| f | nothing |\n"
	rows, faults := e.claims(text, "| what | shown by |")
	if rows != 5 || len(faults) != 5 {
		t.Errorf("have %d rows and %q, want 5 and 5 faults in b, c and e", rows, faults)
	}
}
