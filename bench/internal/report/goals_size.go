package report

import (
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo/bench/internal/suite"
)

// growth compares each size with the smallest.
func (t *table) growth() {
	sizes := slices.Sorted(slices.Values(t.record.Settings.Growth))
	if len(sizes) == 0 {
		return
	}
	few, many := t.record.Settings.Connections[0], slices.Max(t.record.Settings.Connections)
	for _, pages := range sizes {
		at := func(figure, target string, c int) found { return find(t.record, figure, target, pages, c) }
		first := func(figure string, c int) found { return find(t.record, figure, suite.Octavo, sizes[0], c) }
		label := func(figure string) string { return fmt.Sprintf("%s, %s pages", figure, count(pages)) }
		if pages > sizes[0] {
			smallest := "with " + count(sizes[0]) + " pages"
			t.ratio(label(suite.Read), at(suite.Read, suite.Octavo, few), first(suite.Read, few), smallest, grownReads)
			t.ratio(label(suite.ListZipf), at(suite.ListZipf, suite.Octavo, few), first(suite.ListZipf, few), smallest, grownReads)
			t.ratio(label(suite.ListDeep), at(suite.ListDeep, suite.Octavo, few), first(suite.ListDeep, few), smallest, grownReads)
			t.ratio(label("durable "+suite.Create), at(suite.Create, suite.Octavo, many), first(suite.Create, many), smallest, grownCreates)
			for _, name := range []string{"status", "tag", "root"} { // in creation order with one filter
				figure := suite.Filter + name
				t.ratio(label(figure), at(figure, suite.Octavo, few), first(figure, few), smallest, grownReads)
			}
		}
		goal := 0.0
		if pages == sizes[len(sizes)-1] { // far more than a cache holds
			goal = uncachedOfBound
		}
		t.ratio(label(suite.ReadUniform), at(suite.ReadUniform, suite.Octavo, few), at(suite.ReadUniform, suite.Bare, few), suite.Bare, goal)
		t.filters(pages)
	}
}

// machine compares memory, time and size with their limits.
func (t *table) machine() {
	for _, s := range t.record.Starts {
		if s.Target != suite.Octavo {
			continue
		}
		if s.Pages == t.record.Settings.Pages {
			t.limit(fmt.Sprintf("resident when idle, %s pages", count(s.Pages)), megabytes(float64(s.Resident)),
				"< 40 MB", s.Resident < idleMemory)
		}
		if s.Pages == 100_000 {
			t.limit("start, "+count(s.Pages)+" pages", fmt.Sprintf("%.3f s", s.Seconds), "< 0.2 s", s.Seconds < startTime)
		}
	}
	t.limit("binary", megabytes(float64(t.record.BinaryBytes)), "< 40 MB", t.record.BinaryBytes < binarySize)
}

// postgres compares with bare statements.
func (t *table) postgres(c int) {
	for _, figure := range []string{suite.Read, suite.ListDeep, suite.Create} {
		t.ratio(fmt.Sprintf("PostgreSQL: %s, %d connections", figure, c), t.find(figure, suite.OctavoPostgres, c),
			t.find(figure, suite.Pgbench, c), suite.Pgbench, ofPgbench)
	}
}
