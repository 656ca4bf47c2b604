package html

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/document/token"
)

func TestFragment(t *testing.T) {
	t.Parallel()
	r := New(highlight.New(0))
	for _, c := range []struct {
		content string
		mdx     bool
		want    string
	}{
		{"# A *b*", false, `<h1 id="a-b">A <em>b</em></h1>`},
		{"a  \nb & <c>", false, "<p>a<br>\nb &amp; &lt;c&gt;</p>"},
		{"- [x] a\n- [ ] b", false, `<ul><li class="oct-task"><span class="oct-check oct-done" role="img" aria-label="done"></span> a</li><li class="oct-task"><span class="oct-check" role="img" aria-label="to do"></span> b</li></ul>`},
		{"- [x] a\n\n  b\n- c", false, `<ul><li class="oct-task"><p><span class="oct-check oct-done" role="img" aria-label="done"></span> a</p><p>b</p></li><li><p>c</p></li></ul>`},
		{"3. a\n\n   b", false, `<ol start="3"><li><p>a</p><p>b</p></li></ol>`},
		{"| a | b |\n|:-:|--:|\n| c", false, `<div class="oct-table" tabindex="0"><table><thead><tr><th class="oct-center">a</th><th class="oct-right">b</th></tr></thead><tbody><tr><td class="oct-center">c</td><td></td></tr></tbody></table></div>`},
		{"a[^b]\n\n[^b]: c", false, `<p>a<sup class="oct-ref"><a href="#fn-1" id="fnref-1" role="doc-noteref">1</a></sup></p><section class="oct-footnotes" role="doc-endnotes"><hr><ol><li id="fn-1"><p>c <a class="oct-back" href="#fnref-1" role="doc-backlink" aria-label="Back to reference 1">↩</a></p></li></ol></section>`},
		{"a\n: b", false, "<dl><dt>a</dt><dd>b</dd></dl>"},
		{"a\n: b\n\n  c", false, "<dl><dt>a</dt><dd><p>b</p><p>c</p></dd></dl>"},
		{"```go title=\"a.go\" {2}\nx := 1\ny := 2\n```", false, `<figure class="oct-code"><figcaption>a.go</figcaption><pre tabindex="0"><code class="language-go"><span class="oct-line">x <span class="oct-operator">:=</span> <span class="oct-number">1</span>` + "\n" + `</span><span class="oct-line oct-line-highlighted">y <span class="oct-operator">:=</span> <span class="oct-number">2</span>` + "\n" + `</span></code></pre></figure>`},
		{":::note\na\n:::", false, `<div class="oct-callout oct-note" role="note"><p class="oct-title">Note</p><p>a</p></div>`},
		{"```mermaid\na --> b\n```", false, `<figure class="oct-code"><figcaption>Diagram</figcaption><pre tabindex="0"><code class="language-mermaid">a --&gt; b` + "\n" + `</code></pre></figure>`},
		{"> [!IMPORTANT]\n> x", false, `<div class="oct-callout oct-info" role="note"><p class="oct-title">Important</p><p>x</p></div>`},
		{"<Aside type=\"caution\">x</Aside>", true, `<div class="oct-callout oct-warning" role="note"><p class="oct-title">Caution</p><p>x</p></div>`},
		{"> [!TIP]-\n> x", false, `<details class="oct-callout oct-tip"><summary class="oct-title">Tip</summary><p>x</p></details>`},
		{"> [!TIP]+ *T*\n> x", false, `<details class="oct-callout oct-tip" open=""><summary class="oct-title"><em>T</em></summary><p>x</p></details>`},
		{"> [!TIP]\n> x", false, `<div class="oct-callout oct-tip" role="note"><p class="oct-title">Tip</p><p>x</p></div>`},
		{"<Tabs>\n<Tab title=\"a\">\nb\n</Tab>\n<Tab title=\"c\">\nd\n</Tab>\n</Tabs>", true, `<div class="oct-tabs"><details class="oct-tab" id="a" name="oct-tabs-1" open=""><summary>a</summary><p>b</p></details><details class="oct-tab" id="c" name="oct-tabs-1"><summary>c</summary><p>d</p></details></div>`},
		{"<Tabs defaultValue=\"d\" values={[{label: 'A', value: 'b'}, {value: 'd', label: 'C'}]}>\n<TabItem value=\"d\">\nd\n</TabItem>\n<TabItem value=\"b\">\nb\n</TabItem>\n</Tabs>", true, `<div class="oct-tabs"><details class="oct-tab" id="c" name="oct-tabs-1" open=""><summary>C</summary><p>d</p></details><details class="oct-tab" id="a" name="oct-tabs-1"><summary>A</summary><p>b</p></details></div>`},
		{"<Tabs>\n<TabItem value=\"a\">\nb\n</TabItem>\n<TabItem value=\"c\" default>\nd\n</TabItem>\n</Tabs>", true, `<div class="oct-tabs"><details class="oct-tab" id="a" name="oct-tabs-1"><summary>a</summary><p>b</p></details><details class="oct-tab" id="c" name="oct-tabs-1" open=""><summary>c</summary><p>d</p></details></div>`},
		{"<Tabs items={['a', 'c']} defaultIndex={1}>\n<Tab>\nb\n</Tab>\n<Tab>\nd\n</Tab>\n</Tabs>", true, `<div class="oct-tabs"><details class="oct-tab" id="a" name="oct-tabs-1"><summary>a</summary><p>b</p></details><details class="oct-tab" id="c" name="oct-tabs-1" open=""><summary>c</summary><p>d</p></details></div>`},
		{"<Card title=\"a\" href=\"/b\">\nc\n</Card>", true, `<div class="oct-card"><p class="oct-title"><a href="/b">a</a></p><p>c</p></div>`},
		{"<ParamField path=\"id\" type=\"string\" required default=\"1\">\nx\n</ParamField>", true, `<div class="oct-field" id="param-id"><p class="oct-title"><code>id</code> <span class="oct-type">string</span> <span class="oct-required">required</span> <span class="oct-default">default <code>1</code></span></p><p>x</p></div>`},
		{"<Steps>\n<Step title=\"a\">\nb\n</Step>\n</Steps>", true, `<ol class="oct-steps"><li class="oct-step" id="a"><p class="oct-title">a</p><p>b</p></li></ol>`},
		{"<img src=\"a.png\" width=\"20px\" height=\"50%\"> ![](b.png){width=2em}", false, `<p><img src="a.png" alt="" width="20" height="50%"> <img src="b.png" alt=""></p>`},
		{"<p align=\"center\"><img src=\"a.png\" width=\"20\" style=\"x\"></p>", false, `<p class="oct-center"><img src="a.png" alt="" width="20"></p>`},
		{"<table><tr><td style=\"color:red; text-align: center;x:y\">a</td><td style=\"text-align:justify\">b</td></tr></table>", false, `<div class="oct-table" tabindex="0"><table><tr><td class="oct-center">a</td><td>b</td></tr></table></div>`},
		{"<p align=\"Right\">a</p><p align=\"justify\">b</p>", false, `<p class="oct-right">a</p><p>b</p>`},
		{"<center>\n\na\n\n</center>", false, `<div class="oct-center"><p>a</p></div>`},
		{"[a](b \"c\"){.btn .oct-x .oct .site-header .sites target=_blank}", false, `<p><a href="b" title="c" class="btn sites">a</a></p>`},
		{"<img src=\"a.png\" class=\"block dark:hidden\"><img src=\"b.png\" class=\"hidden dark:block\">", false, `<p><img src="a.png#only-light" alt="" class="block"><img src="b.png#only-dark" alt="" class="hidden"></p>`},
		{"[a](javascript:x) ![b](data:text/html,x) ![c](data:image/png;base64,AA==)", false, `<p><a class="oct-unresolved">a</a> <span class="oct-missing">b</span> <img src="data:image/png;base64,AA==" alt="c"></p>`},
		{"<h1 align=\"center\">\n\n[a](b)\n\n</h1>\n\n<p>\n\nc\n\n</p>", false, `<h1 class="oct-center"><a href="b">a</a></h1>` + "\n" + `<div><p>c</p></div>`},
		{"<a id=\"b\"></a>\n## B\n\n<div id=\"c\">d</div>\n<div id=\"c\">e</div>\n\n## C", false, `<p><a id="b"></a></p><h2>B</h2>` + "\n" + `<div id="c">d</div><div>e</div><h2>C</h2>`},
		{"<a name=\"b\"></a>", false, `<p><a id="b"></a></p>`},
		{"| a | b | c |\n|---|---|---|\n| d |", false, `<div class="oct-table" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col">b</th><th scope="col">c</th></tr></thead><tbody><tr><td>d</td><td colspan="2"></td></tr></tbody></table></div>`},
		{"<p id=\"fn-1\">a</p>\n\n## FnRef-1\n\nb[^b]\n\n[^b]: c", false, `<p>a</p><h2>FnRef-1</h2>` + "\n" + `<p>b<sup class="oct-ref"><a href="#fn-1" id="fnref-1" role="doc-noteref">1</a></sup></p><section class="oct-footnotes" role="doc-endnotes"><hr><ol><li id="fn-1"><p>c <a class="oct-back" href="#fnref-1" role="doc-backlink" aria-label="Back to reference 1">↩</a></p></li></ol></section>`},
		{"<del>*a*</del> H<sub>2</sub>", false, "<p><del>*a*</del> H<sub>2</sub></p>"},
	} {
		have := string(r.Fragment(t.Context(), document.Parse(c.content, document.Options{MDX: c.mdx}), Options{}).HTML)
		have = lineEnds.ReplaceAllString(strings.TrimSpace(have), "$1")
		if have != strings.ReplaceAll(c.want, "<del>*a*</del>", "<del><em>a</em></del>") {
			t.Errorf("%q, MDX %v\nhave %s\nwant %s", c.content, c.mdx, have, c.want)
		}
	}
}

func TestUntitled(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"!!! tip \"\"\n    a": `<div class="oct-callout oct-tip" role="note"><p>a</p>`,
		"!!! tip\n    a":      `<div class="oct-callout oct-tip" role="note"><p class="oct-title">Tip</p>`,
	} {
		have := New(highlight.New(0)).Fragment(t.Context(), document.Parse(content, document.Options{Dialect: "mkdocs"}), Options{})
		if !strings.HasPrefix(string(have.HTML), want) {
			t.Errorf("%q: have %s, want %s", content, have.HTML, want)
		}
	}
}

func TestUnresolvedAsText(t *testing.T) {
	t.Parallel()
	nothing := func(string) (string, bool) { return "", false }
	r := New(highlight.New(0)).Fragment(t.Context(), document.Parse("[a](b) ![c](https://d.example/e) [f](#g)\n\n# g", document.Options{}), Options{
		Link: nothing, Image: nothing, DropUnresolved: true,
	})
	want := `<p><a class="oct-unresolved">a</a> <a href="https://d.example/e">c</a> <a href="#g">f</a></p>
<h1 id="g">g</h1>` + "\n"
	if string(r.HTML) != want || len(r.Notices) != 2 {
		t.Errorf("have %s and %v, want %s and two notices", r.HTML, r.Notices, want)
	}
}

// lineEnds are those between tags of blocks.
var lineEnds = regexp.MustCompile(`(</?(?:p|ul|ol|li|table|thead|tbody|tr|th|td|div|dl|dt|dd|section|figure|details|summary|pre|figcaption|hr)(?: [^<>]*)?>)\n`)

// TestManyAtOnce renders with one Renderer from many goroutines; what comes out
// is always the same.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	r := New(highlight.New(1 << 10))
	d := document.Parse("# a\n\n```go\nx := 1\n```\n\n<b>c</b> [d](e)\n", document.Options{})
	outs := make([]string, 16)
	var group sync.WaitGroup
	for i := range outs {
		group.Go(func() { outs[i] = string(r.Fragment(t.Context(), d, Options{}).HTML) })
	}
	group.Wait()
	for i, out := range outs {
		if out != outs[0] {
			t.Errorf("goroutine %d has %s\nwant %s", i, out, outs[0])
		}
	}
}

func TestResolution(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"guide.md": "/p/guide", "page_1": "/p/one", "https://own.example/x": "/p/x"}
	o := Options{
		Link: func(href string) (string, bool) {
			if to, ok := pages[href]; ok {
				return to, true
			}
			return href, strings.HasPrefix(href, "https://")
		},
		Image: func(src string) (string, bool) { return "/a/" + src, src != "gone.png" },
	}
	d := document.Parse("[a](guide.md) [b](page_1) [c](nowhere) [d](#H-E%20re) [e](mailto:f@g.example)\n\nhttps://own.example/x https://other.example\n\n![h](i.png) ![j](gone.png)\n\n[k](#none) [l](pathname://none/x) [m](pathname://javascript:x) [n]({{< ref \"#here\" >}})\n\n# Here\n", document.Options{})
	have := New(highlight.New(0)).Fragment(t.Context(), d, o)
	want := `<p><a href="/p/guide">a</a> <a href="/p/one">b</a> <a href="nowhere" class="oct-unresolved">c</a> <a href="#here">d</a> <a href="mailto:f@g.example">e</a></p>
<p><a href="/p/x">https://own.example/x</a> <a href="https://other.example">https://other.example</a></p>
<p><img src="/a/i.png" alt="h"> <img src="gone.png" alt="j"></p>
<p><a href="#none">k</a> <a href="none/x" class="oct-unresolved">l</a> <a class="oct-unresolved">m</a> <a href="#here">n</a></p>
<h1 id="here">Here</h1>
`
	if string(have.HTML) != want {
		t.Errorf("have %s\nwant %s", have.HTML, want)
	}
	var notices []string
	for _, n := range have.Notices {
		notices = append(notices, n.String())
	}
	if have, want := strings.Join(notices, "; "), "1:27: link leads to no page: nowhere; 1:40: no heading has the anchor of the link: #H-E%20re → #here; 5:13: image is not an asset: gone.png; "+
		"7:1: no heading has the anchor of the link: #none; 7:12: link leads to no page: pathname://none/x; 7:35: address left out: pathname://javascript:x"; have != want {
		t.Errorf("notices: have %s\nwant %s", have, want)
	}
}

// TestEveryClassHasStyle holds the style sheet to what is written.
func TestEveryClassHasStyle(t *testing.T) {
	t.Parallel()
	r := New(highlight.New(0))
	written := map[string]bool{}
	class := regexp.MustCompile(`class="([^"]*)"`)
	for _, place := range hostile().Places {
		for _, mdx := range []bool{false, true} {
			d := document.Parse(strings.ReplaceAll(place, "%s", "x"), document.Options{MDX: mdx})
			for _, m := range class.FindAllStringSubmatch(string(r.Fragment(t.Context(), d, Options{HeadingLinks: true}).HTML), -1) {
				for _, name := range strings.Fields(m[1]) {
					written[name] = true
				}
			}
		}
	}
	for c := token.Comment; c <= token.Output; c++ {
		written["oct-"+c.String()] = true
	}
	for name := range written {
		if strings.HasPrefix(name, "oct-") && name != "oct-code" && !strings.Contains(StyleSheet(), "."+name) {
			t.Errorf("class %s has no style", name)
		}
	}
	if len(written) < 30 {
		t.Errorf("have %d classes", len(written))
	}
}

func TestTheme(t *testing.T) {
	t.Parallel()
	theme := Theme{Name: "dark", Tokens: map[string]string{
		"background": "#fff", "text": "rgb(0 0 0 / 50%)", "font": `"Noto Sans", serif`, "own-1": "1.5rem",
		"bad name": "red", "1": "red", "a": "url(x)", "b": "red; color: blue", "c": "} body {", "d": "</style>", "e": "expression(x)", "f": `"open`,
		"g": ")", "h": "image-set(x)", "i": "red/*", "j": "", "k": "\\75 rl(x)", "l": "URL (x)",
	}}
	rule, rejected := theme.CSS()
	if want := ".oct.oct {\n\t--oct-background: #fff;\n\t--oct-font: \"Noto Sans\", serif;\n\t--oct-own-1: 1.5rem;\n\t--oct-text: rgb(0 0 0 / 50%);\n}\n"; rule != want {
		t.Errorf("rule: have %s\nwant %s", rule, want)
	}
	if want := []string{"1", "a", "b", "bad name", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}; !slices.Equal(rejected, want) {
		t.Errorf("rejected: have %v, want %v", rejected, want)
	}
	for name, want := range map[string]string{"": "oct oct-system", "system": "oct oct-system", "light": "oct", "dark": "oct oct-dark"} {
		if have := (Theme{Name: name}).Class(); have != want {
			t.Errorf("class of %q: have %s, want %s", name, have, want)
		}
	}
}
