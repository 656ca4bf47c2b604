package html

import (
	"bytes"
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
)

var megabytes = flag.Int("page-megabytes", 6, "how large the page of TestHugePages is")

// TestHugePages checks that a page of many megabytes and a table of 100,000 rows
// lose nothing, or with a notice nothing but their form, and take time that grows with their size.
func TestHugePages(t *testing.T) {
	r := New(highlight.New(0))
	paragraph := "A *paragraph* with `code`, [a link](other) and some more words.\n\n"
	for name, c := range map[string]struct {
		head, part, want, word string
		parts                  int
	}{
		"paragraphs": {"", paragraph, "<p>", "more words", *megabytes << 20 / len(paragraph)},
		"rows":       {"| a | b |\n|---|---|\n", "| c | d |\n", "<tr>", "d", 100_000},
		"items":      {"", "- item\n", "<li>", "item", 100_000},
	} {
		took := func(parts int) time.Duration {
			begun := time.Now()
			d := document.Parse(c.head+strings.Repeat(c.part, parts), document.Options{})
			result := r.Fragment(t.Context(), d, Options{})
			if have := bytes.Count(result.HTML, []byte(c.want)); have < parts && len(result.Notices) == 0 {
				t.Errorf("%s: have %d of %d, and no notice", name, have, parts)
			}
			if have := bytes.Count(result.HTML, []byte(c.word)); have < parts {
				t.Errorf("%s: have the text of %d of %d", name, have, parts)
			}
			return time.Since(begun)
		}
		few, many := took(c.parts/4), took(c.parts)
		if many > 12*few+time.Second {
			t.Errorf("%s: %d took %v and %d took %v", name, c.parts/4, few, c.parts, many)
		}
	}
}
