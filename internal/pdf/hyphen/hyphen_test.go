package hyphen

import (
	"strings"
	"testing"
)

// show returns a word with its places.
func show(p *Patterns, word string) string {
	var b strings.Builder
	letters, from := []rune(word), 0
	for _, at := range p.Breaks(letters) {
		b.WriteString(string(letters[from:at]) + "-")
		from = at
	}
	return b.String() + string(letters[from:])
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	library := NewLibrary()
	for _, c := range []struct{ language, want string }{
		{"en", "hyphen-ation"},
		{"en", "con-fig-u-ra-tion"},
		{"en-US", "doc-u-men-ta-tion"},
		{"en", "Kubernetes"},
		{"en", "camelCaseWords"},
		{"en", "asso-ciate"}, // an exception
		{"en", "present"},    // another
		{"en", "through"},
		{"en", "using"},      // too short for both ends
		{"en", "camel_case"}, // no word
		{"en", "HTTP2protocol"},
		{"en-GB", "con-fig-ur-a-tion"},
		{"en-GB", "pho-to-graph"},
		{"en-US", "pho-to-graph"},
		{"de", "Sil-ben-tren-nung"},
		{"de-AT", "Über-set-zung"},
		{"fr", "docu-men-ta-tion"},
		{"es", "docu-men-ta-ción"},
		{"it", "docu-men-ta-zione"},
		{"nl", "hand-lei-din-gen"},
		{"pl", "doku-men-ta-cja"},
		{"pt-BR", "docu-men-ta-ção"},
		{"da", "vej-led-ning"},
	} {
		if have := show(library.For(c.language), strings.ReplaceAll(c.want, "-", "")); have != c.want {
			t.Errorf("%s: have %q, want %q", c.language, have, c.want)
		}
	}
	for _, none := range []string{"", "zh", "ja-JP", "ar", "x"} {
		if library.For(none) != nil {
			t.Errorf("For(%q): have patterns, want none", none)
		}
	}
	if err := library.Err(); err != nil {
		t.Error(err)
	}
	if library.For("en") != library.For("en-CA") {
		t.Error("the patterns of a file were read twice")
	}
}

func BenchmarkPlaces(b *testing.B) {
	p, word := NewLibrary().For("en"), []rune("configuration")
	for b.Loop() {
		p.Breaks(word)
	}
}
