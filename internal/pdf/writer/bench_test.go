package writer

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// BenchmarkWriter writes a thousand sheets of 48 lines with an element each.
func BenchmarkWriter(b *testing.B) {
	b.ReportAllocs()
	line := strings.Repeat("<002400250026> -3 ", 10)
	for b.Loop() {
		w := New(io.Discard, Info{Title: "Bench"})
		var content []byte
		for n := range 1000 {
			page := w.Begin(false)
			section := w.Root().Child("Sect", Properties{})
			name := fmt.Sprint("sheet-", n)
			w.Destination(name, page, 800)
			w.Bookmark(OutlineItem{Title: name, Destination: name})
			content = content[:0]
			for l := range 48 {
				e := section.Child("P", Properties{})
				content = fmt.Appendf(content, "/P<</MCID %d>>BDC\nBT /F0 10 Tf 60 %d Td [%s]TJ ET\nEMC\n", page.Mark(e), 800-15*l, line)
				e.Release()
			}
			section.Release()
			page.End(595, 842, content)
		}
		if err := w.Close("<<>>"); err != nil {
			b.Fatal(err)
		}
	}
}
