package words

import (
	"iter"
	"strings"
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
		letters string // those of this language among others of its script
	}{
		{"ja", 10, []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana}, ""},
		{"ko", 4, []*unicode.RangeTable{unicode.Hangul}, ""},
		{"zh-Hant", 12, nil, "們個這說為學國來時對會後與開關發點實應設計組樣態輸環變數資級頁動導覽產單雙測試錯誤類條屬選項響綁監聽驗證網圖檔處訊習進階簡體號線構檢視讀寫連結儲務標題權識輯調專員節認聯繫規範陣歷報歸參啟裝過還從邊嗎"},
		{"zh", 4, []*unicode.RangeTable{unicode.Han}, ""},
		{"he", 2, []*unicode.RangeTable{unicode.Hebrew}, ""},
		{"th", 2, []*unicode.RangeTable{unicode.Thai}, ""},
		{"el", 2, []*unicode.RangeTable{unicode.Greek}, ""},
		{"km", 4, []*unicode.RangeTable{unicode.Khmer}, ""},
		{"lo", 4, []*unicode.RangeTable{unicode.Lao}, ""},
		{"my", 4, []*unicode.RangeTable{unicode.Myanmar}, ""},
		{"ckb", 10, nil, "ەێۆڕڵ"},
		{"ps", 20, nil, "ښځڅډړټې"},
		{"ur", 15, nil, "ٹڈڑںےہھ"},
		{"fa", 16, nil, "پچژگیک"},
		{"ar", 2, []*unicode.RangeTable{unicode.Arabic}, ""},
	}
	letters, found := 0, make([]int, len(languages))
	for title := range titles {
		for _, r := range title {
			if !unicode.IsLetter(r) {
				continue
			}
			letters++
			for i, l := range languages {
				if unicode.In(r, l.scripts...) || strings.ContainsRune(l.letters, r) {
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
