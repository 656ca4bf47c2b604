package analysis

import (
	"testing"
	"unicode"
)

// TestCommon: what is said of the common characters without asking is what the
// tables say of each.
func TestCommon(t *testing.T) {
	t.Parallel()
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if common(r) && (!unicode.IsLetter(r) || !spaceless(r) || unicode.IsMark(r) || unicode.Is(unicode.Cf, r)) {
			t.Fatalf("%U is not as most are", r)
		}
	}
}
