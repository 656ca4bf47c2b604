package site

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	t.Parallel()
	taken := names{indexFile: 2}
	for _, c := range []struct{ slug, want string }{
		{"getting-started", "getting-started.html"},
		{"Getting-Started", "getting-started-2.html"},
		{"index", "index-2.html"},
		{"../../etc/passwd", "etc-passwd.html"},
		{`..\..\windows`, "windows.html"},
		{"/", "page.html"},
		{"", "page-2.html"},
		{"..", "page-3.html"},
		{"con", "page-con.html"},
		{"aux.html", "page-aux.html.html"},
		{"a\x00b\nc", "a-b-c.html"},
		{"ünï", "n.html"},
		{"名前", "page-4.html"},
		{"a:b|c?d", "a-b-c-d.html"},
		{"site/site.css", "site-site.css.html"},
		{strings.Repeat("x", 500), strings.Repeat("x", maxName) + ".html"},
		{strings.Repeat("x", 501), strings.Repeat("x", maxName) + "-2.html"},
	} {
		if have := taken.pageFile(c.slug); have != c.want {
			t.Errorf("pageFile(%q): have %s, want %s", c.slug, have, c.want)
		}
	}
	for _, c := range []struct{ name, want string }{
		{"a.png", "assets/a.png"},
		{"b/../a.PNG", "assets/a-2.png"},
		{"../../x.tar.gz", "assets/x.tar.gz"},
		{`c:\d\e.svg`, "assets/e.svg"},
		{".htaccess", "assets/file.htaccess"},
		{"..", "assets/file"},
		{"x.", "assets/x"},
		{"y.p/h", "assets/h"},
		{"z.p\x00p", "assets/z"},
		{"Bild Übersicht 1.png", "assets/Bild-bersicht-1.png"},
		{"long.extension-of-nothing", "assets/long"},
		{"nul.txt", "assets/file-nul.txt"},
	} {
		if have := taken.assetFile(c.name); have != c.want {
			t.Errorf("assetFile(%q): have %s, want %s", c.name, have, c.want)
		}
	}
}

// TestManyTakenNames takes one name so often that looking for a free
// one from the beginning each time would not come to an end.
func TestManyTakenNames(t *testing.T) {
	t.Parallel()
	taken := names{}
	const many = 200_000
	seen := make(map[string]bool, many)
	for range many {
		name := taken.assetFile("Picture.png")
		if seen[name] {
			t.Fatalf("%s is given twice", name)
		}
		seen[name] = true
	}
}
