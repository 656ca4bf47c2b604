package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/bench/internal/disk"
	"github.com/octavo-docs/octavo/bench/internal/load"
	"github.com/octavo-docs/octavo/bench/internal/results"
	"github.com/octavo-docs/octavo/bench/internal/suite"
)

// record makes a record of a run on 1,000 pages with 64 connections.
func record(measurements ...suite.Measurement) *suite.Record {
	return &suite.Record{
		Settings:     suite.Settings{Pages: 1000, Connections: []int{64}, Rounds: 1},
		Disk:         []disk.Syncs{{Group: 1, PerSecond: 1000, P50: 900}},
		BinaryBytes:  30e6,
		Starts:       []suite.Start{{Target: suite.Octavo, Pages: 1000, Resident: 50e6}},
		Measurements: measurements,
	}
}

// at is a measurement of so many requests a second.
func at(figure, target string, throughput float64, p99 int64) suite.Measurement {
	return suite.Measurement{Figure: figure, Target: target, Pages: 1000, Connections: 64, Result: load.Result{
		Throughput: throughput, Requests: int64(throughput), Latency: load.Latency{P99: p99},
	}, CPU: 0.5}
}

func TestRowsJudge(t *testing.T) {
	for _, c := range []struct {
		name   string
		record *suite.Record
		want   string // a row as text
	}{
		{"share of the bound", record(at(suite.Read, suite.Octavo, 8000, 5), at(suite.Read, suite.Bare, 10000, 5)), "read one page, Zipf, 64 connections|8,000/s|bare net/http 10,000/s|0.80|≥ 0.80|met"},
		{"below it", record(at(suite.Read, suite.Octavo, 7900, 5), at(suite.Read, suite.Bare, 10000, 5)), "read one page, Zipf, 64 connections|7,900/s|bare net/http 10,000/s|0.79|≥ 0.80|missed"},
		{"tail", record(at(suite.ListFirst, suite.Octavo, 1, 3100), at(suite.ListFirst, suite.Bare, 1, 1000)), "list of 20, first, 64 connections: p99|3.1 ms|bare net/http 1.0 ms|3.10|≤ 3.0|missed"},
		{"ten times the peer", record(at(suite.Read, suite.Octavo, 9000, 5), at(suite.Read, suite.Bare, 10000, 5), at(suite.Read, suite.PocketBase, 500, 5)), "read one page, Zipf, 64 connections|9,000/s|PocketBase 500/s|18.00|≥ 10.00|met"},
		{"or the bound's share", record(at(suite.Read, suite.Octavo, 8500, 5), at(suite.Read, suite.Bare, 10000, 5), at(suite.Read, suite.PocketBase, 2000, 5)), "read one page, Zipf, 64 connections|8,500/s|PocketBase 2,000/s|4.25|≥ 4.00|met"},
		{"creates", record(at(suite.Create, suite.Octavo, 5200, 5)), "durable create, 64 connections|5,200/s|disk 1,000/s of 900 µs|5.20|≥ 5000/s|met"},
		{"reads during writes", record(at(suite.ReadBeside, suite.Octavo, 500, 5), at(suite.Read, suite.Octavo, 1000, 5)), "read during writes, 64 connections|500/s|reads alone 1,000/s|0.50|≥ 0.60|missed"},
		{"a filter", record(at(suite.Filter+"tag", suite.Octavo, 10, 49_000)), "filter: tag, 1,000 pages: p99|49.0 ms||0.00|≤ 50 ms|met"},
		{"memory", record(), "resident when idle, 1,000 pages|50.0 MB||0.00|< 40 MB|missed"},
		{"pgbench", record(at(suite.Create, suite.OctavoPostgres, 600, 5), at(suite.Create, suite.Pgbench, 1000, 0)), "PostgreSQL: create, 64 connections|600/s|pgbench 1,000/s|0.60|≥ 0.50|met"},
	} {
		var have []string
		for _, r := range Rows(c.record) {
			met := map[bool]string{true: "met", false: "missed"}[r.Met]
			have = append(have, strings.Join([]string{r.Figure, r.Octavo, r.Beside, fmt.Sprintf("%.2f", r.Ratio), r.Goal, met}, "|"))
		}
		if !strings.Contains(strings.Join(have, "\n")+"\n", c.want+"\n") {
			t.Errorf("%s: have\n%s\nwant among them\n%s", c.name, strings.Join(have, "\n"), c.want)
		}
	}
}

func TestGrowthFromSmallest(t *testing.T) {
	r := record()
	r.Settings.Growth = []int{1_000_000, 1000}
	small, large := at(suite.Read, suite.Octavo, 1000, 5), at(suite.Read, suite.Octavo, 740, 5)
	large.Pages = 1_000_000
	r.Measurements = []suite.Measurement{small, large}
	for _, row := range Rows(r) {
		if strings.HasPrefix(row.Figure, suite.Read+", 1,000,000") {
			if row.Met || row.Beside != "with 1,000 pages 1,000/s" {
				t.Errorf("have %+v, want it missed beside 1,000 pages", row)
			}
			return
		}
	}
	t.Error("have no row for a million pages")
}

func TestMedianOfRounds(t *testing.T) {
	f := found{at("x", "y", 30, 0), at("x", "y", 10, 0), at("x", "y", 20, 0)}
	if have := f.median(throughput); have != 20 {
		t.Errorf("have %g, want 20", have)
	}
	if have := cpuEach(f[1]); have != 50_000 {
		t.Errorf("have %g µs for each request, want 50000", have)
	}
}

func TestWrite(t *testing.T) {
	var b strings.Builder
	if err := Write(&b, &results.Results{Pages: record(at(suite.Read, suite.Octavo, 8000, 5), at(suite.Read, suite.Bare, 10000, 5))}, "The wire.\n"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| read one page, Zipf, 64 connections | 8,000/s | bare net/http 10,000/s | 0.80 | ≥ 0.80 | yes |\n",
		"| 1 × 4 KiB | 1,000/s |", "## What limits it\n\nThe wire.\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("have\n%s\nwant %q in it", b.String(), want)
		}
	}
}
