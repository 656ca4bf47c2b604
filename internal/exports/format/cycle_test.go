package format_test

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestCyclicIncludes checks that cycles of imports, footnotes, links and components end.
// Each text appears once, and the report has the rest.
func TestCyclicIncludes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for slug, content := range map[string]string{
		"one":        "import Two from './two.mdx'\nimport Own from './one.mdx'\n\n<Own />\n\nwords-of-one\n\n<Two>\n\ninside-one\n\n</Two>\n",
		"two":        "import One from './one.mdx'\nexport const again = <One />\n\n<One />\n\nwords-of-two {again}\n",
		"notes":      "words-of-notes[^a]\n\n[^a]: note-a, see[^b]\n\n[^b]: note-b, see[^a] and[^b]\n",
		"references": "words-of-references [x][a]\n\n[a]: references\n[b]: notes\n\n![y](references) ![z](two)\n",
		"components": "<Tabs>\n<Tabs>\n<Tab title=\"t\">\n<Tabs>\n\nwords-of-components\n\n</Tabs>\n</Tab>\n</Tabs>\n</Tabs>\n",
		"links":      "[back](links) [there](one) words-of-links\n",
	} {
		n := exporttest.Published(slug, content)
		if strings.Contains(content, "<") {
			n.Frontmatter = []byte(`{"format":"mdx"}`)
		}
		r.page(n)
	}
	unique := []string{
		"words-of-one", "inside-one", "words-of-two", "words-of-notes", "note-a", "note-b", "words-of-references", "words-of-components", "words-of-links",
	}
	files, _, report := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportPublished})
	var shown strings.Builder
	for name, text := range files {
		if strings.HasSuffix(name, ".html") {
			shown.WriteString(text)
		}
	}
	_, book, ofBook := r.files(octavo.ExportRequest{Format: octavo.ExportPDF, Scope: octavo.ExportPublished})
	for form, text := range map[string]string{"the site": shown.String(), "the book": exporttest.Output(t, book, testenv.PDF(t, "pdftotext"), "-layout", "-", "-")} {
		for _, word := range unique {
			if n := strings.Count(text, word); n != 1 {
				t.Errorf("%s says %q %d times, want once", form, word, n)
			}
		}
	}
	for form, have := range map[string]octavo.ExportReport{"the site": report, "the book": ofBook} {
		if all := strings.Join(warned(have), "\n"); !strings.Contains(all, "Two") || !strings.Contains(all, "One") || !strings.Contains(all, "Own") {
			t.Errorf("%s: the report does not tell of the components that are not known:\n%s", form, all)
		}
	}
	files, _, _ = r.files(octavo.ExportRequest{Format: octavo.ExportMarkdown, Scope: octavo.ExportPublished})
	var written strings.Builder
	for _, text := range files {
		written.WriteString(text)
	}
	for _, word := range append(unique, "import Two from './two.mdx'", "[^b]: note-b, see[^a] and[^b]") {
		if n := strings.Count(written.String(), word); n != 1 {
			t.Errorf("the files say %q %d times, want once", word, n)
		}
	}
}
