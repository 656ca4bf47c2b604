package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/bench/internal/figure"
)

// part writes the section of a part.
func part(b *strings.Builder, p figure.Part) {
	fmt.Fprintf(b, "\n## %s\n\n", heading(p.Name))
	taken(b, p.Started, p.Took, p.Machine)
	if list := PartRows(p); len(list) > 0 {
		rows(b, list)
	}
	answers(b, p.Figures)
	everything(b, withoutRelevance(p.Figures))
	for _, failed := range p.Failed {
		fmt.Fprintf(b, "\nNot measured: %s.\n", strings.Join(strings.Fields(failed), " "))
	}
}

func heading(part string) string {
	switch part {
	case "auth":
		return "Credentials"
	case "reader":
		return "The site for readers"
	case "proposals":
		return "Proposals, and what an editor needs"
	case "exports":
		return "Rendering and exports"
	}
	return strings.ToUpper(part[:1]) + part[1:]
}

// everything shows all figures of a part, a line for each benchmark.
func everything(b *strings.Builder, figures figure.List) {
	if len(figures) == 0 {
		return
	}
	b.WriteString("\n### Everything measured\n\n| of | figure | measured |\n|---|---|---|\n")
	for i, f := range figures {
		same := func(other figure.Figure) bool { return other.Of == f.Of && other.Name == f.Name }
		if slices.IndexFunc(figures, same) < i {
			continue // its line is written
		}
		var metrics []string
		for _, m := range figures {
			if same(m) {
				metrics = append(metrics, named(m.Median(), m.Unit))
			}
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", f.Of, f.Name, strings.Join(metrics, ", "))
	}
}

// named writes an amount with what it is of, such as "p99 5.1 ms" for the unit
// p99-ms.
func named(value float64, unit string) string {
	var words []string
	for word := range strings.SplitSeq(unit, "-") {
		if name, isRate := strings.CutSuffix(word, "/s"); isRate && name != "MB" {
			words = append(words, name)
		} else if nanoseconds(word) == 0 && word != "MB" && word != "MiB" && !strings.Contains(word, "/") {
			words = append(words, word)
		}
	}
	return strings.Join(append(words, amount(value, unit)), " ")
}

// amount writes a value in the form that suits its unit: times, rates and
// sizes as such, others with the unit behind them.
func amount(value float64, unit string) string {
	for word := range strings.SplitSeq(unit, "-") {
		if each := nanoseconds(word); each > 0 {
			return duration(value * each)
		}
		switch {
		case word == "MB" || word == "MiB" || word == "MB/s":
			return fmt.Sprintf("%.1f %s", value, word)
		case strings.HasSuffix(word, "/s"):
			return perSecond(value)
		}
	}
	text := count(int(value + 0.5))
	if value < 100 && value != math.Trunc(value) {
		text = fmt.Sprintf("%.2f", value)
	}
	if strings.Contains(unit, "/") { // allocs/op, B/page
		text += " " + unit
	}
	return text
}

// nanoseconds returns how long a unit of time is, 0 for other units.
func nanoseconds(unit string) float64 {
	unit, _, _ = strings.Cut(unit, "/") // ns/op, ms/page
	switch unit {
	case "ns":
		return 1
	case "µs":
		return 1e3
	case "ms":
		return 1e6
	case "s":
		return 1e9
	}
	return 0
}

// duration writes a time given in nanoseconds.
func duration(v float64) string {
	switch {
	case v < 1e3:
		return fmt.Sprintf("%.0f ns", v)
	case v < 1e4:
		return fmt.Sprintf("%.1f µs", v/1e3)
	case v < 1e9:
		return micros(v / 1e3)
	}
	return fmt.Sprintf("%.2f s", v/1e9)
}
