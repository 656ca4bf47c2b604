package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document/element"
)

func TestHomePages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ front, want string }{
		{
			`{"layout": "home", "hero": {"name": "Tool", "text": "Does *it*", "tagline": "Fast", "actions": [{"text": "Start", "link": "/guide", "theme": "brand"}, {"text": "More", "link": "https://m.example"}]},
			  "features": [{"title": "Quick", "details": "Very <b>quick</b>.", "icon": "x"}, {"title": "Safe", "link": "/safe", "linkText": "How"}]}`,
			fmt.Sprintf("h1#tool(Tool) p(strong(Does em(it))) p(Fast) p(a</guide>(Start) · a<https://m.example>(More)) "+
				"@cards:%d(@card:%d“Quick”(p(Very <b>(quick).)) @card:%d“Safe”[href=/safe](p(a</safe>(How)))) h2#tool-1(Tool)", element.Cards, element.Card, element.Card),
		},
		{`{"template": "splash", "hero": {"tagline": "Fast", "actions": []}}`, "p(Fast) h2#tool(Tool)"},
		{`{"home": true, "heroText": "Tool", "tagline": "Fast", "actionText": "Go", "actionLink": "/a"}`, "h1#tool(Tool) p(Fast) p(a</a>(Go)) h2#tool-1(Tool)"},
		{`{"layout": "home", "hero": {"text": "Tool"}}`, "h1#tool(Tool) h2#tool-1(Tool)"},
		{`{"layout": "home", "hero": {"name": "A", "image": {"src": "/a.png", "alt": "B"}}}`, "h1#a(A) p(img</a.png>(B)) h2#tool(Tool)"},
		{`{"home": true, "heroImage": "/a.png"}`, "p(img</a.png>()) h2#tool(Tool)"},
		{`{"layout": "home", "hero": 1, "features": ["a", {"icon": "x"}]}`, "h2#tool(Tool)"},
		{`{"features": [{"title": "Not a home page"}], "hero": {"name": "x"}}`, "h2#tool(Tool)"},
		{`{"layout": "home", "hero": {"name": "<script>x</script>[a](javascript:b)\u0000"`, "h2#tool(Tool)"},
		{`["hero"]`, "h2#tool(Tool)"},
	} {
		d := Parse("## Tool", Options{Frontmatter: []byte(c.front)})
		if have := dump(d); have != c.want {
			t.Errorf("front matter %s\nhave %s\nwant %s", c.front, have, c.want)
		}
	}
	d := Parse("text", Options{Frontmatter: []byte(`{"layout": "home", "hero": {"name": "Tool"}, "features": [{"title": "Quick", "details": "Very quick."}]}`)})
	if have, text := dump(d), Beginning(d.Blocks, 100); !strings.HasPrefix(have, "h1#tool(Tool)") || text != "Tool\nQuick\nVery quick.\ntext" {
		t.Errorf("have %s, %q", have, text)
	}
}

func TestSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content string
		want    int
	}{
		{"# B\n\na", 0},
		{"&nbsp;\n\n# B", 1},
		{"![](a.png)\n\n# B", 1},
		{"c\n\n# B", -1},
		{"c\n\n# A", 1},
		{"## B", -1},
		{"## A", 0},
		{"## a", 0},
		{"c", -1},
		{"<div>\n\n# B\n\nc</div>", -2},
		{"<div>\n\nc\n\n# B\n</div>", -1},
	} {
		h, have := Parse(c.content, Options{}).Says("A")
		if h != nil && have < 0 {
			have = -2 // in an element
		}
		if have != c.want {
			t.Errorf("%q: have %d, want %d", c.content, have, c.want)
		}
	}
}

// TestDescriptions: GitBook shows the description of a page below its title.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ dialect, content, front, want string }{
		{"gitbook", "# A\n\nb", `{"description":"C *d*"}`, "h1#a(A) p(C *d*) p(b)"},
		{"gitbook", "b\n\n# A", `{"description":"C"}`, "p(C) p(b) h1#a(A)"},
		{"gitbook", "# A", `{"description":"C","layout":{"description":{"visible":false}}}`, "h1#a(A)"},
		{"gitbook", "# A", `{"description":["C"],"layout":1}`, "h1#a(A)"},
		{"hugo", "# A", `{"description":"C"}`, "h1#a(A)"},
	} {
		if have := dump(Parse(c.content, Options{Dialect: c.dialect, Frontmatter: []byte(c.front)})); have != c.want {
			t.Errorf("%s %q %s\nhave %s\nwant %s", c.dialect, c.content, c.front, have, c.want)
		}
	}
}
