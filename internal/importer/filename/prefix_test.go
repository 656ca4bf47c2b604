package filename

import (
	"slices"
	"testing"
)

func TestPrefix(t *testing.T) {
	pages := map[string]bool{"a": true, "a/b": true, "c": true}
	for _, tt := range []struct {
		name  string
		links []string
		want  string
	}{
		{"two names", []string{"/docs/4.x/a", "/docs/4.x/a/b#x", "/docs/4.x/c/", "/docs/4.x/c.html", "/docs/4.x/a?b", "/blog/x", "/a"}, "/docs/4.x"},
		{"the most frequent", slices.Concat(slices.Repeat([]string{"/x/a"}, 5), slices.Repeat([]string{"/y/a"}, 6)), "/y"},
		{"few", slices.Repeat([]string{"/x/a"}, 4), ""},
		{"most lead to pages", slices.Concat(slices.Repeat([]string{"/x/a"}, 5), slices.Repeat([]string{"/c"}, 6)), ""},
		{"too long", slices.Repeat([]string{"/x/x/x/x/a"}, 5), ""},
		{"none", nil, ""},
	} {
		if have := Prefix(pages, tt.links); have != tt.want {
			t.Errorf("%s: have %q, want %q", tt.name, have, tt.want)
		}
	}
}
