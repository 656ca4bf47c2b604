package sqldb

import (
	"strings"
	"testing"
)

func TestIndexed(t *testing.T) {
	long := strings.Repeat("\u00e4", maxIndexed)
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"tag", "tag"},
		{"a\x00b\xff", "a\uFFFDb\uFFFD"},
		{strings.Repeat("x", maxIndexed), strings.Repeat("x", maxIndexed)},
	} {
		if have := Indexed(test.text); have != test.want {
			t.Errorf("%q: have %q, want %q", test.text, have, test.want)
		}
	}
	if have := Indexed(long); len(have) > maxIndexed || have == Indexed(long+"x") || have != Indexed(long) {
		t.Errorf("a long text became %d bytes: %q", len(have), have)
	}
}

func TestListPlaces(t *testing.T) {
	for _, test := range []struct {
		items []string
		want  string
		args  string
	}{
		{nil, "($2)", "first,"},
		{[]string{"a"}, "($2)", "first,a"},
		{[]string{"a", "b", "c"}, "($2, $3, $4, $5)", "first,a,b,c,c"},
	} {
		a := Args{"first"}
		have := List(&a, test.items)
		var values []string
		for _, v := range a {
			values = append(values, v.(string))
		}
		if have != test.want || strings.Join(values, ",") != test.args {
			t.Errorf("%v: have %s with %v, want %s with %s", test.items, have, values, test.want, test.args)
		}
	}
}
