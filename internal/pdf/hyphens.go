package pdf

import (
	"cmp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/pdf/hyphen"
)

// hyphens returns the hyphenation patterns for a page's language. A page of unknown language
// counts as English if it looks like English.
func (b *builder) hyphens(page Page) *hyphen.Patterns {
	if page.Language == "" && b.guessed && !looksEnglish(page.Document) {
		return nil
	}
	return b.library.For(cmp.Or(page.Language, b.book.Language))
}

// In English text about every hundredth letter begins the word "the"; in other languages far
// fewer do.
const (
	lettersForThe = 600
	lettersLooked = 6000
)

func looksEnglish(d *document.Document) bool {
	letters, articles := 0, 0
	d.Walk(func(n document.Node) bool {
		if text, ok := n.(*document.Text); ok && letters < lettersLooked {
			letters += len(text.Text)
			for word := range strings.FieldsSeq(text.Text) {
				if strings.EqualFold(word, "the") {
					articles++
				}
			}
		}
		return letters < lettersLooked
	})
	return articles*lettersForThe >= letters && articles > 0
}
