package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/bench/internal/disk"
	"github.com/octavo-docs/octavo/bench/internal/suite"
)

// The goals.
const (
	readOfBound     = 0.8
	listOfBound     = 0.7
	timesPeer       = 10.0 // or the bound's share above, where that is lower
	tailOfBound     = 3.0  // p99, at most
	createsPerSec   = 5000 // with 64 connections, where a sync takes up to 1 ms
	createsOfPeer   = 4.0
	readsBeside     = 0.6
	grownReads      = 0.75 // of what the smallest store does
	grownCreates    = 2.0 / 3
	uncachedOfBound = 0.3
	filterTail      = 50_000 // µs at p99, at most
	idleMemory      = 40e6   // bytes with the usual pages
	startTime       = 0.2    // seconds with 100,000 pages
	binarySize      = 40e6   // bytes
	ofPgbench       = 0.5
)

// Row is one line of the table: a figure of Octavo beside another.
type Row struct {
	Figure string
	Octavo string  // empty when it was not measured
	Beside string  // what it is compared with, and its figure
	Ratio  float64 // 0 where there is nothing to divide by
	Goal   string
	Met    bool
	NoGoal bool // reported only
}

// table collects rows. A figure that was not measured makes none.
type table struct {
	record *suite.Record
	rows   []Row
}

// Rows compares everything that was measured with the goals.
func Rows(r *suite.Record) []Row {
	t := &table{record: r}
	for _, c := range r.Settings.Connections {
		t.reading(c)
		t.writing(c)
	}
	t.filters(r.Settings.Pages)
	t.growth()
	t.machine()
	for _, c := range r.Settings.Connections {
		t.postgres(c)
	}
	return t.rows
}

// find looks a figure up on the usual pages.
func (t *table) find(figure, target string, connections int) found {
	return find(t.record, figure, target, t.record.Settings.Pages, connections)
}

// ratio adds a row that divides Octavo's throughput by another's. A goal of 0
// is none.
func (t *table) ratio(name string, ours, theirs found, besides string, goal float64) {
	a, b := ours.median(throughput), theirs.median(throughput)
	if a == 0 || b == 0 {
		return
	}
	t.rows = append(t.rows, Row{
		Figure: name, Octavo: perSecond(a), Beside: besides + " " + perSecond(b), Ratio: a / b,
		Goal: fmt.Sprintf("≥ %.2f", goal), Met: a/b >= goal, NoGoal: goal == 0,
	})
}

// tail adds a row that divides the 99th percentiles.
func (t *table) tail(name string, ours, theirs found, goal float64) {
	a, b := ours.median(p99), theirs.median(p99)
	if a == 0 || b == 0 {
		return
	}
	t.rows = append(t.rows, Row{
		Figure: name + ": p99", Octavo: micros(a), Beside: suite.Bare + " " + micros(b), Ratio: a / b,
		Goal: fmt.Sprintf("≤ %.1f", goal), Met: a/b <= goal,
	})
}

// cost adds a row that divides the CPU time which the servers spend on a
// request, the bound's by Octavo's. It has no goal: the share of throughput
// has, which the generator on the same cores makes look better.
func (t *table) cost(name string, ours, theirs found) {
	a, b := ours.median(cpuEach), theirs.median(cpuEach)
	if a == 0 || b == 0 {
		return
	}
	t.rows = append(t.rows, Row{
		Figure: name + ": CPU time of the server", Octavo: micros(a), Beside: suite.Bare + " " + micros(b), Ratio: b / a, NoGoal: true,
	})
}

// limit adds a row that compares with a number.
func (t *table) limit(name, value, goal string, met bool) {
	t.rows = append(t.rows, Row{Figure: name, Octavo: value, Goal: goal, Met: met})
}

func (t *table) reading(c int) {
	for _, f := range []struct {
		name, paced string
		share       float64
	}{
		{suite.Read, suite.ReadPaced, readOfBound},
		{suite.ReadUniform, "", readOfBound},
		{suite.ListFirst, "", listOfBound},
		{suite.ListDeep, suite.ListPaced, listOfBound},
	} {
		name := fmt.Sprintf("%s, %d connections", f.name, c)
		ours, bound, peer := t.find(f.name, suite.Octavo, c), t.find(f.name, suite.Bare, c), t.find(f.name, suite.PocketBase, c)
		t.ratio(name, ours, bound, suite.Bare, f.share)
		if b := peer.median(throughput); b > 0 {
			t.ratio(name, ours, peer, suite.PocketBase, min(timesPeer, f.share*bound.median(throughput)/b))
		}
		t.cost(name, ours, bound)
		t.tail(name, ours, bound, tailOfBound)
		if f.paced != "" {
			paced := t.find(f.paced, suite.Octavo, c)
			if len(paced) > 0 {
				name := fmt.Sprintf("%s at %s, %d connections", f.paced, perSecond(paced[0].Rate), c)
				t.tail(name, paced, t.find(f.paced, suite.Bare, c), tailOfBound)
			}
		}
	}
	t.ratio(fmt.Sprintf("%s, %d connections", suite.ReadBeside, c), t.find(suite.ReadBeside, suite.Octavo, c),
		t.find(suite.Read, suite.Octavo, c), "reads alone", readsBeside)
	t.ratio(fmt.Sprintf("%s, %d connections", suite.Mixed, c), t.find(suite.Mixed, suite.Octavo, c),
		t.find(suite.Mixed, suite.PocketBase, c), suite.PocketBase, 0)
}

func (t *table) writing(c int) {
	name := fmt.Sprintf("durable %s, %d connections", suite.Create, c)
	ours := t.find(suite.Create, suite.Octavo, c)
	value := ours.median(throughput)
	if value == 0 {
		return
	}
	t.ratio(name, ours, t.find(suite.Create, suite.PocketBase, c), suite.PocketBase+", which does not sync each,", createsOfPeer)
	i := slices.IndexFunc(t.record.Disk, func(s disk.Syncs) bool { return s.Group == 1 })
	if i < 0 {
		return
	}
	sync := t.record.Disk[i]
	row := Row{
		Figure: name, Octavo: perSecond(value), Beside: fmt.Sprintf("disk %s of %s", perSecond(sync.PerSecond), micros(float64(sync.P50))),
		Ratio: value / sync.PerSecond, NoGoal: c < 64 || sync.P50 > 1000,
	}
	row.Goal, row.Met = fmt.Sprintf("≥ %d/s", createsPerSec), value >= createsPerSec
	t.rows = append(t.rows, row)
}

func (t *table) filters(pages int) {
	var names []string
	for _, m := range t.record.Measurements {
		if strings.HasPrefix(m.Figure, suite.Filter) && m.Target == suite.Octavo && m.Pages == pages && !slices.Contains(names, m.Figure) {
			names = append(names, m.Figure)
		}
	}
	c := t.record.Settings.Connections[0]
	for _, name := range names {
		ours := find(t.record, name, suite.Octavo, pages, c)
		label := fmt.Sprintf("%s, %s pages", name, count(pages))
		t.limit(label+": p99", micros(ours.median(p99)), "≤ 50 ms", ours.median(p99) <= filterTail)
		t.ratio(label, ours, find(t.record, name, suite.PocketBase, pages, c), suite.PocketBase, 0)
	}
}
