package element

import "testing"

// TestCalloutTitle checks that a callout keeps its name where that says more than its variant.
func TestCalloutTitle(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"note": "", "WARNING": "", "Caution": "", "important": "", "seealso": "See also",
		"EXAMPLE": "Example", "quote": "Quote", "best-practice": "Best practice", "Faq": "Faq",
		"NB": "NB", "only-desktop": "Only desktop", "ملحوظة": "ملحوظة",
	} {
		if have := CalloutTitle(written); have != want {
			t.Errorf("%q: have %q, want %q", written, have, want)
		}
	}
}
