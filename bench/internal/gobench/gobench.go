// Package gobench runs Go benchmarks of Octavo's module and reads what they
// report. What they measure is for them to say.
package gobench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/perf/benchfmt"

	"github.com/octavo-docs/octavo/bench/internal/figure"
)

// Selection names benchmarks of one package.
type Selection struct {
	Package  string   // within the module, such as internal/search
	Pattern  string   // of go test's -bench
	Time     string   // of go test's -benchtime; empty is its default
	Args     []string // flags of the package's tests
	Postgres bool     // some of them want a PostgreSQL, and leave out what needs it without
}

// Options say how benchmarks are run.
type Options struct {
	Source string // folder of the module
	Count  int    // runs of each
	Short  bool   // only once each, to see that they work
}

// Run runs the benchmarks and returns what they reported. What was reported
// before an error is returned with it. Their output goes to log as well.
func Run(ctx context.Context, s Selection, o Options, log io.Writer) (figure.List, error) {
	var args []string
	if s.Postgres && !o.Short {
		args = append(args, "scripts/with-postgres")
	}
	args = append(args, "go", "test", "./"+s.Package, "-run", "^$", "-bench", s.Pattern, "-benchmem", "-timeout", "60m", "-count", fmt.Sprint(o.Count))
	switch {
	case o.Short:
		args = append(args, "-short", "-benchtime", "1x")
	case s.Time != "":
		args = append(args, "-benchtime", s.Time)
	}
	if !o.Short {
		args = append(args, s.Args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // of the table of parts
	cmd.Dir = o.Source
	// An end is for all that it has started, such as a PostgreSQL.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGINT}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.Stderr = log
	output, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("run the benchmarks of %s: %w", s.Package, err)
	}
	figures, err := Read(io.TeeReader(output, log), s.Package)
	if ended := cmd.Wait(); ended != nil {
		err = errors.Join(err, ended)
	}
	if err != nil {
		err = fmt.Errorf("run the benchmarks of %s: %w", s.Package, err)
	}
	return figures, err
}

// Read reads the output of go test -bench: a figure for each metric of each
// benchmark, with a value for each run, in the units of the output.
func Read(r io.Reader, of string) (figure.List, error) {
	var list figure.List
	lines := benchfmt.NewReader(r, of)
	for lines.Scan() {
		result, ok := lines.Result().(*benchfmt.Result)
		if !ok { // what tests print of themselves
			continue
		}
		for _, v := range result.Values {
			value, unit := v.Value, v.Unit
			if v.OrigUnit != "" {
				value, unit = v.OrigValue, v.OrigUnit
			}
			list.Add(of, benchmark(result.Name), unit, value)
		}
	}
	return list, lines.Err()
}

// benchmark returns a benchmark's name without the number of processors.
func benchmark(name benchfmt.Name) string {
	base, parts := name.Parts()
	text := string(base)
	for _, part := range parts {
		if !strings.HasPrefix(string(part), "-") {
			text += string(part)
		}
	}
	return text
}
