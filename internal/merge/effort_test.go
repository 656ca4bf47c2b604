package merge

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// unlike are texts that are costly to compare, of so many lines each.
func unlike(lines int) map[string][3]string {
	r := rand.New(rand.NewPCG(1, 2))
	kinds := map[string]func(text, i int) string{
		"nothing in common": func(text, i int) string { return fmt.Sprintf("%c%d\n", 'a'+text, i) },
		"all alike":         func(text, _ int) string { return strings.Repeat("x\n", 1+text) },
		"turned round":      func(text, i int) string { return fmt.Sprintln([]int{i, lines - i, (2 * i) % lines}[text]) },
		"shuffled":          func(_, _ int) string { return fmt.Sprintln(r.IntN(lines)) },
		"ten letters":       func(_, _ int) string { return fmt.Sprintln(r.IntN(10)) },
		"in turn":           func(text, _ int) string { return []string{"x\n", "x\ny\n", "z\nx\n"}[text] },
	}
	texts := map[string][3]string{}
	for name, line := range kinds {
		var three [3]string
		for text := range three {
			var b strings.Builder
			for i := range lines {
				b.WriteString(line(text, i))
			}
			three[text] = b.String()
		}
		texts[name] = three
	}
	return texts
}

// TestEffort holds how many steps a merge of long texts takes, by the lines that it has,
// and that it says so where it was cut short.
func TestEffort(t *testing.T) {
	t.Parallel()
	const most = 2 * 2 * maxSteps // of two comparisons; a way that is cut short costs up to twice as much
	for _, lines := range []int{300, 200_000} {
		for name, text := range unlike(lines) {
			var e Effort
			result := e.Texts(text[0], text[1], text[2])
			if e.spent > most {
				t.Errorf("%s: %d steps for %d lines, want at most %d", name, e.spent, lines, most)
			}
			want := lines > 1000 && (name == "turned round" || name == "shuffled" || name == "ten letters")
			if result.Coarse != want {
				t.Errorf("%s, %d lines: coarse is %t", name, lines, result.Coarse)
			}
		}
	}
	// What many merges take together is bounded too.
	const lines = 5000
	text := unlike(lines)["ten letters"]
	var e Effort
	merges := 0
	for e.spent < maxEffort {
		e.Texts(text[0], text[1], text[2])
		merges++
	}
	spent := e.spent
	result := e.Texts(text[0], text[1], text[2])
	if most := 4 * lines * minPatience; e.spent-spent > 2*most || !result.Coarse {
		t.Errorf("after %d merges one more takes %d steps, want at most %d; coarse is %t", merges, e.spent-spent, 2*most, result.Coarse)
	}
}

// BenchmarkUnlike says how often a merge takes the time of reading the lines.
func BenchmarkUnlike(b *testing.B) {
	for name, text := range unlike(200_000) {
		b.Run(name, func(b *testing.B) {
			var merging, reading, showing time.Duration
			for b.Loop() {
				begun := time.Now()
				known := map[string]int{}
				for _, t := range text {
					number(known, Lines(t))
				}
				reading += time.Since(begun)
				begun = time.Now()
				Texts(text[0], text[1], text[2])
				merging += time.Since(begun)
				begun = time.Now()
				Unified(Hunks(text[1], text[2]), "a", "b")
				showing += time.Since(begun)
			}
			b.ReportMetric(float64(merging)/float64(reading), "merge/read")
			b.ReportMetric(float64(showing)/float64(reading), "diff/read")
		})
	}
}
