package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/machine"
	"github.com/octavo-docs/octavo/bench/internal/results"
	"github.com/octavo-docs/octavo/bench/internal/suite"
)

// Write writes the page. Words say what limits the figures; they are written
// by hand and kept in a file of their own, since this page is made anew by
// every run.
func Write(w io.Writer, r *results.Results, words string) error {
	var b strings.Builder
	b.WriteString("# Results\n\nMade by `make bench`; do not edit. The words under the last heading come from LIMITS.md.\n")
	if r.Pages != nil {
		b.WriteString("\n## Pages\n\n")
		about(&b, r.Pages)
		rows(&b, Rows(r.Pages))
		durable(&b, r.Pages)
		measured(&b, r.Pages)
	}
	for _, p := range r.Parts {
		part(&b, p)
	}
	b.WriteString("\n## What limits it\n\n")
	if words == "" {
		words = "Nothing has been written in LIMITS.md yet."
	}
	b.WriteString(strings.TrimSpace(words) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func about(b *strings.Builder, r *suite.Record) {
	s := r.Settings
	taken(b, r.Started, r.Took, r.Machine)
	fmt.Fprintf(b, "%s pages of about 2 KB; %d rounds of %s after %s of warm-up, targets in turn in each round; medians of the rounds. ",
		count(s.Pages), s.Rounds, s.Duration, s.Warmup)
	b.WriteString("The generator shares the cores with the servers, which brings ratios of throughput nearer to 1 than a generator elsewhere would: " +
		"the CPU time of the server for each request, in the table of all that was measured, does not have this fault.")
	if len(s.ServeFlags) > 0 {
		fmt.Fprintf(b, " Octavo ran with `%s`.", strings.Join(s.ServeFlags, " "))
	}
	b.WriteString("\n\n")
}

// taken says when figures were taken, and on what.
func taken(b *strings.Builder, started time.Time, took float64, m machine.Machine) {
	fmt.Fprintf(b, "%s, in %s, on %d × %s with %.0f GB, Linux %s, %s. Load before (1, 5, 15 minutes): %s.\n", started.Format("2 January 2006, 15:04 UTC"),
		(time.Duration(took) * time.Second).String(), m.Cores, m.CPU, float64(m.Memory)/1e9, m.Kernel, m.FileSystem, m.LoadBefore)
	names := slices.Sorted(maps.Keys(m.Versions))
	for i, name := range names {
		names[i] = name + " " + m.Versions[name]
	}
	fmt.Fprintf(b, "%s.\n\n", strings.Join(names, ", "))
}

func rows(b *strings.Builder, rows []Row) {
	b.WriteString("### Goals\n\n| figure | Octavo | beside | ratio | goal | met |\n|---|--:|---|--:|--:|---|\n")
	for _, r := range rows {
		ratio, goal, met := "", r.Goal, "**no**"
		if r.Ratio > 0 {
			ratio = fmt.Sprintf("%.2f", r.Ratio)
		}
		switch {
		case r.Octavo == "":
			r.Octavo, met = "not measured", ""
		case r.NoGoal:
			goal, met = "", ""
		case r.Met:
			met = "yes"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", r.Figure, r.Octavo, r.Beside, ratio, goal, met)
	}
}

// durable shows the disk and how fast stores were filled and started.
func durable(b *strings.Builder, r *suite.Record) {
	b.WriteString("\n### Disk, filling, starting\n\n| write and fdatasync | syncs | records | p50 | p99 |\n|---|--:|--:|--:|--:|\n")
	for _, s := range r.Disk {
		fmt.Fprintf(b, "| %d × 4 KiB | %s | %s | %s | %s |\n", s.Group, perSecond(s.PerSecond), perSecond(s.Records),
			micros(float64(s.P50)), micros(float64(s.P99)))
	}
	if len(r.Fills) > 0 {
		b.WriteString("\n| filled by bulk requests | pages | took | pages |\n|---|--:|--:|--:|\n")
	}
	for _, f := range r.Fills {
		fmt.Fprintf(b, "| %s | %s | %.1f s | %s |\n", f.Target, count(f.Pages), f.Seconds, perSecond(float64(f.Pages)/f.Seconds))
	}
	b.WriteString("\n| started | pages | ready after | idle memory |\n|---|--:|--:|--:|\n")
	for _, s := range r.Starts {
		fmt.Fprintf(b, "| %s | %s | %.3f s | %s |\n", s.Target, count(s.Pages), s.Seconds, megabytes(float64(s.Resident)))
	}
}

// measured shows every figure, in the order of the run.
func measured(b *strings.Builder, r *suite.Record) {
	b.WriteString("\n### Everything measured\n\nLatencies and CPU time in µs; the range is that of the rounds. ")
	b.WriteString("pgbench tells a mean latency only. CPU time is the server's, over all that ran at the time.\n\n")
	b.WriteString("| figure | target | pages | conns | throughput | range | p50 | p90 | p99 | p99.9 | CPU each | bytes each | peak memory | errors |\n")
	b.WriteString("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	type key struct {
		figure, target     string
		pages, connections int
	}
	var seen []key
	for _, m := range r.Measurements {
		k := key{m.Figure, m.Target, m.Pages, m.Connections}
		if slices.Contains(seen, k) {
			continue
		}
		seen = append(seen, k)
		f := find(r, k.figure, k.target, k.pages, k.connections)
		rates := f.values(throughput)
		fmt.Fprintf(b, "| %s | %s | %s | %d | %s | %.0f–%.0f | %.0f | %.0f | %.0f | %.0f | %.1f | %.0f | %s | %.0f |\n",
			k.figure, k.target, count(k.pages), k.connections, perSecond(f.median(throughput)), rates[0], rates[len(rates)-1],
			f.median(p50), f.median(p90), f.median(p99), f.median(p999), f.median(cpuEach), f.median(bytesEach),
			megabytes(f.median(peak)), f.median(failures))
	}
}

func perSecond(v float64) string { return count(int(v+0.5)) + "/s" }

// micros writes a latency given in microseconds.
func micros(v float64) string {
	if v < 1000 {
		return fmt.Sprintf("%.0f µs", v)
	}
	return fmt.Sprintf("%.1f ms", v/1000)
}

func megabytes(v float64) string { return fmt.Sprintf("%.1f MB", v/1e6) }

// count writes a whole number with a comma before every three digits.
func count(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
