package book

import (
	"cmp"
	"context"
	"unicode"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// findLanguage finds the language of the book: that of its first page, or that
// which the letters of the titles tell. It is "" where neither does.
func (b *Book) findLanguage(ctx context.Context) error {
	if len(b.Pages) == 0 {
		return nil
	}
	key := pagestore.RevisionKey{Page: b.Pages[0].ID, Number: b.Pages[0].Revision}
	texts, _, err := b.maker.Pages.RevisionTexts(ctx, []pagestore.RevisionKey{key}, nil)
	if err == nil {
		b.Language = cmp.Or(octavo.Language(texts[0].Frontmatter), languageOf(b.Pages))
	}
	return err
}

// languageOf returns the language of titles whose script tells it, and "" for
// all others.
func languageOf(pages []*Page) string {
	var letters, han, kana, hangul, hebrew, thai, greek int
	for _, p := range pages {
		for _, r := range p.Title {
			switch {
			case !unicode.IsLetter(r):
				continue
			case unicode.Is(unicode.Han, r):
				han++
			case unicode.In(r, unicode.Hiragana, unicode.Katakana):
				kana++
			case unicode.Is(unicode.Hangul, r):
				hangul++
			case unicode.Is(unicode.Hebrew, r):
				hebrew++
			case unicode.Is(unicode.Thai, r):
				thai++
			case unicode.Is(unicode.Greek, r):
				greek++
			}
			letters++
		}
	}
	// A letter of these says as much as several of Latin, in which such titles
	// have the names of programs.
	switch {
	case letters == 0:
		return ""
	case kana*10 > letters:
		return "ja"
	case hangul*4 > letters:
		return "ko"
	case han*4 > letters:
		return "zh"
	case hebrew*2 > letters:
		return "he"
	case thai*2 > letters:
		return "th"
	case greek*2 > letters:
		return "el"
	}
	return ""
}
