package markdown

import (
	"slices"
	"strings"
	"testing"
)

func TestReferencesOfRenderedPage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content string
		format  Format
		want    []string
	}{
		{"![a](img/a.png)", Format{}, []string{"img/a.png"}},
		{"![a](<img/with space.png> \"title\") and ![b][ref]\n\n[ref]: /b.svg", Format{}, []string{"img/with%20space.png", "/b.svg"}},
		{"[![in a link](c.png)](page.md)", Format{}, []string{"c.png"}},
		{"![outer ![inner](inner.png)](outer.png)", Format{}, []string{"outer.png"}},
		{"![a](a.png) ![again](a.png)", Format{}, []string{"a.png"}},
		{"`![code](no.png)`\n\n    ![code](no.png)\n\n<!-- ![comment](no.png) -->", Format{}, nil},
		{"<img src=\"a&amp;b.png\" srcset=\"a-1x.png 1x, a-2x.png 2x\">", Format{}, []string{"a&b.png", "a-1x.png", "a-2x.png"}},
		{"<video poster=p.jpg><source src='v.mp4'></video>\n\n<object data=\"o.pdf\"></object> <p data=\"no\">", Format{}, []string{"p.jpg", "v.mp4", "o.pdf"}},
		{"<Figure src=\"./f.png\" srcSet={'g.png 2x'} />", Format{MDX: true}, []string{"./f.png", "g.png"}},
		{"<Figure src={image} />", Format{MDX: true}, nil},
		{"![](data:image/png;base64," + strings.Repeat("A", maxShown) + ")", Format{}, nil},
		{"```{image} a.svg\n:width: 9px\n```\n\n:::{figure} b.png\nC\n:::", Format{Dialect: "myst"}, []string{"a.svg", "b.png"}},
		{`<table data-view="cards"><thead><tr><th data-hidden data-card-cover></th><th data-hidden data-card-cover-dark></th></tr></thead><tbody><tr><td><a href="a.png">a</a></td><td><a href="b.png">b</a></td></tr></tbody></table>`, Format{Dialect: "gitbook"}, []string{"a.png", "b.png"}},
		{"no reference", Format{}, nil},
	} {
		if _, have := References(c.content, c.format, nil); !slices.Equal(have, c.want) {
			t.Errorf("%v: %q\nhave %q\nwant %q", c.format, c.content, have, c.want)
		}
	}
}
