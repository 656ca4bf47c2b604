package words

import (
	"iter"
	"unicode"
)

// LanguageOf returns the language of titles whose script tells it, and "" for
// all others.
func LanguageOf(titles iter.Seq[string]) string {
	var letters, han, kana, hangul, hebrew, thai, greek int
	for title := range titles {
		for _, r := range title {
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
