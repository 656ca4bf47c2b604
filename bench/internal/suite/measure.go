package suite

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/bench/internal/load"
	"github.com/octavo-docs/octavo/bench/internal/proc"
	"github.com/octavo-docs/octavo/bench/internal/target"
)

// writers are the connections that create pages while others read.
const writers = 64

// figure is one line of what is measured.
type figure struct {
	name  string
	parts func(a *target.API, connections int) []part
}

// part is a group of connections of a figure, recorded under a name.
type part struct {
	name        string
	connections int
	rate        float64
	work        target.Workload
}

// one is a figure of one group.
func one(name string, work func(*target.API) target.Workload) figure {
	return figure{name, func(a *target.API, connections int) []part {
		return []part{{name, connections, 0, work(a)}}
	}}
}

// zipf chooses pages as readers do.
func zipf(a *target.API) load.Picker { return load.Zipf(len(a.Pages), 1) }

// The figures that need no other to be measured before.
func read() figure {
	return one(Read, func(a *target.API) target.Workload { return a.Read(zipf(a)) })
}

func readUniform() figure {
	return one(ReadUniform, func(a *target.API) target.Workload { return a.Read(load.Uniform(len(a.Pages))) })
}

func listFirst() figure {
	return one(ListFirst, func(a *target.API) target.Workload { return a.List(false) })
}

func listDeep() figure {
	return one(ListDeep, func(a *target.API) target.Workload { return a.List(true) })
}

func listZipf() figure {
	return one(ListZipf, func(a *target.API) target.Workload { return a.ListZipf() })
}

func filter(name string) figure {
	return one(Filter+name, func(a *target.API) target.Workload { return a.Filter(name) })
}

func (s *suite) create() figure {
	return one(Create, func(a *target.API) target.Workload { return a.Writes(s.nextRun()) })
}

func (s *suite) mixed() figure {
	return one(Mixed, func(a *target.API) target.Workload { return a.Mixed(zipf(a), s.nextRun()) })
}

// readBeside reads while as many others as can create pages.
func (s *suite) readBeside() figure {
	return figure{ReadBeside, func(a *target.API, connections int) []part {
		return []part{
			{ReadBeside, connections, 0, a.Read(zipf(a))},
			{WriteBeside, writers, 0, a.Writes(s.nextRun())},
		}
	}}
}

// paced is a figure as an open loop at a rate.
func paced(name string, f figure, rate float64) figure {
	return figure{name, func(a *target.API, connections int) []part {
		parts := f.parts(a, connections)
		parts[0].name, parts[0].rate = name, rate
		return parts
	}}
}

// wants reports whether a figure is to be measured.
func (s *suite) wants(figure string) bool {
	return len(s.Only) == 0 || slices.ContainsFunc(s.Only, func(part string) bool { return strings.Contains(figure, part) })
}

// measure measures a figure against targets, all of them in each round.
func (s *suite) measure(ctx context.Context, f figure, pages, connections int, targets ...*server) error {
	if !s.wants(f.name) {
		return nil
	}
	for round := range s.Rounds {
		for _, t := range targets {
			if t == nil {
				continue // a peer that was not wanted
			}
			if err := s.once(ctx, f, pages, connections, round, t); err != nil {
				return fmt.Errorf("measure %s of %s with %d connections: %w", f.name, t.name, connections, err)
			}
		}
	}
	return nil
}

// once measures a figure against one target.
func (s *suite) once(ctx context.Context, f figure, pages, connections, round int, t *server) error {
	var before, after [2]proc.Usage // of the server and of this process
	sample := func(into *[2]proc.Usage) func() {
		return func() {
			for i, pid := range []int{t.Pid, os.Getpid()} {
				into[i], _ = proc.UsageOf(pid) // a server that has ended answers with errors, which are counted
			}
		}
	}
	parts := f.parts(t.api, connections)
	plan := load.Plan{
		Dial: load.TCP(t.api.Host), Warmup: s.Warmup, Duration: s.Duration,
		Began: sample(&before), Ended: sample(&after),
	}
	for _, p := range parts {
		plan.Groups = append(plan.Groups, load.Group{Name: p.name, Connections: p.connections, Rate: p.rate, Source: p.work})
	}
	results, err := load.Run(ctx, plan)
	if err != nil {
		return err
	}
	for i, result := range results {
		m := Measurement{
			Figure: parts[i].name, Target: t.name, Pages: pages, Connections: connections, Round: round, Result: result,
			CPU: after[0].CPU - before[0].CPU, GeneratorCPU: after[1].CPU - before[1].CPU,
			Resident: after[0].Resident, Peak: after[0].Peak,
		}
		s.record.add(m)
		s.tell("%-26s %-14s %4d conns %9.0f/s  p50 %6d  p99 %7d µs  %d errors  %.1f MB", m.Figure, m.Target,
			m.Connections, m.Throughput, m.Latency.P50, m.Latency.P99, m.Errors, float64(m.Resident)/1e6)
		if m.Requests == 0 && m.Errors > 0 { // it is asked for the wrong thing
			return fmt.Errorf("nothing was answered with success: %v", m.Kinds)
		}
	}
	return nil
}

// median returns the median throughput of what was measured.
func (r *Record) median(figure, target string, pages, connections int) float64 {
	var found []float64
	for _, m := range r.Measurements {
		if m.Figure == figure && m.Target == target && m.Pages == pages && m.Connections == connections {
			found = append(found, m.Throughput)
		}
	}
	if len(found) == 0 {
		return 0
	}
	slices.Sort(found)
	return found[len(found)/2]
}
