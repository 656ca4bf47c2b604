package analysis

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestScanPlainWords holds the quick way of plain words
// against the way of all others.
func TestScanPlainWords(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"a", "I", "word", "Word", "WORD", "iPad", "x1", "1", "2.5", strings.Repeat("long", 19), strings.Repeat("longer", 14), "É", "é", "e\u0301", "\u0301", "ß", "ı", "K",
		"计", "算", "ไ", "\u200d", "\u00ad", "'", "'s", "’s", "'S", "-", "--", "_", "__", ".", ":", "::", "#", "++", "C", "/", "*", "`", "|", "\"", "(", ")", " ", "\n", "\t", "\r", "\x00", ",", ";", "!", "?", "@", "[", "{", "<", "=", "~", "^", "&", "%", "$", "\\",
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		var b strings.Builder
		for range 1 + r.IntN(7) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		text := Clean(b.String())
		have, want := tokens((*Scanner).Scan, text), tokens((*Scanner).scanAllSlowly, text)
		if !slices.Equal(have, want) {
			t.Fatalf("Scan(%q):\nhave %s\nwant %s", text, have, want)
		}
	}
}

func (s *Scanner) scanAllSlowly(text string, pos int, emit func(Token)) int {
	s.text, s.pos, s.emit = text, pos, emit
	for i := 0; i < len(text); {
		switch c, width := classAt(text, i); c {
		case other, mark:
			i += width
		case dense:
			i = s.run(i)
		default:
			i = s.compound(i)
		}
	}
	return s.pos
}

// tokens lists the tokens of a text and where the next one would stand.
func tokens(scan func(*Scanner, string, int, func(Token)) int, text string) []string {
	var s Scanner
	var all []string
	end := scan(&s, text, 3, func(t Token) {
		all = append(all, fmt.Sprintf("%q %d %d+%d %d-%d", t.Text, t.Kind, t.Pos, t.Span, t.Start, t.End))
	})
	return append(all, fmt.Sprint(end))
}
