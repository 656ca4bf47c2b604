package site

import (
	"io"
	"testing"
	"time"
)

// BenchmarkWrite makes a site of the documentation, for the first time and with
// what was kept of that.
func BenchmarkWrite(b *testing.B) {
	l := documentation(b)
	for _, kept := range []bool{false, true} {
		name := map[bool]string{false: "first", true: "again"}[kept]
		b.Run(name, func(b *testing.B) {
			o := l.options()
			o.Cache = NewCache(64<<20, time.Hour, time.Now)
			if _, err := Write(b.Context(), io.Discard, l.book(), o); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if !kept {
					o = l.options()
					o.Cache = NewCache(64<<20, time.Hour, time.Now)
				}
				if _, err := Write(b.Context(), io.Discard, l.book(), o); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*len(l.list)), "ms/page")
			b.ReportMetric(float64(o.Cache.Size())/float64(len(l.list)), "kept-B/page")
		})
	}
}
