package pg

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/proc"
)

// maxScripts is how many scripts pgbench takes in one run.
const maxScripts = 128

// Script is what pgbench runs as one transaction.
type Script struct {
	Statements []string
	Weight     int // how often it runs beside the others
}

// Figures are what pgbench found.
type Figures struct {
	Throughput float64 // transactions per second
	Mean       float64 // latency in microseconds
	Failed     int64
}

// Bench runs scripts by weight over a number of connections, with prepared statements,
// first to warm up and then to measure. It leaves the scripts in the folder dir.
func (s *Server) Bench(ctx context.Context, dir string, scripts []Script, connections int, warmup, duration time.Duration) (f Figures, err error) {
	if len(scripts) > maxScripts {
		return f, fmt.Errorf("pgbench takes %d scripts; there are %d", maxScripts, len(scripts))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return f, fmt.Errorf("write scripts for pgbench: %w", err)
	}
	args := []string{"--no-vacuum", "--protocol=prepared", "--client=" + strconv.Itoa(connections), "--jobs=2"}
	for i, script := range scripts {
		file := filepath.Join(dir, fmt.Sprintf("%d.sql", i))
		text := strings.Join(script.Statements, ";\n") + ";\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return f, fmt.Errorf("write scripts for pgbench: %w", err)
		}
		args = append(args, fmt.Sprintf("--file=%s@%d", file, script.Weight))
	}
	out := ""
	for _, d := range []time.Duration{warmup, duration} {
		seconds := max(1, int(d.Round(time.Second).Seconds()))
		// Nothing may come of warming up: many connections take a while to prepare.
		if out, err = proc.Output(ctx, filepath.Join(s.bin, "pgbench"), append(args, "--time="+strconv.Itoa(seconds), s.URL)...); err != nil {
			return f, err
		}
	}
	return parseFigures(out)
}

var (
	tps     = regexp.MustCompile(`(?m)^tps = ([0-9.]+)`)
	average = regexp.MustCompile(`(?m)^latency average = ([0-9.]+) ms`)
	failed  = regexp.MustCompile(`(?m)^number of failed transactions: ([0-9]+)`)
)

func parseFigures(out string) (f Figures, err error) {
	for _, field := range []struct {
		in   *regexp.Regexp
		into func(float64)
	}{
		{tps, func(v float64) { f.Throughput = v }},
		{average, func(v float64) { f.Mean = v * 1000 }},
		{failed, func(v float64) { f.Failed = int64(v) }},
	} {
		m := field.in.FindStringSubmatch(out)
		if m == nil {
			return f, fmt.Errorf("read what pgbench found: no %s in %q", field.in, out)
		}
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return f, fmt.Errorf("read what pgbench found: %w", err)
		}
		field.into(v)
	}
	return f, nil
}
