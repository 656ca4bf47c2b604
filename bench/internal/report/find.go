// Package report turns the record of a run into a page: every figure beside
// its bound and its peers, with the goal and whether it was met. The goals are
// here and nowhere else. It measures nothing.
package report

import (
	"slices"

	"github.com/octavo-docs/octavo/bench/internal/suite"
)

// found are the rounds of one figure against one target.
type found []suite.Measurement

// find returns what was measured of a figure.
func find(r *suite.Record, figure, target string, pages, connections int) found {
	var list found
	for _, m := range r.Measurements {
		if m.Figure == figure && m.Target == target && m.Pages == pages && m.Connections == connections {
			list = append(list, m)
		}
	}
	return list
}

// median returns the median over the rounds, 0 when nothing was measured.
func (f found) median(of func(suite.Measurement) float64) float64 {
	if len(f) == 0 {
		return 0
	}
	values := f.values(of)
	return values[len(values)/2]
}

// values returns the rounds, lowest first.
func (f found) values(of func(suite.Measurement) float64) []float64 {
	values := make([]float64, len(f))
	for i, m := range f {
		values[i] = of(m)
	}
	slices.Sort(values)
	return values
}

func throughput(m suite.Measurement) float64 { return m.Throughput }
func p50(m suite.Measurement) float64        { return float64(m.Latency.P50) }
func p90(m suite.Measurement) float64        { return float64(m.Latency.P90) }
func p99(m suite.Measurement) float64        { return float64(m.Latency.P99) }
func p999(m suite.Measurement) float64       { return float64(m.Latency.P999) }
func bytesEach(m suite.Measurement) float64  { return m.Bytes }
func peak(m suite.Measurement) float64       { return float64(m.Peak) }
func failures(m suite.Measurement) float64   { return float64(m.Errors + m.Unsent) }

// cpuEach is the CPU time of the server for each request, in microseconds.
func cpuEach(m suite.Measurement) float64 {
	if m.Requests == 0 {
		return 0
	}
	return m.CPU / float64(m.Requests) * 1e6
}
