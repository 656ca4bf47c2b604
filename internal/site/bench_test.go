package site

import (
	"io"
	"testing"
)

// BenchmarkWrite makes a site of the documentation, with code that is coloured
// for the first time and again.
func BenchmarkWrite(b *testing.B) {
	l := documentation(b)
	for _, kept := range []bool{false, true} {
		name := map[bool]string{false: "first", true: "again"}[kept]
		b.Run(name, func(b *testing.B) {
			o := l.options()
			b.ReportAllocs()
			for b.Loop() {
				if !kept {
					o.Highlighter = l.options().Highlighter
				}
				if _, err := Write(b.Context(), io.Discard, l.book(), o); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*len(l.list)), "ms/page")
		})
	}
}
