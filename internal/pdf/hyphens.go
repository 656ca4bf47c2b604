package pdf

import (
	"cmp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/pdf/hyphen"
)

// hyphens returns the patterns by which words of a page are divided: those of
// its language. Where nobody says the language, the page passes for English, and
// is divided as such only if it is.
func (b *builder) hyphens(page Page) *hyphen.Patterns {
	if page.Language == "" && b.guessed && !looksEnglish(page.Document) {
		return nil
	}
	return b.library.For(cmp.Or(page.Language, b.book.Language))
}

// English text has the word "the" every hundred letters or so; that of other
// languages, with what they quote, far less often.
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
