package conform

import (
	"fmt"
	"slices"
	"strings"
)

// Report is what a run found.
type Report struct {
	Scripts []ScriptReport
}

// ScriptReport is what one script found.
type ScriptReport struct {
	Name     string
	Blocks   int       // requests in the script
	Passed   int       // requests whose expectations were all met
	Skipped  string    // why the script was not run; "" when it was
	Failures []Failure // all of one block: the first that failed
}

// Failure is one thing that was not as expected.
type Failure struct {
	Script  string
	Line    int
	Request string // method and target, without credentials
	Step    string // the line as written; "" when there was no answer at all
	Have    string
	Want    string
}

// String writes the failure on three lines.
func (f Failure) String() string {
	head := fmt.Sprintf("%s:%d: %s", f.Script, f.Line, f.Request)
	if f.Step != "" {
		head += ": " + f.Step
	}
	return fmt.Sprintf("%s\n\thave %s\n\twant %s", head, f.Have, f.Want)
}

// Failed reports whether a script failed.
func (r Report) Failed() bool {
	return slices.ContainsFunc(r.Scripts, func(s ScriptReport) bool { return len(s.Failures) > 0 })
}

// String writes a line for each script, its failures below it, and a summary.
func (r Report) String() string {
	var b strings.Builder
	passed, failed, skipped := 0, 0, 0
	for _, s := range r.Scripts {
		switch {
		case len(s.Failures) > 0:
			failed++
			fmt.Fprintf(&b, "FAIL %s: %d of %d requests passed\n", s.Name, s.Passed, s.Blocks)
			for _, f := range s.Failures {
				fmt.Fprintln(&b, f)
			}
		case s.Skipped != "":
			skipped++
			fmt.Fprintf(&b, "skip %s: %s\n", s.Name, s.Skipped)
		default:
			passed++
			fmt.Fprintf(&b, "ok   %s: %d requests\n", s.Name, s.Blocks)
		}
	}
	fmt.Fprintf(&b, "%d passed, %d failed, %d skipped\n", passed, failed, skipped)
	return b.String()
}
