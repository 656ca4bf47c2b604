package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/bench/internal/figure"
)

// answered are the figures of two engines and two classes.
func answered(ours, theirs, few float64) (list figure.List) {
	add := func(engine, class string, queries, mrr float64) {
		list.Add(engine, class, figure.MRR, mrr)
		list.Add(engine, class, figure.First, mrr/2)
		list.Add(engine, class, figure.Queries, queries)
	}
	add(figure.Octavo, figure.All, 40, .87)
	add(figure.Octavo, "anchor", 25, ours)
	add(figure.Octavo, "hand", 15, few)
	add("Peer", figure.All, 40, .7)
	add("Peer", "anchor", 25, theirs)
	add("Peer", "hand", 15, 1)
	list.Add(figure.Octavo, figure.All, figure.Mean, .8)
	list.Add("Peer", figure.All, figure.Mean, 12)
	return list
}

func TestRelevanceRows(t *testing.T) {
	text := func(rows []Row) (lines []string) {
		for _, r := range rows {
			lines = append(lines, fmt.Sprintf("%s|%s|%s|%s|%v", r.Figure, r.Octavo, r.Beside, r.Goal, r.Met))
		}
		return lines
	}
	have := text(relevanceRows(answered(.66, .65, .2)))
	want := []string{
		"all queries: MRR@10|0.870||≥ 0.86|true", "all queries: Success@1|0.435||≥ 0.80|false",
		"all (40 queries): MRR@10|0.870|Peer 0.700|≥ 1.00|true", "anchor (25 queries): MRR@10|0.660|Peer 0.650|≥ 1.00|true",
	}
	if !slices.Equal(have, want) {
		t.Errorf("have\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
	if have := text(relevanceRows(answered(.64, .65, .2))); have[3] != "anchor (25 queries): MRR@10|0.640|Peer 0.650|≥ 1.00|false" {
		t.Errorf("have %s, want it missed", have[3])
	}
	if have := text(relevanceRows(nil)); !slices.Equal(have, []string{"all queries: MRR@10|||≥ 0.86|false", "all queries: Success@1|||≥ 0.80|false"}) {
		t.Errorf("nothing measured: have %q, want the goals alone", have)
	}
}

func TestAnswers(t *testing.T) {
	var b strings.Builder
	answers(&b, answered(.66, .65, .2))
	for _, want := range []string{"| class | queries | Octavo | Peer |\n", "| anchor | 25 | 0.660 / 0.33 | 0.650 / 0.33 |\n", "| mean latency | | 800 µs | 12.0 ms |\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("have\n%s\nwant %q in it", b.String(), want)
		}
	}
	if have := withoutRelevance(answered(1, 1, 1)); len(have) > 0 {
		t.Errorf("have %v left, want nothing", have)
	}
}
