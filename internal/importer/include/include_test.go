package include

import (
	"testing"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		code bool
		want string
	}{
		{"<!--@include: x.md-->\n", false, "<!--@include: x.md-->"},
		{"![[x]]\n", false, "![[x]]"},
		{"![[x]]\n", true, ""},
		{"{{#include x.rs}}\n", true, "{{#include x.rs}}"},
		{"\\{{#include x.rs}} and `\\{{#playground x.rs}}`\n", false, ""},
		{"We write `{{#include x.rs}}`.\n", false, ""},
		{"Words {and} <others>.\n", false, ""},
	} {
		if have := of(c.line, c.code); have != c.want || have != "" && !may(c.line) {
			t.Errorf("%q, in code %t: have %q, want %q", c.line, c.code, have, c.want)
		}
	}
	if have := fetched("```js file=x.js\n"); have != "```js file=x.js" {
		t.Errorf("have %q", have)
	}
	if have := called("{{ read_csv('x') }}"); have != "read_csv" {
		t.Errorf("have %q", have)
	}
}
