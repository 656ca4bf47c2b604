package html

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
)

// unsafe tells what a fragment has that may load, run or style anything, or
// break out of the element that it is put into; "" if nothing.
func unsafe(fragment []byte) string {
	z := nethtml.NewTokenizer(bytes.NewReader(fragment))
	var open []string
	for {
		switch z.Next() {
		case nethtml.ErrorToken:
			if len(open) > 0 {
				return fmt.Sprintf("%v not closed", open)
			}
			return ""
		case nethtml.StartTagToken, nethtml.SelfClosingTagToken:
			t := z.Token()
			if fault := unsafeTag(t); fault != "" {
				return fault
			}
			if !slices.Contains([]string{"br", "hr", "img", "wbr", "col"}, t.Data) {
				open = append(open, t.Data)
			}
		case nethtml.EndTagToken:
			t := z.Token()
			if len(open) == 0 || open[len(open)-1] != t.Data {
				return fmt.Sprintf("</%s> closes %v", t.Data, open)
			}
			open = open[:len(open)-1]
		case nethtml.CommentToken, nethtml.DoctypeToken:
			return "comment or doctype " + z.Token().String()
		}
	}
}

var safeElements = strings.Fields(`a abbr address article aside b bdi bdo blockquote br caption cite code colgroup data dd del
	details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark nav ol p pre q rp rt ruby
	s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr`)

var safeAttributes = strings.Fields(`abbr alt aria-label class colspan data-line datetime dir height href id lang name open
	reversed role rowspan scope src start tabindex title type value width`)

func unsafeTag(t nethtml.Token) string {
	if !slices.Contains(safeElements, t.Data) {
		return "element " + t.String()
	}
	for _, a := range t.Attr {
		if !slices.Contains(safeAttributes, a.Key) {
			return "attribute " + a.Key + " of " + t.String()
		}
		if a.Key != "href" && a.Key != "src" {
			continue
		}
		u, err := url.Parse(strings.TrimSpace(a.Val))
		if err != nil {
			return fmt.Sprintf("address %q: %v", a.Val, err)
		}
		if !slices.Contains([]string{"", "http", "https", "mailto", "tel"}, u.Scheme) && !(a.Key == "src" && isPicture(a.Val)) {
			return fmt.Sprintf("scheme of %q", a.Val)
		}
	}
	return ""
}

// payloads are what an attacker wants a browser to see.
var payloads = []string{
	`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `<svg onload=alert(1)>`, `<svg><script>alert(1)</script></svg>`,
	`<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>`, `<math href="javascript:alert(1)">x</math>`,
	`<iframe src="javascript:alert(1)"></iframe>`, `<iframe srcdoc="<script>alert(1)</script>"></iframe>`, `<object data="javascript:alert(1)">`,
	`<embed src="data:text/html,<script>alert(1)</script>">`, `<a href="javascript:alert(1)">x</a>`, `<a href="java&#10;script:alert(1)">x</a>`,
	`<a href="&#106;avascript&colon;alert(1)">x</a>`, "<a href=\"\x01javascript:alert(1)\">x</a>", `<a href=" javascript:alert(1)">x</a>`,
	`<a href="vbscript:x">x</a>`, `<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>`, `<a href="//evil.example" onclick=alert(1)>x</a>`,
	`<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>`, `<input autofocus onfocus=alert(1)>`,
	`<details open ontoggle=alert(1)>x</details>`, `<style>@import 'x'</style>`, `<p style="background:url(javascript:alert(1))">x</p>`,
	`<link rel=stylesheet href=x>`, `<base href="//evil.example">`, `<meta http-equiv=refresh content="0;url=javascript:alert(1)">`,
	`<img src="javascript:alert(1)">`, `<img src="data:image/svg+xml,<svg onload=alert(1)>">`, `<img src="x" srcset="javascript:alert(1)">`,
	`<video><source onerror=alert(1)></video>`, `<video poster="javascript:alert(1)" src="javascript:alert(1)">`, `<template><script>x</script></template>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, `<textarea></textarea><script>alert(1)</script>`, `<title><a id="</title><script>alert(1)</script>">`,
	`<!--><script>alert(1)</script>-->`, `<!-- --!><script>alert(1)</script>`, `<![CDATA[><script>alert(1)</script>]]>`, `<?x ><script>alert(1)</script>?>`,
	`"><script>alert(1)</script>`, `'><script>alert(1)</script>`, `" onmouseover="alert(1)`, `</div></main><script>alert(1)</script>`, "`><script>alert(1)</script>",
	`<xmp><script>alert(1)</script></xmp>`, `<plaintext>`, `<listing>&lt;script&gt;</listing>`, `<a href='x' style=x:expression(alert(1))>y</a>`,
	`<div id="x" class="oct-callout" data-x=1 tabindex=1 contenteditable>y</div>`, `javascript:alert(1)`, `<a name="x" href="javascript&#x3A;alert(1)">x`,
	`<table background="javascript:alert(1)"><tr><td background=x>`, `<body onload=alert(1)>`, `<marquee onstart=alert(1)>`, `<isindex action=x>`, `<portal src=x>`,
	`<custom-element onclick=alert(1)>x</custom-element>`, `<A HREF="JaVaScRiPt:alert(1)">x</A>`, `<ScRiPt>alert(1)</ScRiPt>`, `<<script>script>alert(1)<</script>/script>`,
	"<img src=x\nonerror=alert(1)\n>", `<img/src=x/onerror=alert(1)>`, `<img src="x"onerror=alert(1)>`, "<img src=x \x0conerror=alert(1)>",
	"\u2028javascript:alert(1)", `&lt;script&gt;alert(1)&lt;/script&gt;`, `\u003cscript\u003ealert(1)`, `{"<script>alert(1)</script>"}`, "{`<img src=x onerror=alert(1)>`}",
}

// places are where in a page a payload may stand; %s is the payload.
var places = []string{
	"%s", "text %s text", "# %s", "- %s", "> %s", "| %s |\n|---|\n| %s |", "*%s*", "[%s](x)", "![%s](x)", "[x](%s)", "[x](<%s>)", "![x](%s)", "[x](y \"%s\")",
	"![x](y '%s')", "[x][y]\n\n[y]: %s", "[x][y]\n\n[y]: z \"%s\"", "<%s>", "`%s`", "```%s\nx\n```", "```js title=\"%s\"\n%s\n```", "```html {1}\n%s\n```",
	"    %s", "Term %s\n: %s", "x[^%s]\n\n[^%s]: %s", ":::note %s\n%s\n:::", ":::note{title=\"%s\"}\nx\n:::", "> [!NOTE] %s\n> x", "# x {#%s}", "# x {#y title=\"%s\" onclick=\"%s\"}",
	"[x](y){onclick=\"%s\" class=\"%s\" id=\"%s\"}", "<div title=\"%s\">\n\n%s\n\n</div>", "<div title='%s'>x</div>", "<p %s>x</p>", "<a href=\"%s\">x</a>", "<img alt=\"%s\" src=\"%s\">",
	"<details><summary>%s</summary>\n\n%s\n</details>", "$$\n%s\n$$",
	"<Note title=\"%s\">\n%s\n</Note>", "<Card title={`%s`} href=\"%s\" description='%s' />", "<Tabs items={[\"%s\"]}>\n<Tab title=\"%s\">%s</Tab>\n</Tabs>", "<Accordion title='%s'>%s</Accordion>",
	"<ParamField path=\"%s\" type='%s' default=\"%s\" required>x</ParamField>", "<Frame caption='%s'>%s</Frame>", "<Badge type=\"%s\">%s</Badge>", "<Tooltip tip='%s'>x</Tooltip>",
	"<Link to='%s'>x</Link>", "<Image src='%s' alt='%s' />", "<Unknown href='%s' x={%s}>%s</Unknown>", "<div dangerouslySetInnerHTML={{__html: '%s'}} />", "<Icon icon='%s' />",
	"export const x = '%s'\n\n{x} <a href={x}>y</a>", "{/* %s */}", "{'%s'}", "<Foo.%s />",
}

func TestNothingUnsafe(t *testing.T) {
	t.Parallel()
	r := New(highlight.New(0))
	for _, place := range places {
		for _, payload := range payloads {
			content := strings.ReplaceAll(place, "%s", payload)
			for _, mdx := range []bool{false, true} {
				d := document.Parse(content, document.Options{MDX: mdx})
				out := r.Fragment(t.Context(), d, Options{HeadingLinks: true}).HTML
				if fault := unsafe(out); fault != "" {
					t.Errorf("%q, MDX %v: %s\n%s", content, mdx, fault, out)
				}
			}
		}
	}
}

// TestWriterIsSafeByItself takes the sanitiser away: what is written must be
// safe without it.
func TestWriterIsSafeByItself(t *testing.T) {
	t.Parallel()
	r := New(highlight.New(0))
	for _, place := range places {
		for _, payload := range payloads {
			content := strings.ReplaceAll(place, "%s", payload)
			for _, mdx := range []bool{false, true} {
				w := writer{ctx: t.Context(), renderer: r, doc: document.Parse(content, document.Options{MDX: mdx})}
				w.unsanitised = true
				w.takeIDs()
				w.blocks(w.doc.Blocks)
				w.footnotes()
				w.sanitise()
				if fault := unsafe(w.out); fault != "" {
					t.Errorf("%q, MDX %v: %s\n%s", content, mdx, fault, w.out)
				}
			}
		}
	}
}

func FuzzFragment(f *testing.F) {
	for i, place := range places {
		f.Add(strings.ReplaceAll(place, "%s", payloads[i%len(payloads)]), true)
		f.Add(strings.ReplaceAll(place, "%s", payloads[(i*7)%len(payloads)]), false)
	}
	r := New(highlight.New(1 << 20))
	f.Fuzz(func(t *testing.T, content string, mdx bool) {
		d := document.Parse(content, document.Options{MDX: mdx})
		out := r.Fragment(t.Context(), d, Options{HeadingLinks: true}).HTML
		if fault := unsafe(out); fault != "" {
			t.Fatalf("%q, MDX %v: %s\n%s", content, mdx, fault, out)
		}
	})
}
