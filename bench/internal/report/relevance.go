package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/bench/internal/figure"
)

// The goals of relevance. A class is held against the best peer when it has
// enough queries for the difference to mean something.
const (
	leastMRR     = .86
	leastFirst   = .80
	leastQueries = 20
	phrases      = "phrase" // the class of quoted phrases, which are always found
)

// relevanceRows compares how well queries are answered with the goals.
func relevanceRows(figures figure.List) []Row {
	find := func(engine, class, unit string) (float64, bool) { return source{engine, class, unit}.find(figures) }
	var rows []Row
	for _, g := range []struct {
		class, unit string
		limit       float64
	}{{figure.All, figure.MRR, leastMRR}, {figure.All, figure.First, leastFirst}, {phrases, figure.MRR, 1}} {
		r := Row{Figure: g.class + " queries: " + g.unit, Goal: fmt.Sprintf("≥ %.2f", g.limit)}
		if value, measured := find(figure.Octavo, g.class, g.unit); measured {
			r.Octavo, r.Met = fmt.Sprintf("%.3f", value), value >= g.limit
		} else if g.class != figure.All {
			continue // the queries have no such class
		}
		rows = append(rows, r)
	}
	for _, class := range classes(figures) {
		queries, _ := find(figure.Octavo, class, figure.Queries)
		ours, _ := find(figure.Octavo, class, figure.MRR)
		best, peer := 0.0, ""
		for _, engine := range engines(figures) {
			if value, _ := find(engine, class, figure.MRR); engine != figure.Octavo && value > best {
				best, peer = value, engine
			}
		}
		if queries < leastQueries || peer == "" {
			continue
		}
		rows = append(rows, Row{
			Figure: fmt.Sprintf("%s (%.0f queries): %s", class, queries, figure.MRR), Octavo: fmt.Sprintf("%.3f", ours),
			Beside: fmt.Sprintf("%s %.3f", peer, best), Ratio: ours / best, Goal: "≥ 1.00", Met: ours >= best,
		})
	}
	return rows
}

// engines and classes return what was asked, in the order of the figures.
func engines(figures figure.List) []string {
	return distinct(figures, func(f figure.Figure) string { return f.Of })
}

func classes(figures figure.List) []string {
	return distinct(figures, func(f figure.Figure) string { return f.Name })
}

func distinct(figures figure.List, of func(figure.Figure) string) (list []string) {
	for _, f := range figures {
		if f.Unit == figure.MRR && !slices.Contains(list, of(f)) {
			list = append(list, of(f))
		}
	}
	return list
}

// answers writes the table of how well each engine answers each class.
func answers(b *strings.Builder, figures figure.List) {
	names := engines(figures)
	if len(names) == 0 {
		return
	}
	b.WriteString("\n### Relevance\n\nMRR@10, Success@1 behind the stroke. All engines have the same pages and are asked the same queries; latency is that of a query as the engine is used: " +
		"Octavo over HTTP with authentication, PostgreSQL over its protocol, the others within a process.\n\n")
	fmt.Fprintf(b, "| class | queries | %s |\n|---|--:|%s\n", strings.Join(names, " | "), strings.Repeat("--:|", len(names)))
	for _, class := range classes(figures) {
		queries, _ := source{names[0], class, figure.Queries}.find(figures)
		fmt.Fprintf(b, "| %s | %.0f |", class, queries)
		for _, engine := range names {
			mrr, _ := source{engine, class, figure.MRR}.find(figures)
			first, _ := source{engine, class, figure.First}.find(figures)
			fmt.Fprintf(b, " %.3f / %.2f |", mrr, first)
		}
		b.WriteString("\n")
	}
	b.WriteString("| mean latency | |")
	for _, engine := range names {
		mean, _ := source{engine, figure.All, figure.Mean}.find(figures)
		fmt.Fprintf(b, " %s |", duration(mean*1e6))
	}
	b.WriteString("\n")
}

// withoutRelevance leaves out what answers shows.
func withoutRelevance(figures figure.List) (rest figure.List) {
	names := engines(figures)
	for _, f := range figures {
		if !slices.Contains(names, f.Of) {
			rest = append(rest, f)
		}
	}
	return rest
}
