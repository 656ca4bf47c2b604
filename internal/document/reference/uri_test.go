package reference

import "testing"

func TestURI(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ href, want string }{
		{"a b", "a%20b"},
		{"/ü/日本", "/%C3%BC/%E6%97%A5%E6%9C%AC"},
		{"100%", "100%25"},
		{"%41%zz%4", "%41%25zz%254"},
		{"a[1]#b#c", "a%5B1%5D#b%23c"},
		{"a|b\\c^d`e{f}\"g<h>", "a%7Cb%5Cc%5Ed%60e%7Bf%7D%22g%3Ch%3E"},
		{"x y:z", "x%20y%3Az"},
		{":a", "%3Aa"},
		{"./x:y", "./x:y"},
		{"mailto:a@b", "mailto:a@b"},
		{"http://[::1]:80/[x]", "http://[::1]:80/%5Bx%5D"},
		{"http://münchen.example/", "http://m%C3%BCnchen.example/"},
		{"//host/x", "//host/x"},
		{" a\n", "a"},
		{"\xff", "%EF%BF%BD"},
		{"http://[::1", ""},
		{"http://a:b/", ""},
		{"http://a b/", ""},
		{"  ", ""},
	} {
		have, ok := URI(c.href)
		if ok != (c.want != "") || ok && have != c.want {
			t.Errorf("URI(%q): have %q, %v, want %q", c.href, have, ok, c.want)
		}
	}
}

// TestOn: addresses on embedded pages stay so, and no text has one.
func TestOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ written, page, want string }{
		{On("page_1", "a b.md"), "page_1", "a%20b.md"},
		{On("page_1", "https://a.example/"), "page_1", "https://a.example/"},
		{On("page_1", On("page_2", "#x")), "page_2", "#x"},
		{On("page_1", "mailto:a@b"), "", "mailto:a@b"},
		{On("page_1", "javascript:x"), "", ""},
		{onPage + "page_1:javascript:x", "page_1", ""},
		{"page:page_1:a.md", "", ""},
		{"\u00ffpage:page_1:a.md", "", ""},
		{"%ffpage:page_1:a.md", "", ""},
	} {
		to, ok := Safe(c.written)
		page, here := Off(to)
		if ok != (c.want != "") || ok && (page != c.page || here != c.want) {
			t.Errorf("Safe(%q): have %q on %q, %v, want %q on %q", c.written, here, page, ok, c.want, c.page)
		}
	}
}
