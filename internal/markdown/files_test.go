package markdown

import (
	"slices"
	"strings"
	"testing"
)

func TestReferencesToWhatIsShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content string
		format  Format
		want    []string
	}{
		{"![a](img/a.png)", Markdown, []string{"img/a.png"}},
		{"![a](<img/with space.png> \"title\") and ![b][ref]\n\n[ref]: /b.svg", Markdown, []string{"img/with%20space.png", "/b.svg"}},
		{"[![in a link](c.png)](page.md)", Markdown, []string{"c.png"}},
		{"![outer ![inner](inner.png)](outer.png)", Markdown, []string{"outer.png"}},
		{"![a](a.png) ![again](a.png)", Markdown, []string{"a.png"}},
		{"`![code](no.png)`\n\n    ![code](no.png)\n\n<!-- ![comment](no.png) -->", Markdown, nil},
		{"<img src=\"a&amp;b.png\" srcset=\"a-1x.png 1x, a-2x.png 2x\">", Markdown, []string{"a&b.png", "a-1x.png", "a-2x.png"}},
		{"<video poster=p.jpg><source src='v.mp4'></video>\n\n<object data=\"o.pdf\"></object> <p data=\"no\">", Markdown, []string{"p.jpg", "v.mp4", "o.pdf"}},
		{"<Figure src=\"./f.png\" srcSet={'g.png 2x'} />", MDX, []string{"./f.png", "g.png"}},
		{"<Figure src={image} />", MDX, nil},
		{"![](data:image/png;base64," + strings.Repeat("A", maxShown) + ")", Markdown, nil},
		{"no reference", Markdown, nil},
	} {
		if _, have := References(c.content, c.format); !slices.Equal(have, c.want) {
			t.Errorf("%v: %q\nhave %q\nwant %q", c.format, c.content, have, c.want)
		}
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		href, source string
		want         []string
	}{
		{"img/a.png", "docs/guide/x.md", []string{"docs/guide/img/a.png", "docs/guide/x/img/a.png"}},
		{"./a.png?v=1#x", "docs/guide/index.md", []string{"docs/guide/a.png"}},
		{"../img/a%20b.png", "docs/x.md", []string{"docs/img/a b.png", "img/a b.png"}},
		{"/img/a.png", "docs/x.md", []string{"img/a.png", "static/img/a.png", "public/img/a.png"}},
		{"https://docs.example/img/a.png", "", []string{"img/a.png", "static/img/a.png", "public/img/a.png"}},
		{"../../../a.png", "docs/x.md", []string{"a.png"}},
		{"a.png", "", []string{"a.png"}},
		{"https://elsewhere.example/a.png", "x.md", nil},
		{"//elsewhere.example/a.png", "x.md", nil},
		{"data:image/png;base64,AAAA", "x.md", nil},
		{"other.md", "x.md", nil},
		{"folder/", "x.md", nil},
		{"#part", "x.md", nil},
		{"%zz.png", "x.md", nil},
	} {
		if have := Files(c.href, c.source, "https://docs.example"); !slices.Equal(have, c.want) {
			t.Errorf("Files(%q, %q)\nhave %q\nwant %q", c.href, c.source, have, c.want)
		}
	}
}
