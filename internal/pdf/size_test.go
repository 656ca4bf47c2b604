package pdf

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/pdf/font"
)

// shelf gives so many pages of contents, from the first again when they end.
func shelf(contents []string, pages int, each func(i int)) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		for i := range pages {
			each(i)
			content := contents[i%len(contents)]
			page := Page{Key: fmt.Sprint("p", i), Title: fmt.Sprint("Page ", i), Document: document.Parse(content, document.Options{MDX: true})}
			if !yield(page, nil) {
				return
			}
		}
	}
}

// TestMemory checks that a longer book takes no more memory: what is alive is
// measured as pages come.
func TestMemory(t *testing.T) {
	contents := []string{strings.Repeat(strings.Join(manuscript(t), "\n"), 2)}
	const first, last = 60, 240
	alive := func() int {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return int(stats.HeapAlloc >> 10)
	}
	early, late := 0, 0
	pages := shelf(contents, last+1, func(i int) {
		switch i {
		case first:
			early = alive()
		case last:
			late = alive()
		}
	})
	o := Options{Fonts: font.Builtin(), Colors: painter{}, Image: picturesOf(t)}
	if _, err := Write(t.Context(), io.Discard, Book{Title: "Long", Pages: pages}, o); err != nil {
		t.Fatal(err)
	}
	const most = 8 << 10
	if late-early > most {
		t.Errorf("alive: %d KiB at page %d and %d KiB at page %d, which is more than %d KiB more", early, first, late, last, most)
	}
}

// peak returns how many megabytes the process had at most, 0 where the system
// does not say.
func peak(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	kilobytes := 0.0
	if _, err := fmt.Sscan(string(rest), &kilobytes); err != nil {
		return 0
	}
	return kilobytes / 1000
}
