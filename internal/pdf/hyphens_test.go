package pdf

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/pdf/font"
)

// TestDividedWords checks that words are divided at the ends of lines in the
// language of their page, and that readers find them whole.
func TestDividedWords(t *testing.T) {
	t.Parallel()
	const silent = "/ActualText<FEFF>" // of a hyphen
	english := strings.Repeat("the internationalisation of representative documentation ", 60)
	german := strings.Repeat("Übersetzungsgeschwindigkeit und Benutzerverwaltung ", 60)
	for _, c := range []struct {
		name, book, page, content string
		divided                   bool
		word                      string // that stands so often as in the content
	}{
		{"English that nobody calls so", "", "", english, true, "documentation"},
		{"German that nobody calls so", "", "", german, false, "Benutzerverwaltung"},
		{"German", "de", "", german, true, "Benutzerverwaltung"},
		{"a German page", "en", "de-AT", german, true, "Übersetzungsgeschwindigkeit"},
		{"a language without patterns", "tr", "", english, false, "documentation"},
		{"code", "en", "", "`" + english + "`\n\n```\n" + english + "\n```\n", false, ""},
		{"a heading", "en", "", "# " + english, false, ""},
	} {
		var out bytes.Buffer
		pages := func(yield func(Page, error) bool) {
			yield(Page{Key: "p", Title: "Page", Language: c.page, Document: document.Parse(c.content, document.Options{})}, nil)
		}
		if _, err := Write(t.Context(), &out, Book{Title: "Book", Language: c.book, Pages: pages}, Options{Fonts: font.Builtin()}); err != nil {
			t.Fatal(err)
		}
		if have := strings.Contains(unpacked(t, out.Bytes()), silent); have != c.divided {
			t.Errorf("%s: words are divided: have %v, want %v", c.name, have, c.divided)
		}
		if c.word == "" {
			continue
		}
		file := filepath.Join(t.TempDir(), "book.pdf")
		if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if have, want := strings.Count(read(t, "pdftotext", file, "-"), c.word), strings.Count(c.content, c.word); have != want {
			t.Errorf("%s: pdftotext finds %q %d times, want %d", c.name, c.word, have, want)
		}
		letters := func(text string) string {
			return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }), "")
		}
		if tree := letters(read(t, "pdfinfo", "-struct-text", file)); strings.Count(tree, c.word) < strings.Count(c.content, c.word) {
			t.Errorf("%s: the structure has %q %d times, want %d", c.name, c.word, strings.Count(tree, c.word), strings.Count(c.content, c.word))
		}
	}
}
