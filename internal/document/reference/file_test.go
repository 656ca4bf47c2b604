package reference

import (
	"fmt"
	"strings"
	"testing"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ href, source, want string }{
		{"img/a.png", "docs/guide/x.md", "docs/guide/img/a.png, docs/guide/x/img/a.png, docs/img/a.png, img/a.png"},
		{"./a.png?v=1#x", "docs/guide/index.md", "docs/guide/a.png"},
		{"../img/a%20b.png", "docs/x.md", "docs/img/a b.png, img/a b.png"},
		{`..%5Cimg%5Ca.png`, "docs/index.md", "img/a.png"},
		{"/img/a.png", "x.md", "img/a.png, static/img/a.png, public/img/a.png, .vuepress/public/img/a.png, website/static/img/a.png, assets/img/a.png"},
		{"https://docs.example/img/a.png", "", "img/a.png, static/img/a.png, public/img/a.png, .vuepress/public/img/a.png, website/static/img/a.png, assets/img/a.png"},
		{"@site/static/a.png", "website/docs/x.md", "website/docs/static/a.png, website/static/a.png, static/a.png"},
		{"/docs/video/a.mp4", "x.md", "docs/video/a.mp4, static/docs/video/a.mp4, public/docs/video/a.mp4, .vuepress/public/docs/video/a.mp4, website/static/docs/video/a.mp4, assets/docs/video/a.mp4, video/a.mp4, static/video/a.mp4, public/video/a.mp4"},
		{"pathname://./a.pdf", "docs/index.md", "docs/a.pdf"},
		{"../../../a.png", "docs/x.md", "a.png"},
		{"a.png", "", "a.png"},
		{"a.png", "content/b.md", "content/a.png, content/b/a.png, a.png, assets/a.png"},
		{"./a.*", "", "a.png, a-featured.png, a.jpg, a-featured.jpg, a.jpeg, a-featured.jpeg, a.svg, a-featured.svg, a.gif, a-featured.gif, a.webp, a-featured.webp"},
		// names of files are in one form or the other
		{"./%C3%A9.png", "", "\u00e9.png, e\u0301.png"},
		{"./e%CC%81.png", "", "e\u0301.png, \u00e9.png"},
		// no files of ours
		{"https://elsewhere.example/a.png", "x.md", ""},
		{"//elsewhere.example/a.png", "x.md", ""},
		{"data:image/png;base64,AAAA", "x.md", ""},
		{"other.md", "x.md", ""},
		{"folder/", "x.md", ""},
		{"#part", "x.md", ""},
		{"%zz.png", "x.md", ""},
	} {
		if have := strings.Join(Files(c.href, c.source, "https://docs.example"), ", "); have != c.want {
			t.Errorf("Files(%q, %q)\nhave %q\nwant %q", c.href, c.source, have, c.want)
		}
	}
	// A folder may serve files at the root, wherever the site lies in the tree.
	for source, file := range map[string]string{"website/docs/a.md": "website/static/img/x.png", "docs/guide/a.md": "docs/public/img/x.png", "docs/a.md": "website/static/img/x.png"} {
		if have := Files("/img/x.png", source, ""); !strings.Contains(strings.Join(have, " ")+" ", file+" ") {
			t.Errorf("in %s /img/x.png is none of %q, want %s", source, have, file)
		}
	}
}

func TestAnchors(t *testing.T) {
	t.Parallel()
	a := NewAnchors([]Anchor{{Name: "whats-new"}, {Name: "setup"}, {Name: "setup-1"}, {Name: "größe"}, {Name: "日本語"}, {Name: "Set-up"}, {Name: "1-one"}})
	for fragment, want := range map[string]string{
		"whats-new": "whats-new", "what-s-new": "whats-new", "What's New": "whats-new", "setup_1": "setup-1", "SetUp": "setup", "Set-up": "Set-up",
		"Große": "größe", "日本-語": "日本語", "": "", "top": "top", ":~:text=x": ":~:text=x", "none": "", "---": "", "id-1.-one": "1-one",
	} {
		if have := a.Find(fragment); have != want {
			t.Errorf("%q: have %q, want %q", fragment, have, want)
		}
	}
	a = NewAnchors([]Anchor{{"One", "A b", true}, {Name: "two", Label: true}, {"three", "C", false}, {"one", "D", true}})
	a.Add(NewAnchors([]Anchor{{Name: "", Label: true}, {"Five", "E", true}}))
	if have, want := fmt.Sprint(a.Labels(), a.Title("One"), a.Title("two"), a.Title("three"), a.Title("Five")), "[///one ///two ///five]A bCE"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
}
