package frontmatter

import "testing"

func TestSplitMeta(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, raw, front string }{
		{"Title:   One\nAuthors: A B\n         C D\n\nText: more", "Title:   One\nAuthors: A B\n         C D\n\n", `{"title":"One","authors":"A B C D"}`},
		{"\uFEFFTitle: One\r\n\r\nText", "\uFEFFTitle: One\r\n\r\n", `{"title":"One"}`},
		{"draft: true\nText", "draft: true\n", `{"draft":"true"}`},
		{"A: 1\nA: 2\n", "A: 1\nA: 2\n", `{"a":"1"}`},
		{"Text\nTitle: One\n", "", ""},
		{"\nTitle: One\n", "", ""},
		{"Two words: x\n", "", ""},
		{"# Title: x\n", "", ""},
		{"    code: x\n", "", ""},
		{"", "", ""},
	} {
		raw, body, front := SplitMeta([]byte(c.file))
		if string(raw) != c.raw || string(front) != c.front || string(raw)+string(body) != c.file {
			t.Errorf("SplitMeta(%q): have %q, %q and %s; want %q and %s", c.file, raw, body, front, c.raw, c.front)
		}
	}
}
