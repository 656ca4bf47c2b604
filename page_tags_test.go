package octavo

import (
	"slices"
	"testing"
)

func TestTags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		front string
		want  []string
	}{
		{`{}`, nil},
		{`{"tags":["a","b","a",""]}`, []string{"a", "b"}},
		{`{"tags":"alpha, beta,"}`, []string{"alpha", "beta"}},
		{`{"tags":[2024,"v1.0",true,1.50,null,[]]}`, []string{"2024", "v1.0", "true", "1.50"}},
		{`{"tags":[{"label":"Getting started","permalink":"/x"},{"name":"n"},{"x":"y"},"plain"]}`, []string{"Getting started", "n", "plain"}},
		{`{"tags":["a, b"]}`, []string{"a, b"}},
		{`{"tags":2024}`, []string{"2024"}},
		{`{"Tags":["a"]}`, []string{"a"}},
		{`{"TAGS":["a"]}`, []string{"a"}},
		{`{"tags":["a"],"Tags":["b"]}`, []string{"a"}},
	} {
		if have := Tags([]byte(c.front)); !slices.Equal(have, c.want) {
			t.Errorf("Tags(%s): have %q, want %q", c.front, have, c.want)
		}
	}
}
