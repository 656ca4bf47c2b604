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
	for _, c := range []struct {
		name, base, present, proposed, merged string
		other                                 bool
		conflicts                             string
	}{
		{"nothing", ``, `null`, `{}`, `{}`, false, `[]`},
		{"nobody", `{"a":1}`, `{"a":1}`, `{"a":1}`, `{"a":1}`, false, `[]`},
		{"each another key", `{"a":1,"b":1}`, `{"b":2,"a":1}`, `{"a":3,"b":1}`, `{"b":2,"a":3}`, true, `[]`},
		{"both the same", `{"a":1}`, `{"a":2,"n":1}`, `{"n":1,"a":2}`, `{"a":2,"n":1}`, false, `[]`},
		{"both something else", `{"a":1}`, `{"a":2}`, `{"a":3,"z":0,"y":0}`, `{"a":2,"z":0,"y":0}`, true, `[a]`},
		{"a key goes", `{"a":1,"b":1,"c":1}`, `{"a":1,"b":1}`, `{"b":1,"c":1}`, `{"b":1}`, true, `[]`},
		{"a key goes and changes", `{"a":1,"b":1}`, `{"b":2}`, `{"a":2}`, `{"b":2}`, false, `[b a]`},
		{"both add a key", `{}`, `{"a":1}`, `{"b":2,"a":[]}`, `{"a":1,"b":2}`, true, `[a]`},
		{"the order of members", `{"a":{"x":1,"y":[{"p":1,"q":2}]}}`, `{"a":{"y":[{"q":2,"p":1}],"x":1}}`, `{"a":1}`, `{"a":1}`, true, `[]`},
		{"the order of a list", `{"a":[1,2]}`, `{"a":[2,1]}`, `{"a":[1]}`, `{"a":[2,1]}`, false, `[a]`},
		{"digits", `{"a":1}`, `{"a":1.0}`, `{"a":2}`, `{"a":1.0}`, false, `[a]`},
		{"null is a value", `{"a":null}`, `{"a":null}`, `{}`, `{}`, true, `[]`},
		{"to null", `{}`, `{}`, `{"a":null}`, `{"a":null}`, true, `[]`},
		{"text is no number", `{"a":"1"}`, `{"a":1}`, `{"a":"1"}`, `{"a":1}`, false, `[]`},
	} {
		merged, other, conflicts, err := Merge(json.RawMessage(c.base), json.RawMessage(c.present), json.RawMessage(c.proposed))
		if err != nil || string(merged) != c.merged || other != c.other || fmt.Sprint(conflicts) != c.conflicts {
			t.Errorf("%s: have %s, %t, conflicts %v, %v; want %s, %t, %s", c.name, merged, other, conflicts, err, c.merged, c.other, c.conflicts)
		}
	}
	for _, bad := range []string{`[]`, `{`, `"a"`} {
		if _, _, _, err := Merge(nil, json.RawMessage(bad), nil); err == nil {
			t.Errorf("%s: have no error", bad)
		}
	}
}

// TestMergeApplied checks that the result is applied to the present text, that the sides
// can be exchanged, and that a change on one side wins.
func TestMergeApplied(t *testing.T) {
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
		merged, _, conflicts, err := Merge(texts[0], texts[1], texts[2])
		if err != nil {
			t.Fatal(err)
		}
		present, _ := octavo.ValueOf(texts[1])
		raw, ok := Rewrite(AppendYAML(nil, present), YAML, merged)
		if !ok && string(texts[1]) == "{}" { // it has no line to put a key behind
			return
		}
		if !ok {
			t.Fatalf("%s of %s: it cannot be rewritten", merged, texts[1])
		}
		if have, ok := readAll(raw, YAML); !ok || string(have.AppendJSON(nil)) != string(merged) {
			t.Fatalf("%s of %s: have %s", merged, texts[1], raw)
		}
		if _, _, other, _ := Merge(texts[0], texts[2], texts[1]); !slices.Equal(slices.Sorted(slices.Values(conflicts)), slices.Sorted(slices.Values(other))) {
			t.Fatalf("conflicts %v, the other way %v", conflicts, other)
		}
		if same, none, _, _ := Merge(texts[0], texts[1], texts[0]); string(same) != string(texts[1]) || none {
			t.Fatalf("nothing proposed: have %s, %v", same, none)
		}
	})
}
