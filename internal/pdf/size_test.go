package pdf

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/pdf/font"
)

var (
	corpus     = flag.String("corpus", "../../docs", "folder of Markdown that benchmarks make a book of")
	corpusSize = flag.Int("pages", 300, "how many pages of it, the first ones again when there are fewer")
)

// library returns the contents of the pages in the corpus.
func library(tb testing.TB) (contents []string) {
	tb.Helper()
	err := filepath.WalkDir(*corpus, func(path string, entry fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || entry.IsDir() || ext != ".md" && ext != ".mdx" {
			return err
		}
		file, err := os.ReadFile(path)
		contents = append(contents, string(file))
		return err
	})
	if err != nil || len(contents) == 0 {
		tb.Fatalf("read %s: %v", *corpus, err)
	}
	return contents
}

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

// TestMemory holds that a longer book takes no more memory: what is alive is
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
	o := Options{Fonts: font.Builtin(), Highlighter: highlight.New(1 << 20), Image: picturesOf(t)}
	if _, err := Write(t.Context(), io.Discard, Book{Title: "Long", Pages: pages}, o); err != nil {
		t.Fatal(err)
	}
	const most = 8 << 10
	if late-early > most {
		t.Errorf("alive: %d KiB at page %d and %d KiB at page %d, which is more than %d KiB more", early, first, late, last, most)
	}
}

// BenchmarkBook makes a book of pages of a corpus.
func BenchmarkBook(b *testing.B) {
	contents := library(b)
	highlighter := highlight.New(1 << 20)
	for b.Loop() {
		var out counter
		book := Book{Title: "Corpus", Pages: shelf(contents, *corpusSize, func(int) {})}
		report, err := Write(context.Background(), &out, book, Options{Fonts: font.Builtin(), Highlighter: highlighter})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(report.Sheets), "sheets")
		b.ReportMetric(float64(out)/1e6, "MB-file")
	}
	b.ReportMetric(peak(b), "MB-peak")
}

// counter counts what is written.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
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
