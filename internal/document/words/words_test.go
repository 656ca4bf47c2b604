package words

import (
	"reflect"
	"strings"
	"testing"
)

// TestIn checks that no language lacks a word, or the place of what a word is
// about.
func TestIn(t *testing.T) {
	t.Parallel()
	want := reflect.ValueOf(In("en"))
	for _, language := range []string{"ar", "de", "en", "es", "fa", "fr", "he", "it", "ja", "ko", "nl", "pt", "ru", "th", "zh", "zh-Hant"} {
		have := reflect.ValueOf(In(language))
		for i := range have.NumField() {
			name, text := have.Type().Field(i).Name, have.Field(i).String()
			if places := strings.Count(want.Field(i).String(), "%s"); text == "" || strings.Count(text, "%s") != places {
				t.Errorf("%s: %s is %q, want a text with %d places", language, name, text, places)
			}
		}
	}
	for _, c := range []struct{ language, want string }{
		{"", "Note"}, {"xx", "Note"}, {"DE-at", "Hinweis"}, {"pt-BR", "Nota"}, {"zh-Hant", "說明"}, {"zh-tw", "說明"}, {"zh-HK", "說明"}, {"zh-CN", "说明"}, {"zh", "说明"}, {"zh-Hans-HK", "说明"},
	} {
		w := In(c.language)
		if have := w.Callout("note", ""); have != c.want {
			t.Errorf("In(%q): have %q, want %q", c.language, have, c.want)
		}
	}
	w := In("de")
	if have, want := w.Callout("info", "IMPORTANT")+w.Callout("warning", "caution")+w.Callout("warning", "attention"), "WichtigVorsichtWarnung"; have != want {
		t.Errorf("Callout: have %q, want %q", have, want)
	}
	if have, want := With(In("de").Pages, "7"), "7 Seiten"; have != want {
		t.Errorf("With: have %q, want %q", have, want)
	}
}
