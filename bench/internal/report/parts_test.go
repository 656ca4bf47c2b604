package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/results"
)

func TestGoalsOfParts(t *testing.T) {
	ours, other := source{"internal/x", "Do/it", "p99-µs"}, source{"peer", "Do it", "p99-µs"}
	figures := func(values ...float64) (list figure.List) {
		for i, v := range values {
			s := []source{ours, other}[i]
			list.Add(s.of, s.name, s.unit, v)
		}
		return list
	}
	for _, c := range []struct {
		name    string
		goal    goal
		figures figure.List
		want    string // the row as text
	}{
		{"met", most("it", ours, 5000), figures(4900), "it|4.9 ms||0.00|≤ 5.0 ms|true"},
		{"missed", most("it", ours, 5000), figures(5100), "it|5.1 ms||0.00|≤ 5.0 ms|false"},
		{"at least", least("it", ours, 500), figures(600), "it|600 µs||0.00|≥ 500 µs|true"},
		{"below it", least("it", ours, 500), figures(400), "it|400 µs||0.00|≥ 500 µs|false"},
		{"ratio met", most("it", ours, 2).of("alone", other), figures(1900, 1000), "it|1.9 ms|alone 1.0 ms|1.90|≤ 2.00|true"},
		{"ratio missed", least("it", ours, .8).of("alone", other), figures(700, 1000), "it|700 µs|alone 1.0 ms|0.70|≥ 0.80|false"},
		{"not measured", most("it", ours, 5000), nil, "it|||0.00|≤ 5.0 ms|false"},
		{"a ratio by itself", least("it", source{"internal/x", "Do/it", "kept"}, .5).to("alone"), figure.List{{Of: "internal/x", Name: "Do/it", Unit: "kept", Values: []float64{.6, .4, .55}}}, "it|0.55|alone|0.55|≥ 0.50|true"},
		{"peer not measured", most("it", ours, 2).of("alone", other), figures(1900), "it|1.9 ms|alone, not measured|0.00|≤ 2.00|false"},
	} {
		r := c.goal.row(c.figures)
		if have := fmt.Sprintf("%s|%s|%s|%.2f|%s|%v", r.Figure, r.Octavo, r.Beside, r.Ratio, r.Goal, r.Met); have != c.want {
			t.Errorf("%s: have %s, want %s", c.name, have, c.want)
		}
	}
}

func TestAmounts(t *testing.T) {
	for _, c := range []struct {
		value       float64
		unit        string
		want, named string
	}{
		{743, "ns/op", "743 ns", "743 ns"},
		{150e3, "ns/op", "150 µs", "150 µs"},
		{1.834e9, "ns/op", "1.83 s", "1.83 s"},
		{5123, "p99-µs", "5.1 ms", "p99 5.1 ms"},
		{3.5, "ms-latest", "3.5 ms", "latest 3.5 ms"},
		{21_212.4, "events/s", "21,212/s", "events 21,212/s"},
		{3000, "reads/s-beside", "3,000/s", "reads beside 3,000/s"},
		{585.45, "MB/s", "585.5 MB/s", "585.5 MB/s"},
		{63.2, "MB-peak", "63.2 MB", "peak 63.2 MB"},
		{0.914, "ofBare", "0.91", "ofBare 0.91"},
		{3, "allocs/op", "3 allocs/op", "3 allocs/op"},
		{5800.2, "B/page", "5,800 B/page", "5,800 B/page"},
	} {
		if have := amount(c.value, c.unit); have != c.want {
			t.Errorf("amount(%g, %q): have %q, want %q", c.value, c.unit, have, c.want)
		}
		if have := named(c.value, c.unit); have != c.named {
			t.Errorf("named(%g, %q): have %q, want %q", c.value, c.unit, have, c.named)
		}
	}
}

func TestWriteOfParts(t *testing.T) {
	var p figure.Part
	p.Name, p.Failed = "auth", []string{"run the benchmarks of internal/x: exit\nstatus 1"}
	p.Figures.Add("internal/app", "Credentials/later/key", "ns/op", 1_800)
	p.Figures.Add("internal/app", "Credentials/later/key", "allocs/op", 3)
	var b strings.Builder
	if err := Write(&b, &results.Results{Parts: []figure.Part{p}}, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## Credentials\n",
		"| an API key known | 1.8 µs |  |  | ≤ 2.0 µs | yes |\n",
		"| an access token known | not measured |  |  | ≤ 2.0 µs |  |\n",
		"| internal/app | Credentials/later/key | 1.8 µs, 3 allocs/op |\n",
		"\nNot measured: run the benchmarks of internal/x: exit status 1.\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("have\n%s\nwant %q in it", b.String(), want)
		}
	}
}

// Every part has a section of its own and goals that name figures once.
func TestGoalsWellFormed(t *testing.T) {
	seen := make(map[goal]bool)
	for _, name := range figure.Parts() {
		for _, g := range goals(name) {
			if seen[g] || g.ours == (source{}) || g.limit <= 0 || g.beside != (source{}) && g.besides == "" {
				t.Errorf("%s: have the goal %+v", name, g)
			}
			seen[g] = true
		}
	}
}
