package pdf

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
)

var (
	sheetsOf = flag.String("sheets", "", "folder of files that BenchmarkSheets sets: a title, then paragraphs, with empty lines between; nothing is some of its own")
	sheetsTo = flag.String("sheets-to", "", "file that BenchmarkSheets writes; nothing is none")
)

// chapters gives the titles and paragraphs that are set, each read when it is
// asked for.
func chapters(b *testing.B) iter.Seq[[]string] {
	b.Helper()
	if *sheetsOf == "" {
		return func(yield func([]string) bool) {
			for n := range 20 {
				chapter := []string{fmt.Sprint("Chapter ", n+1)}
				for n := range 60 {
					chapter = append(chapter, strings.Repeat(fmt.Sprintf("The quick brown fox jumps over lazy dog %d, and then it goes home again. ", n), 6))
				}
				if !yield(chapter) {
					return
				}
			}
		}
	}
	names, err := filepath.Glob(filepath.Join(*sheetsOf, "*"))
	if err != nil || len(names) == 0 {
		b.Fatalf("no files in %s: %v", *sheetsOf, err)
	}
	return func(yield func([]string) bool) {
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			if !yield(strings.Split(strings.TrimSpace(string(text)), "\n\n")) {
				return
			}
		}
	}
}

// BenchmarkSheets sets plain text in fonts that other writers can read too, from
// trees that are made as they are asked for: layout and writer alone.
func BenchmarkSheets(b *testing.B) {
	list := chapters(b)
	pages := func(yield func(Page, error) bool) {
		i := 0
		for chapter := range list {
			i++
			p := Page{Key: fmt.Sprint("p", i), Title: chapter[0], Language: "en", Break: true, Document: &document.Document{}}
			for _, text := range chapter[1:] {
				p.Document.Blocks = append(p.Document.Blocks, &document.Paragraph{Inlines: []document.Inline{&document.Text{Text: text}}})
			}
			if !yield(p, nil) {
				return
			}
		}
	}
	for b.Loop() {
		if err := sheetsInto(b, Book{Title: "Sheets", Language: "en", Pages: pages}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(peak(b), "MB-peak")
}

func sheetsInto(b *testing.B, book Book) (err error) {
	b.Helper()
	out := io.Discard
	if *sheetsTo != "" {
		file, err := os.Create(*sheetsTo)
		if err != nil {
			return err
		}
		buffered := bufio.NewWriter(file)
		out = buffered
		defer func() { err = errors.Join(err, buffered.Flush(), file.Close()) }()
	}
	report, err := Write(b.Context(), out, book, Options{Fonts: goFonts()})
	b.ReportMetric(float64(report.Sheets), "sheets")
	return err
}
