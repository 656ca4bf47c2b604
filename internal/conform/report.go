package conform

import (
	"fmt"
	"slices"
	"strings"
)

// Report is the result of a run.
type Report struct {
	Scripts []ScriptReport
}

// ScriptReport is the result of a script.
type ScriptReport struct {
	Name     string
	Blocks   int       // requests in the script
	Passed   int       // requests that met all expectations
	Skipped  string    // why the script was not run; "" if it was
	Failures []Failure // all of the first failed block
}

// Failure is a failed step.
type Failure struct {
	Script  string
	Line    int
	Request string // method and target, without credentials
	Step    string // the line as written; "" without any response
	Have    string
	Want    string
}

// String formats the failure on three lines.
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

// String formats a line for each script, its failures below it, and a summary.
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
