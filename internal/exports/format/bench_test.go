package format_test

import (
	"archive/zip"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/exports/format"
	"github.com/octavo-docs/octavo/internal/site"
)

var (
	corpus     = flag.String("corpus", "../../../docs", "folder of Markdown that benchmarks export")
	corpusSize = flag.Int("pages", 300, "how many pages of it, the first ones again when there are fewer")
)

// corpusTexts returns the pages of a corpus, each with a title of its own.
func corpusTexts(b *testing.B) []string {
	var texts []string
	exporttest.Must(b, filepath.WalkDir(*corpus, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if _, body, ok := strings.Cut(string(text), "\n---\n"); ok {
			texts = append(texts, body)
		}
		return err
	}))
	pages := make([]string, *corpusSize)
	for i := range pages {
		pages[i] = fmt.Sprintf("# Page %d\n\n", i) + texts[i%len(texts)]
	}
	return pages
}

// BenchmarkSite exports pages of a corpus as a site, for the first time and with
// what was kept of that: all that a server does but keeping the result.
func BenchmarkSite(b *testing.B) {
	r := newRig(b)
	for i, text := range corpusTexts(b) {
		r.page(exporttest.Published(fmt.Sprint("page-", i), text))
	}
	in := octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportSite, Selection: octavo.ExportSelection{Mode: octavo.SelectAll}}
	export := func(m *book.Maker) {
		_, err := m.Render(b.Context(), in, io.Discard, func(int, int) {})
		exporttest.Must(b, err)
	}
	maker := func() (*book.Maker, *site.Cache) {
		cache := site.NewCache(64<<20, time.Hour, time.Now)
		m := *r.Maker
		m.Formats = map[octavo.ExportFormat]book.Format{octavo.ExportHTML: format.NewHTML(cache, "")}
		return &m, cache
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			m, _ := maker()
			export(m)
		}
	})
	b.Run("again", func(b *testing.B) {
		m, cache := maker()
		export(m)
		for b.Loop() {
			export(m)
		}
		b.ReportMetric(float64(cache.Size())/float64(*corpusSize), "kept-B/page")
	})
}

// BenchmarkBook exports pages of a corpus as a PDF, as the command line does.
func BenchmarkBook(b *testing.B) {
	r := newRig(b)
	for i, text := range corpusTexts(b) {
		r.page(exporttest.Published(fmt.Sprint("page-", i), text))
	}
	in := octavo.ExportRequest{Format: octavo.ExportPDF, Scope: octavo.ExportSite, Selection: octavo.ExportSelection{Mode: octavo.SelectAll}}
	for b.Loop() {
		var out counter
		_, err := r.Render(b.Context(), in, &out, func(int, int) {})
		exporttest.Must(b, err)
		b.ReportMetric(float64(out)/1e6, "MB-file")
	}
}

// counter counts what is written.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// BenchmarkMarkdown exports pages of a corpus as they were written, all that a
// server does but keeping the result; and the bound, which puts files with the
// same texts into a zip.
func BenchmarkMarkdown(b *testing.B) {
	r, folder := newRig(b), b.TempDir()
	var names []string
	for i, text := range corpusTexts(b) {
		slug := fmt.Sprint("page-", i)
		p := exporttest.Published(slug, text)
		p.Path = slug + ".md"            // it was imported, without front matter,
		p.Title = fmt.Sprint("Page ", i) // which is what its heading says
		r.page(p)
		names = append(names, p.Path)
		exporttest.Must(b, os.WriteFile(filepath.Join(folder, p.Path), []byte(text), 0o600))
	}
	in := octavo.ExportRequest{Format: octavo.ExportMarkdown, Scope: octavo.ExportSite, Selection: octavo.ExportSelection{Mode: octavo.SelectAll}}
	bare := func() {
		archive := zip.NewWriter(io.Discard)
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(folder, name))
			exporttest.Must(b, err)
			w, err := archive.CreateHeader(&zip.FileHeader{Name: name})
			exporttest.Must(b, err)
			_, err = w.Write(text)
			exporttest.Must(b, err)
		}
		exporttest.Must(b, archive.Close())
	}
	var ours, bound time.Duration
	for b.Loop() { // in turn, so that what disturbs the machine disturbs both
		begun := time.Now()
		_, err := r.Render(b.Context(), in, io.Discard, func(int, int) {})
		exporttest.Must(b, err)
		between := time.Now()
		bare()
		ours, bound = ours+between.Sub(begun), bound+time.Since(between)
	}
	b.ReportMetric(float64(ours)/float64(bound), "ofZip")
	b.ReportMetric(ours.Seconds()*1e6/float64(b.N**corpusSize), "µs/page")
}
