package pdf

import (
	"reflect"
	"strings"
	"testing"
)

// TestWords holds that no language lacks a word.
func TestWords(t *testing.T) {
	t.Parallel()
	for language, w := range translations {
		v := reflect.ValueOf(w)
		for i := range v.NumField() {
			if strings.TrimSpace(v.Field(i).String()) == "" {
				t.Errorf("%s: no word for %s", language, v.Type().Field(i).Name)
			}
		}
	}
	for tag, want := range map[string]string{"": "Contents", "xx": "Contents", "de": "Inhalt", "DE-at": "Inhalt", "zh-Hant": "目录"} {
		if have := wordsIn(tag).contents; have != want {
			t.Errorf("wordsIn(%q): have %q, want %q", tag, have, want)
		}
	}
	if have := wordsIn("fr").callout("caution?"); have != "Remarque" {
		t.Errorf("have %q, want Remarque", have)
	}
}
