package frontmatter

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/octavo-docs/octavo"
)

func TestAppendYAML(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ json, want string }{
		{`{}`, "---\n{}\n---\n"},
		{`{"title":"Getting started","tags":["a","b: c"]}`, "---\ntitle: Getting started\ntags:\n  - a\n  - \"b: c\"\n---\n"},
		{`{"draft":true,"n":1.50,"x":null,"s":"true","d":"2026-01-01"}`, "---\ndraft: true\nn: 1.50\nx: null\ns: \"true\"\nd: \"2026-01-01\"\n---\n"},
		{`{"a":{"b":[{"c":1,"d":[]}],"e":{}}}`, "---\na:\n  b:\n    - c: 1\n      d: []\n  e: {}\n---\n"},
		{`{"":"","no":"no\n---\n","ü":" é "}`, "---\n\"\": \"\"\nno: \"no\\n---\\n\"\nü: \" é \"\n---\n"},
	} {
		v, err := octavo.ValueOf([]byte(c.json))
		if err != nil {
			t.Fatal(err)
		}
		if have := string(AppendYAML(nil, v)); have != c.want {
			t.Errorf("%s:\nhave %s\nwant %s", c.json, have, c.want)
		}
	}
}

// TestAppendYAMLReadsTheSame checks that written YAML decodes to the same value.
func TestAppendYAMLReadsTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := octavo.Object(octavo.Member{Name: "a", Value: values(3, false).Draw(t, "value")})
		text := AppendYAML(nil, v)
		raw, body, format, err := Split(append(text[:len(text):len(text)], "content"...))
		if err != nil || string(raw) != string(text) || string(body) != "content" || format != YAML {
			t.Fatalf("split %q: have %q, %q, %v, %v", text, raw, body, format, err)
		}
		have, err := Parse(raw, format)
		if want := v.AppendJSON(nil); err != nil || string(have) != string(want) {
			t.Fatalf("%q:\nhave %s (%v)\nwant %s", text, have, err, want)
		}
	})
}

// values makes values of every type; plain ones are those that TOML knows too.
func values(depth int, plain bool) *rapid.Generator[octavo.Value] {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"yes", "~", "- a", "a: b", "0x1f", "1_000", "#", "...", "\u0085", "\u2028", "😀", "\x7f", "a\n\n  b", "a \n# b\n", "2024-01-02", "it's", "a, b",
	}))
	return rapid.Custom(func(t *rapid.T) octavo.Value {
		kinds := 5
		if depth == 0 {
			kinds = 3
		}
		kind, number := rapid.IntRange(0, kinds).Draw(t, "kind"), `-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,5})?`
		if plain {
			kind, number = max(kind, 1), `0|-?[1-9][0-9]{0,15}`
		}
		switch kind {
		case 0:
			return octavo.Value{}
		case 1:
			return octavo.Value{Kind: octavo.KindBool, Bool: rapid.Bool().Draw(t, "bool")}
		case 2:
			return octavo.Value{Kind: octavo.KindNumber, Str: rapid.StringMatching(number).Draw(t, "number")}
		case 4:
			items := rapid.SliceOfN(values(depth-1, plain), 0, 3).Draw(t, "items")
			isObject := func(v octavo.Value) bool { return v.Kind == octavo.KindObject }
			if plain && slices.ContainsFunc(items, isObject) { // the TOML library drops what is beside them
				items = slices.DeleteFunc(items, func(v octavo.Value) bool { return !isObject(v) })
			}
			return octavo.Value{Kind: octavo.KindArray, Items: items}
		case 5:
			v := octavo.Value{Kind: octavo.KindObject}
			for _, name := range rapid.SliceOfNDistinct(text, 0, 3, func(s string) string { return s }).Draw(t, "names") {
				v.Members = append(v.Members, octavo.Member{Name: name, Value: values(depth-1, plain).Draw(t, "member")})
			}
			return v
		}
		return octavo.String(text.Draw(t, "text"))
	})
}
