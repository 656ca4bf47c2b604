package markdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// show writes links as href|label, one after the other.
func show(links []Link) string {
	var parts []string
	for _, l := range links {
		parts = append(parts, l.Href+"|"+l.Label)
	}
	return strings.Join(parts, " ; ")
}

type linkCase struct{ content, want string }

func checkLinks(t *testing.T, format Format, cases []linkCase) {
	t.Helper()
	for _, c := range cases {
		if have := show(Links(c.content, format)); have != c.want {
			t.Errorf("Links(%q, %v)\nhave %s\nwant %s", c.content, format, have, c.want)
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	checkLinks(t, Format{}, []linkCase{
		{"", ""},
		{"plain text", ""},
		// inline
		{"[a](b)", "b|a"},
		{"[a *b* `c` **d**](x \"title\") and [e](<y z>)", "x|a b c d ; y%20z|e"},
		{"[ two\n  lines ](x)", "x|two lines"},
		{"[](x)", "x|"},
		{"[a]()", ""},
		{"[a\\]b](x\\)y) [&amp;](?a=1&amp;b=2)", "x)y|a]b ; ?a=1&b=2|&"},
		{"[a](b(c)d) [e](f(g) [h] (i)", "b(c)d|a"},
		{"[out [in](x)](y)", "x|in"},
		{"[a](b 'c' d) [a](b\n'c')", "b|a"},
		{"~~[a](b)~~ ***[c](d)*** _[e](f)_", "b|a ; d|c ; f|e"},
		{"\\[a](b) !\\[c](d) \\![e](f)", "f|e"},
		// references
		{"[a][x], [x][], [X] and [y]\n\n[x]: /u 'title'\n[y]: <v w>\n", "/u|a ; /u|x ; /u|X ; v%20w|y"},
		{"[none] [none][] [a][none]", ""},
		{"> [x]: /in-quote\n\n[x]", "/in-quote|x"},
		{"[ẞ]\n\n[SS]: /u", "/u|ẞ"},
		{"[a]: /first\n[a]: /second\n\n[a]", "/first|a"},
		{"text\n[a]: /no-definition\n\n[a]", ""},
		// images
		{"![a](i.png)", ""},
		{"[![alt *text*](i.png) more](x)", "x|alt text more"},
		{"![[a](b)](c)", ""},
		// addresses
		{"<https://a.example/x?y> <a@b.example> <mailto:c@d.example>", "https://a.example/x?y|https://a.example/x?y ; mailto:a@b.example|a@b.example ; mailto:c@d.example|mailto:c@d.example"},
		{"See https://a.example/x_y_z). (http://b.example/(c)) www.d.example, e@f.example.", "https://a.example/x_y_z|https://a.example/x_y_z ; http://b.example/(c)|http://b.example/(c) ; http://www.d.example|www.d.example ; mailto:e@f.example|e@f.example"},
		{"*https://a.example* xhttps://no 见https://b.example。", "https://a.example|https://a.example ; https://b.example|https://b.example"},
		{"[https://a.example](b) [https://c.example]", "b|https://a.example ; https://c.example|https://c.example"},
		{"a://b c:/d http:// www. @ a@b", ""},
		// blocks
		{"# [a](b)\n\n[c](d)\n=\n\n- [e](f)\n  1. [g](h)\n\n> [i](j)\nlazy [k](l)", "b|a ; d|c ; f|e ; h|g ; j|i ; l|k"},
		{"| a | [b](c) |\n|---|:-:|\n| [d\\|e](f) | `\\|` [g](h) | [dropped](x) |\n\n[i](j)", "c|b ; f|d|e ; h|g ; j|i"},
		{"a[^1] and [^no](x)\n\n[^1]: see [b](c)\n\n    and [d](e)\n", "x|^no ; c|b ; e|d"},
		// neither in code nor in comments
		{"`[a](b)` ``[c](d) ` `` \n\n    [e](f)\n\n```\n[g](h)\n```\n~~~ x\nhttps://i.example\n", ""},
		{"- a\n\n      [b](c)\n\n  ```\n  [d](e)\n  ```\n", ""},
		{"<!-- [a](b) --> x <!-- [c](d)\n--> [e](f)", "f|e"},
		{"x <!-- [a](b) --> <?php [c](d) ?> [e](f)", "f|e"},
		// HTML
		{"x <a class=\"y\" href=\"/b?c&amp;d\">*the* `e` <b>f</b></a> g", "/b?c&d|the e f"},
		{"<div>\n<A HREF='b'>c &amp; <img src=i alt=\"d e\"></A>\n</div>", "b|c & d e"},
		{"<a href=\"b\">\n\n[c](d)\n\n</a>\n\ntext", "b|c ; d|c"},
		{"<a href=b>never closed\n\ntext", "b|never closed"},
		{"<a name=b>c</a> <a href>d</a>", ""},
		{"<script>\nx = '<a href=\"b\">c</a>'\n</script>\n<a href=\"d\">e</a>\n", "d|e"},
		{"<style>a{}</style>\n<a href=\"d\">e</a>\n", "d|e"},
		{"<Card href=\"b\">c</Card> <Foo href=\"d\">", "b|c"},
		// each pair once
		{"[a](b) [a](b) [c](b) [a](d) [a](b)", "b|a ; b|c ; d|a"},
		{"\uFEFF[a](b)\r\n\r\n[c](d)\r[e](f)", "b|a ; d|c ; f|e"},
		{"[a]({{< relref \"c d.md#e\" >}}#f) [g]({{% ref h %}})", "%7B%7B%3C%20relref%20%22c%20d.md#e%22%20%3E%7D%7D%23f|a ; %7B%7B%25%20ref%20h%20%25%7D%7D|g"},
	})
}

func TestLinksOfMDX(t *testing.T) {
	t.Parallel()
	checkLinks(t, Format{MDX: true}, []linkCase{
		{"import A from './a'\nimport {B} from \"b\"\n\nexport const c = {\n  d: '[e](f)',\n\n  g: [1],\n}\n\n[h](i)", "i|h"},
		{"import the [package](p) first", "p|package"},
		{"import 'x'\n\nexport const broken = {\n\n[a](b)", "b|a"},
		{"<Note>\n[a](b)\n</Note>", "b|a"},
		{"<Note>\n    [a](b)\n\n    ```js\n    [no](no)\n    ```\n    - [c](d)\n</Note>", "b|a ; d|c"},
		{"<Note>see [a](b)\nand [c](d)</Note>", "b|a ; d|c"},
		{"<Tabs>\n  <Tab title=\"x\">\n    [a](b)\n  </Tab><Tab title=\"y\">\n    [c](d)\n  </Tab>\n</Tabs>", "b|a ; d|c"},
		{"- item\n\n  <Note>\n  [a](b)\n  </Note>\n- [c](d)", "b|a ; d|c"},
		{"| a |\n|---|\n| <B>[c](d)</B> |", "d|c"},
		{"<Card title=\"T &amp; U\" href=\"/x\">\n  text\n</Card>", "/x|T & U"},
		{"<Card\n  href={\"/x\"}\n  icon={<A b={{c: 1}} />}\n>\n  some *text*\n\n  [a](b)\n</Card>\n\nrest", "/x|some text a ; b|a"},
		{"<Link to='/x'>the <b>text</b></Link> and <LinkCard href=`/y` label=\"L\" />", "/x|the text ; /y|L"},
		{"<LinkCard href={`/y`} label=\"L\" /> <Card href={y} title=\"no literal\" />", "/y|L"},
		{"<a href=\"b\">c</a> <>[d](e)</> <My.Part href=\"f\">g</My.Part>", "b|c ; e|d ; f|g"},
		{"{/* [a](b)\n\n[c](d) */}\n\n[e](f) {`[g](h)`} {i && <a href=\"j\">k</a>}", "f|e"},
		{"a {never closed [b](c)", "c|b"},
		{"<!-- [a](b) -->\n<A <B [c](d)\n\n1 < 2 [e](f)", "d|c ; f|e"},
		{"    [not code](b)", "b|not code"},
		{"<Teleport to=\"body\">\n[a](b)\n</Teleport>", "b|a"},
		{"## Title {#anchor}\n\n[a](b)", "b|a"},
		{"```\n<Note>\n[a](b)\n```\n<Card href=\"c\"/>", "c|"},
	})
}

func TestLinksKeepsOrderWithManyAnchors(t *testing.T) {
	t.Parallel()
	var content, want strings.Builder
	for i := range 40 {
		fmt.Fprintf(&content, "<Card href=\"%d\">\nt%d\n", i, i)
		if i > 0 {
			want.WriteString(" ; ")
		}
		fmt.Fprintf(&want, "%d|", i)
		for j := i; j < 40; j++ {
			if j > i {
				want.WriteByte(' ')
			}
			fmt.Fprintf(&want, "t%d", j)
		}
	}
	if have := show(Links(content.String(), Format{MDX: true})); have != want.String() {
		t.Errorf("40 cards that are never closed\nhave %s\nwant %s", have, want.String())
	}
}

// TestLinksOfHomePages checks that the links of a home page that is made of front matter
// are links of the page, whatever its content.
func TestLinksOfHomePages(t *testing.T) {
	t.Parallel()
	const front = `{"layout": "home", "hero": {"name": "Tool", "actions": [{"text": "Start", "link": "/guide"}]}, "features": [{"title": "F", "link": "/f", "linkText": "More"}]}`
	for content, want := range map[string][]Link{
		"":                        {{"/guide", "Start"}, {"/f", "More"}},
		"text":                    {{"/guide", "Start"}, {"/f", "More"}},
		"[a](/b) [Start](/guide)": {{"/guide", "Start"}, {"/f", "More"}, {"/b", "a"}},
	} {
		links, _, anchors, _ := LinksAndAnchors(content, Format{}, []byte(front))
		if !slices.Equal(links, want) || anchors.Find("tool") != "tool" {
			t.Errorf("%q: have %v, want %v", content, links, want)
		}
	}
	if links, _ := References("", Format{}, []byte(`{"hero": {"actions": [{"text": "a", "link": "/a"}]}}`)); links != nil {
		t.Errorf("a page that is no home page: have %v, want none", links)
	}
}
