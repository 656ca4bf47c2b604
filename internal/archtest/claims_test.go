package archtest

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// claimed are the pages with tables whose last column names the evidence for a row.
var claimed = []struct{ file, header string }{
	{"README.md", "| promise | shown by |"},
	{"docs/security.md", "| threat | defence | shown by |"},
}

var (
	quoted   = regexp.MustCompile("`([^`]+)`(?: in `([^`]+)`)?")
	testName = regexp.MustCompile(`^(Test|Fuzz|Benchmark)[A-Z]\w*$`)
	script   = regexp.MustCompile(`^\d\d-[a-z-]+$`)
)

// evidence has the names that rows may refer to.
type evidence struct {
	tests map[string][]string // the folders in which there is one of the name
	files []string            // all paths of the repository
}

// claims returns the rows of the tables below a header without evidence, or with evidence
// that does not exist; rows counts them.
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
			if fault := e.fault(found[1], found[2]); fault != "" {
				faults = append(faults, found[1]+" "+fault+": "+line)
			} else {
				shown++
			}
		}
		if shown == 0 {
			faults = append(faults, "nothing shows: "+line)
		}
	}
	return rows, faults
}

// fault returns what is wrong with the name of a test, of a contract script, or of a path
// or its end, in a folder unless that is "".
func (e evidence) fault(name, folder string) string {
	if testName.MatchString(name) {
		switch in := e.tests[name]; {
		case folder != "" && !slices.Contains(in, folder):
			return "is not in " + folder
		case len(in) == 0:
			return "is not in the repository"
		case folder == "" && len(in) > 1:
			return "is in several folders (" + strings.Join(in, ", ") + "), of which the row has to name one"
		}
		return ""
	}
	if script.MatchString(name) {
		name = "api/scripts/" + name + ".txt"
	}
	for _, path := range e.files {
		if folder != "" && path == folder+"/"+name {
			return ""
		}
		if folder == "" && (path == name || strings.HasSuffix(path, "/"+name) || strings.HasPrefix(path, name+"/")) {
			return ""
		}
	}
	return strings.TrimSpace("is not in the repository " + folder)
}

// TestClaimsNameTests checks that each promise and each defence names existing evidence.
func TestClaimsNameTests(t *testing.T) {
	t.Parallel()
	e := evidence{tests: map[string][]string{}}
	for _, f := range load(t, os.DirFS("../..")) {
		e.files = append(e.files, f.path)
		if !f.isTest() {
			continue
		}
		for _, d := range f.syntax.Decls {
			if function, ok := d.(*ast.FuncDecl); ok && function.Recv == nil {
				name, folder := function.Name.Name, path.Dir(f.path)
				if !slices.Contains(e.tests[name], folder) {
					e.tests[name] = append(e.tests[name], folder)
				}
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
	e := evidence{
		tests: map[string][]string{"TestThere": {"internal/store"}, "TestTwice": {"internal/a", "internal/b"}},
		files: []string{"api/scripts/07-there.txt", "internal/store/there_test.go"},
	}
	text := "| what | shown by |\n|---|---|\n| a | `TestThere`, `07-there`, `TestTwice` in `internal/b` |\n| b | `TestGone` |\n| c | words |\n" +
		"| d | `there_test.go` in `internal/store` |\n| e | `08-gone` |\n| f | `TestTwice` |\n| g | `TestThere` in `internal/a` |\n\n| h | nothing |\n"
	rows, faults := e.claims(text, "| what | shown by |")
	if rows != 7 || len(faults) != 9 {
		t.Errorf("have %d rows and %q, want 7 and 9 faults: two each in b, e, f and g, and one in c", rows, faults)
	}
}
