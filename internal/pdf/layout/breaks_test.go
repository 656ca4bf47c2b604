package layout

import (
	"fmt"
	"testing"

	"github.com/go-text/typesetting/segmenter"
	"pgregory.net/rapid"
)

// TestUnicodeBreaks holds the places that are seen without the
// segmenter against those of the segmenter alone.
func TestUnicodeBreaks(t *testing.T) {
	t.Parallel()
	setter, all := typesetter(), segmenter.Segmenter{}
	// Letters, what may join and part them, and what has rules of its own.
	alphabet := []rune("abzAZ      ,.;:!?-–/()[]{}\"'“”«»%$€#@0129\n\u00a0\u00ad\u200b\u200d\u2060\u0301éßжשה日本語、。ー한กा\U0001F600\U0001F1E9\U0001F1EA\ufffc")
	piece := rapid.OneOf(
		rapid.Map(rapid.SampledFrom([]string{"word ", "and, ", "more. ", "x", "a; b ", "v1.2 ", "(see ", "that) ", "e.g. ", "C++ ", "\"so\" ", "re-use ", "12 kB "}), func(s string) []rune { return []rune(s) }),
		rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, 6),
	)
	rapid.Check(t, func(t *rapid.T) {
		var text []rune
		for range rapid.IntRange(0, 12).Draw(t, "pieces") {
			text = append(text, piece.Draw(t, "piece")...)
		}
		var have, want string
		setter.breaks(text, func(from, to int, must bool) { have += fmt.Sprintf("%q %t\n", string(text[from:to]), must) })
		all.Init(text)
		for next := all.LineIterator(); next.Next(); {
			segment := next.Line()
			end := segment.Offset + len(segment.Text)
			want += fmt.Sprintf("%q %t\n", string(text[segment.Offset:end]), segment.IsMandatoryBreak && end < len(text))
		}
		if have != want {
			t.Fatalf("%q\nhave\n%s\nwant\n%s", string(text), have, want)
		}
	})
}
