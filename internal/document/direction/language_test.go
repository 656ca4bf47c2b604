package direction

import "testing"

func TestRightToLeft(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]bool{"": false, "en": false, "ar": true, "ar-EG": true, "he": true, "az-Arab-IR": true, "ur-Latn": false, "arn": false} {
		if have := RightToLeft(language); have != want {
			t.Errorf("RightToLeft(%s): have %v, want %v", language, have, want)
		}
	}
}
