package proposals

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestNearest compares where quotes are found with looking at each line.
func TestNearest(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(n int, end string) string {
		var b strings.Builder
		for range n {
			b.WriteString([]string{"", "a", "b", "ab"}[r.IntN(4)] + end)
		}
		return b.String()
	}
	for range 3000 {
		text := draw(r.IntN(12), []string{"\n", "\r\n"}[r.IntN(2)]) + []string{"", "a"}[r.IntN(2)]
		quote, line := strings.TrimSuffix(draw(1+r.IntN(3), "\n"), "\n"), 1+r.IntN(14)
		n := number(text)
		want := 0
		for i := 1; i <= len(n.starts); i++ {
			here := make([]string, 0, 3)
			for k := i; k <= len(n.starts) && k < i+1+strings.Count(quote, "\n"); k++ {
				here = append(here, n.line(k))
			}
			if strings.Join(here, "\n") == quote && len(here) == 1+strings.Count(quote, "\n") && (want == 0 || distance(i, line) < distance(want, line)) {
				want = i
			}
		}
		if have := n.nearest(quote, line); have != want {
			t.Fatalf("%q near line %d of %q: have %d, want %d", quote, line, text, have, want)
		}
	}
}

// BenchmarkNearest: a hundred comments with long quotes on a text of lines that are alike.
func BenchmarkNearest(b *testing.B) {
	n := number(strings.Repeat("x\n", 1<<20))
	quote := strings.Repeat("x\n", 32000) + "x"
	for b.Loop() {
		for i := range 100 {
			n.nearest(quote, i*10000+1)
			n.nearest(quote+"y", i*10000+1)
		}
	}
}
