package format_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestImportedFiles: a file that a page imports is shown in its place, as
// it is at the time, and a Markdown archive has it where it was.
func TestImportedFiles(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		tree := fstest.MapFS{
			"docs/use.mdx":    {Data: []byte("import Run from '/parts/run.mdx'\n\n# Use\n\n<Run />\n")},
			"parts/run.mdx":   {Data: []byte("Start the engine.\n")},
			"docs/plain.md":   {Data: []byte("# Plain\n")},
			"parts/_none.mdx": {Data: []byte("words of no page\n")},
		}
		r.importTree(tree)
		for _, want := range []string{"Start the engine.", "Stop the engine."} {
			tree["parts/run.mdx"].Data = []byte(want + "\n")
			r.importTree(tree)
			files, _, report := r.files(octavo.ExportRequest{Format: octavo.ExportHTML})
			var all strings.Builder
			for name, text := range files {
				if strings.HasSuffix(name, ".html") {
					all.WriteString(text)
				}
			}
			if strings.Count(all.String(), want) != 1 || strings.Count(all.String(), "the engine.") != 1 || strings.Contains(all.String(), "words of no page") || len(report.Warnings) > 0 {
				t.Errorf("want %q once, have %s\n%v", want, all.String(), report.Warnings)
			}
		}
		_, book, _ := r.files(octavo.ExportRequest{Format: octavo.ExportPDF, Scope: octavo.ExportPublished})
		if text := exporttest.Output(t, book, testenv.PDF(t, "pdftotext"), "-", "-"); strings.Count(text, "Stop the engine.") != 1 {
			t.Errorf("the book: have %s", text)
		}
		files, _, _ := r.files(octavo.ExportRequest{Format: octavo.ExportMarkdown})
		if files["parts/run.mdx"] != "Stop the engine.\n" || len(files) != 3 {
			t.Errorf("have %q", files)
		}
	})
}

// TestFileOfPageShown: a file that is a page and is shown on another is in a Markdown
// archive once, as the page is now.
func TestFileOfPageShown(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		tree := fstest.MapFS{
			"use.mdx": {Data: []byte("import Run from './run.mdx'\n\n<Run /> [page](run.mdx)\n")},
			"run.mdx": {Data: []byte("Start the engine.\n")},
		}
		r.importTree(tree)
		files, _, _ := r.files(octavo.ExportRequest{Format: octavo.ExportHTML})
		var all strings.Builder
		for name, text := range files {
			if strings.HasSuffix(name, ".html") {
				all.WriteString(text)
			}
		}
		if strings.Count(all.String(), "Start the engine.") != 2 {
			t.Errorf("have %s", all.String())
		}
		files, _, report := r.files(octavo.ExportRequest{Format: octavo.ExportMarkdown})
		if len(files) != 2 || files["run.mdx"] != "Start the engine.\n" || len(report.Warnings) > 0 {
			t.Errorf("have %q, %v", files, report.Warnings)
		}
	})
}

// TestLinksInFiles: links in a file that a page shows lead where they do from the page,
// else where they do from the file.
func TestLinksInFiles(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		r.importTree(fstest.MapFS{
			"use.mdx":        {Data: []byte("import Run from './parts/_run.mdx'\n\n<Run />\n")},
			"parts/_run.mdx": {Data: []byte("[one](one.md) [two](two.md#part)\n")},
			"one.md":         {Data: []byte("# One\n")},
			"parts/two.md":   {Data: []byte("# Two\n\n## Part\n")},
		})
		for range 2 { // the second one may keep pages of the first
			files, _, report := r.files(octavo.ExportRequest{Format: octavo.ExportHTML})
			page := files["use.html"]
			if !strings.Contains(page, `href="one.html"`) || !strings.Contains(page, `href="parts-two.html#part"`) || len(report.Warnings) > 0 {
				t.Errorf("have %v: %s\n%v", slices.Collect(maps.Keys(files)), page, report.Warnings)
			}
		}
	})
}
