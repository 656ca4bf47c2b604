package font

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestComposeWords checks that words which are put together from pairs are
// those that are shaped as a whole, with all that their faces remember of them.
func TestComposeWords(t *testing.T) {
	t.Parallel()
	for name, fonts := range map[string]Sources{"built in": Builtin(), "Go": sources()} {
		for style := range Style(styles) {
			t.Run(fmt.Sprint(name, " ", style), func(t *testing.T) {
				t.Parallel()
				together, whole := NewShaper(NewSet(fonts), "ca"), NewShaper(NewSet(fonts), "ca")
				random := rand.New(rand.NewPCG(uint64(style), 1))
				const all, often = 4000, "aeiouflijtTVAWyYL0fi1/.,-' "
				composed := 0
				for i := range all {
					text := make([]byte, 1+random.IntN(12))
					for at := range text {
						text[at] = byte(firstASCII + random.IntN(countASCII))
						if i%4 != 0 {
							text[at] = often[random.IntN(len(often))]
						}
					}
					word := string(text)
					if i%50 == 0 {
						word += "é"
					}
					have, want := together.Word(word, style, false), whole.shape(word, style, false)
					if fmt.Sprint(have.Text, have.Advance) != fmt.Sprint(want.Text, want.Advance) || !same(have, want) {
						t.Fatalf("%q: have %+v, want %+v", word, have, want)
					}
					if together.compose(word, style) != nil {
						composed++
					}
				}
				if len(together.set.faces) != len(whole.set.faces) || composed < all/3 {
					t.Errorf("have %d fonts, want %d; %d words of %d were composed", len(together.set.faces), len(whole.set.faces), composed, all)
				}
				for i, f := range together.set.faces {
					other := whole.set.faces[i]
					if f.source != other.source || !reflect.DeepEqual(f.used, other.used) || !reflect.DeepEqual(f.texts, other.texts) || !reflect.DeepEqual(f.advances, other.advances) {
						t.Errorf("%s remembers other glyphs than %s", f.source, other.source)
					}
				}
			})
		}
	}
}

// same reports whether two words have the same glyphs.
func same(a, b *Word) bool {
	if len(a.Runs) != len(b.Runs) {
		return false
	}
	for i, r := range a.Runs {
		other := b.Runs[i]
		if r.Face.source != other.Face.source || r.Thin != other.Thin || r.plain != other.plain || r.text != other.text || !reflect.DeepEqual(r.parts, other.parts) {
			return false
		}
	}
	return true
}
