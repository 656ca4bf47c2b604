package literal

import (
	"fmt"
	"strings"
	"testing"
)

func TestLiteral(t *testing.T) {
	t.Parallel()
	values := map[string]any{"a": "x", "b": map[string]any{"c": []any{1.0}}}
	for _, c := range []struct {
		expression, want string
		ok               bool
	}{
		{`"a\"b\n\u0041\x42\u{43}"`, "a\"b\nABC", true},
		{"`t`", "t", true},
		{"`t${x}`", "", false},
		{" -1.5e3 ", "-1500", true},
		{"0x10", "16", true},
		{"1_000", "1000", true},
		{"[1, 'a', /* c */ true,]", "[1 a true]", true},
		{"{a: 1, 'b-c': [null], // d\n e: {}}", "map[a:1 b-c:[<nil>] e:map[]]", true},
		{"require('./a.png').default", "./a.png", true},
		{"[useBaseUrl( `/b.svg` ), require(\"c\")]", "[/b.svg c]", true},
		{"require(a)", "", false},
		{"require('a'", "", false},
		{"require(", "", false},
		{"require", "", false},
		{"a", "x", true},
		{"b.c", "[1]", true},
		{"b.d", "", false},
		{"a.c", "", false},
		{"a + 1", "", false},
		{"() => 1", "", false},
		{"<b/>", "", false},
		{"[1", "", false},
		{"{a}", "", false},
		{strings.Repeat("[", 100) + strings.Repeat("]", 100), "", false},
		{"Infinity", "", false},
		{"", "", false},
	} {
		value, ok := Value(c.expression, values)
		if ok != c.ok || ok && fmt.Sprint(value) != c.want {
			t.Errorf("Value(%q): have %v, %v, want %s, %v", c.expression, value, ok, c.want, c.ok)
		}
	}
}
