package lexicon

import (
	"strings"
	"testing"
	"unicode"
)

// TestPlaces holds where text is divided: between words, and not within what is
// shown as one.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for _, want := range []string{
		"มหาวิทยาลัย|มหาวิทยาลัย|มหาวิทยาลัย",
		"การ|ติด|ตั้ง|โปรแกรม|บน|เครื่อง|คอมพิวเตอร์",
		"ภาษา|ไทย abc ภาษา|ไทย",
		"ซฺ๊กฺต", // no word of any
		"ព្រះរាជាណាចក្រ|កម្ពុជា",
		"សៀវភៅ|ថ្មី",
		"សៀវភៅ៖|ថ្មី៘", "សៀវភៅ៚", "ភាសាខ្មែរ។|ភាសាខ្មែរ", "ภาษา|ไทย๛", "เครื่องๆ|บน", "ພາສາໆ|ລາວ", "မြန်မာ။", // signs behind words
		"ພາສາ|ລາວ",
		"မြန်မာ|စကားပြော",
		"plain words", "日本語", "",
	} {
		text := []rune(strings.ReplaceAll(want, "|", ""))
		var have strings.Builder
		from := 0
		for _, to := range Breaks(text) {
			have.WriteString(string(text[from:to]) + "|")
			from = to
		}
		have.WriteString(string(text[from:]))
		if have.String() != want {
			t.Errorf("have %s, want %s", have.String(), want)
		}
	}
}

// TestBounds checks that every list is in order and that long text takes little
// time.
func TestBounds(t *testing.T) {
	t.Parallel()
	for _, l := range lexicons {
		words := l.words()
		for i, w := range words[1:] {
			if words[i] >= w || !unicode.Is(l.script, []rune(w)[0]) {
				t.Fatalf("%q does not follow %q", w, words[i])
			}
		}
	}
	text := []rune(strings.Repeat("กกาาเเ", 50_000))
	for _, at := range Breaks(text) {
		if at <= 0 || at >= len(text) {
			t.Fatalf("have %d", at)
		}
	}
}
