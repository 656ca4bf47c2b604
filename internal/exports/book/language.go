package book

import (
	"cmp"
	"context"
	"iter"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// findLanguage finds the language of the book: that of its first page, or
// else by the letters of the titles. It is "" if neither works.
func (b *Book) findLanguage(ctx context.Context) error {
	if len(b.Pages) == 0 {
		return nil
	}
	key := pagestore.RevisionKey{Page: b.Pages[0].ID, Number: b.Pages[0].Revision}
	texts, _, err := b.maker.Pages.RevisionTexts(ctx, []pagestore.RevisionKey{key}, nil)
	if err == nil {
		b.Language = cmp.Or(octavo.PageLanguage(texts[0].Frontmatter, b.Pages[0].Language), words.LanguageOf(titles(b.Pages)))
	}
	return err
}

// titles are those of some pages.
func titles(pages []*Page) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range pages {
			if !yield(p.Title) {
				return
			}
		}
	}
}
