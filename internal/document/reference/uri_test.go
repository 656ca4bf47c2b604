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
