package frontmatter

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/octavo-docs/octavo"
)

func TestMerge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, base, present, proposed, merged, edits, conflicts string }{
		{"nothing", ``, `null`, `{}`, `{}`, ``, `[]`},
		{"nobody", `{"a":1}`, `{"a":1}`, `{"a":1}`, `{"a":1}`, ``, `[]`},
		{"each another key", `{"a":1,"b":1}`, `{"b":2,"a":1}`, `{"a":3,"b":1}`, `{"b":2,"a":3}`, `a=3 `, `[]`},
		{"both the same", `{"a":1}`, `{"a":2,"n":1}`, `{"n":1,"a":2}`, `{"a":2,"n":1}`, ``, `[]`},
		{"both something else", `{"a":1}`, `{"a":2}`, `{"a":3,"z":0,"y":0}`, `{"a":2,"z":0,"y":0}`, `z=0 y=0 `, `[a]`},
		{"a key goes", `{"a":1,"b":1,"c":1}`, `{"a":1,"b":1}`, `{"b":1,"c":1}`, `{"b":1}`, `a= `, `[]`},
		{"a key goes and changes", `{"a":1,"b":1}`, `{"b":2}`, `{"a":2}`, `{"b":2}`, ``, `[b a]`},
		{"both add a key", `{}`, `{"a":1}`, `{"b":2,"a":[]}`, `{"a":1,"b":2}`, `b=2 `, `[a]`},
		{"the order of members", `{"a":{"x":1,"y":[{"p":1,"q":2}]}}`, `{"a":{"y":[{"q":2,"p":1}],"x":1}}`, `{"a":1}`, `{"a":1}`, `a=1 `, `[]`},
		{"the order of a list", `{"a":[1,2]}`, `{"a":[2,1]}`, `{"a":[1]}`, `{"a":[2,1]}`, ``, `[a]`},
		{"digits", `{"a":1}`, `{"a":1.0}`, `{"a":2}`, `{"a":1.0}`, ``, `[a]`},
		{"null is a value", `{"a":null}`, `{"a":null}`, `{}`, `{}`, `a= `, `[]`},
		{"to null", `{}`, `{}`, `{"a":null}`, `{"a":null}`, `a=null `, `[]`},
		{"text is no number", `{"a":"1"}`, `{"a":1}`, `{"a":"1"}`, `{"a":1}`, ``, `[]`},
	} {
		merged, edits, conflicts, err := Merge(json.RawMessage(c.base), json.RawMessage(c.present), json.RawMessage(c.proposed))
		made := ""
		for _, e := range edits {
			made += fmt.Sprintf("%s=%s ", e.Key, e.Value)
		}
		if err != nil || string(merged) != c.merged || made != c.edits || fmt.Sprint(conflicts) != c.conflicts {
			t.Errorf("%s: have %s, edits %q, conflicts %v, %v; want %s, %q, %s", c.name, merged, made, conflicts, err, c.merged, c.edits, c.conflicts)
		}
	}
	for _, bad := range []string{`[]`, `{`, `"a"`} {
		if _, _, _, err := Merge(nil, json.RawMessage(bad), nil); err == nil {
			t.Errorf("%s: have no error", bad)
		}
	}
}

// TestMergeIsApplied holds that edits make what is merged of the present bytes, that
// the sides may be exchanged, and that one side alone wins.
func TestMergeIsApplied(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var texts [3]json.RawMessage
		for i := range texts {
			v := octavo.Object()
			for _, key := range rapid.Permutation([]string{"a", "b", "c", "d"}).Draw(t, "keys") {
				if n := rapid.IntRange(0, 3).Draw(t, "value"); n > 0 {
					v.Members = append(v.Members, octavo.Member{Name: key, Value: octavo.String(fmt.Sprint("v", n))})
				}
			}
			texts[i] = v.AppendJSON(nil)
		}
		merged, edits, conflicts, err := Merge(texts[0], texts[1], texts[2])
		if err != nil {
			t.Fatal(err)
		}
		present, _ := octavo.ValueOf(texts[1])
		raw, err := Apply(AppendYAML(nil, present), YAML, edits)
		if err != nil {
			t.Fatal(err)
		}
		if have, err := Parse(raw, YAML); err != nil || string(have) != string(merged) {
			t.Fatalf("%s of %s by %v: have %s, %v", merged, texts[1], edits, have, err)
		}
		if _, _, other, _ := Merge(texts[0], texts[2], texts[1]); !slices.Equal(slices.Sorted(slices.Values(conflicts)), slices.Sorted(slices.Values(other))) {
			t.Fatalf("conflicts %v, the other way %v", conflicts, other)
		}
		if same, none, _, _ := Merge(texts[0], texts[1], texts[0]); string(same) != string(texts[1]) || len(none) > 0 {
			t.Fatalf("nothing proposed: have %s, %v", same, none)
		}
	})
}
