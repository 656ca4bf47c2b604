package font

import (
	"strings"
	"testing"
)

// TestSigns holds that signs of common documentation are in the built-in fonts, in text as
// in code, and that a character may look like another.
func TestSigns(t *testing.T) {
	t.Parallel()
	set := NewSet(Builtin())
	for _, r := range "❶➀Ⓐ░▀╌⌀⚐♀〜Ⅼ" {
		for _, style := range []Style{0, Bold, Italic, Mono} {
			if f := set.Choose(r, style); f == nil || !f.has(r) {
				t.Errorf("no font of style %d has %q", style, r)
			}
		}
	}
	if missing := set.Missing(); len(missing) > 0 || set.Err() != nil {
		t.Errorf("have %q missing, %v", missing, set.Err())
	}
}

// TestExtents holds that no font makes lines much higher than the others, and none of signs any.
func TestExtents(t *testing.T) {
	t.Parallel()
	set := NewSet(Builtin())
	for _, r := range "aم⚐∀漢ก" {
		f := set.Choose(r, 0)
		if main := set.Main(0); f.ascent-f.descent > 1651 || f.ascent < 800 || f.descent > -100 || strings.ContainsRune("⚐∀", r) && (f.ascent != main.ascent || f.descent != main.descent) {
			t.Errorf("%q: have %d above and %d below the base line", r, f.ascent, f.descent)
		}
	}
}
