package words

import (
	"iter"
	"unicode"
)

// LanguageOf returns the language of titles if their script identifies it, else "".
func LanguageOf(titles iter.Seq[string]) string {
	// A letter of these counts as several Latin ones, since such titles contain names of
	// programs.
	languages := []struct {
		name    string
		weight  int
		scripts []*unicode.RangeTable
	}{
		{"ja", 10, []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana}},
		{"ko", 4, []*unicode.RangeTable{unicode.Hangul}},
		{"zh", 4, []*unicode.RangeTable{unicode.Han}},
		{"he", 2, []*unicode.RangeTable{unicode.Hebrew}},
		{"th", 2, []*unicode.RangeTable{unicode.Thai}},
		{"el", 2, []*unicode.RangeTable{unicode.Greek}},
	}
	letters, found := 0, make([]int, len(languages))
	for title := range titles {
		for _, r := range title {
			if !unicode.IsLetter(r) {
				continue
			}
			letters++
			for i, l := range languages {
				if unicode.In(r, l.scripts...) {
					found[i]++
				}
			}
		}
	}
	for i, l := range languages {
		if found[i]*l.weight > letters {
			return l.name
		}
	}
	return ""
}
