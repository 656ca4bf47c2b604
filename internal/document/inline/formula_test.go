package inline

import (
	"strings"
	"testing"
)

// What follows each text is *x*, which is emphasis outside of mathematics.
func TestFormula(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, maths string }{
		{"$a_{i}^*b*$", "$a_{i}^*b*$"},
		{"so $\\{x\\}$, and", "$\\{x\\}$"},
		{"$$a * b$$", "$$a * b$$"},
		{"($x$)", "$x$"},
		{"令$x_1$为", "$x_1$"},
		{"$a\\$b$", "$a\\$b$"},
		{"$2*x*y$", "$2*x*y$"},
		{"$2 x_1$", "$2 x_1$"},
		{"$a_1 +\nb_2$", "$a_1 +\nb_2$"},
		{"$a and\nb$", ""},
		{"$5 and $10", ""},
		{"$5-$10", ""},
		{"US$5 to US$ 6$", ""},
		{"$5 *a* and 6$", ""},
		{"$HOME/bin:$PATH", ""},
		{"${A}_${B}", ""},
		{"${A}$", ""},
		{"$ a$", ""},
		{"$a $", ""},
		{"$a\nb$", ""},
		{"$a `b$` c$", ""},
		{"\\$a$", ""},
		{"$$$a$$$", ""},
		{"$a$$", ""},
		{"$", ""},
	} {
		at := strings.IndexByte(test.text, '$')
		if strings.HasPrefix(test.text, "\\$") {
			at = 3 // the first is escaped
		}
		have := test.text[at : at+formula(test.text, at)]
		if strings.Trim(have, "$") == "" {
			have = ""
		}
		if have != test.maths {
			t.Errorf("formula in %q: have %q, want %q", test.text, have, test.maths)
		}
	}
}
