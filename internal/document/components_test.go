package document

import (
	"fmt"
	"testing"

	"github.com/octavo-docs/octavo/internal/document/element"
)

// Components stand in pages of Markdown too, in whatever holds a line of text.
func TestComponentsInMarkdown(t *testing.T) {
	t.Parallel()
	badge := func(text string) string { return "<Badge[type=tip][text=" + text + "]>(" + text + ")" }
	checkTrees(t, Options{}, []treeCase{
		{"## Set up <Badge type=\"tip\" text=\"2.0\" />", "h2#set-up(Set up " + badge("2.0") + ")"},
		{"Since <Badge type=\"warning\">beta</Badge> now", "p(Since <Badge[type=warning]>(beta) now)"},
		{"- a <Badge type=\"tip\" text=\"b\" />\n- <Badge type=\"tip\" text=\"c\" />", "ul(li(t(a " + badge("b") + ")) li(t(" + badge("c") + ")))"},
		{"| a |\n|---|\n| <Badge type=\"tip\" text=\"b\" /> |", "table[0](a / " + badge("b") + ")"},
		{"> *a <Badge type=\"tip\" text=\"b\" />*", "quote(p(em(a " + badge("b") + ")))"},
		{"a <Version of=\"x\">1.2</Version> b", "p(a 1.2 (of: x) b)"},
		{"a <Badge :text=\"v\" @click=\"w\">b</Badge> <Foo.Bar x=\"1\" /> <A.b> Map<K, V>", "p(a <Badge[:text=v][@click=w]>(b) x: 1 <A.b> Map<K, V>)"},
		{"a <Foo /> b", "p(a  b)"},
		{"a <Link to=\"/b\">c</Link>", "p(a a[to=/b]</b>(c))"},
		{"List<String> and Map<K, V> and <T> </V> and <b>c</b>", "p(List<String> and Map<K, V> and <T> </V> and <b>(c))"},
		{"<T> `</T>`", "p(<T> `</T>`)"},
		{"a <BR> <IMG SRC=\"b\">", "p(a ↵ img[SRC=b]<b>())"},
		{"- a\n\n    <Note>\n\n    *b*\n\n    </Note>", fmt.Sprintf("ul(li(p(a) @Note:%dnote(p(em(b)))))", element.Callout)},
		{"1. a\n\n   <Note title=\"T\">\n\n   *b*\n\n   </Note>", fmt.Sprintf("ol1(li(p(a) @Note:%dnote“T”(p(em(b)))))", element.Callout)},
		{"- <T>\n- </T>", "ul(li(t(<T>)) li(t(</T>)))"},
		{"<img className='c'\n  style={{maxWidth: \"200px\"}}\n  src='/a.svg'\n  alt='b' />", "p(img[className=c][style=map[maxWidth:200px]][src=/a.svg][alt=b]</a.svg>(b))"},
		{"a <span style={{color: 'red', x: {y: 1}}}>b</span>", "p(a <span[style=map[color:red x:map[y:1]]]>(b))"},
		{"<div style={{color: 'red'}} width={20}>\n\n*a*\n\n</div>", "div[style=map[color:red]][width=20](p(em(a)))"},
		{"a <b c={d>e</b>", "p(a <b[c={d]>(e))"},
	})
}

// TestLiterals holds what is shown of the texts in braces that components have.
func TestLiterals(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"<Code\n  code={`a\n\nb`}\n  lang=\"md\"\n/>":                                              "code.md(\"a\\n\\nb\\n\")",
		"<CodeBlock language=\"jsx\" title=\"a.js\" showLineNumbers>\n  {`f(\n\n)`}\n</CodeBlock>": "code.jsx.a.js(\"f(\\n\\n)\\n\")",
		"<CodeBlock filename=\"b.js\">\n```js\nb\n```\n</CodeBlock>":                               "code.js.b.js(\"b\\n\")",
		"Use <Code>a</Code>.": "p(Use a.)",
		"<Films of={[{title: 'A', href: '/a', description: 'One'}, {label: 'B', items: [{text: 'C', link: ''}, 1]}, {x: 1}]} />": "ul(li(t(a</a>(A) – One)) li(t(B) ul(li(t(C)))))",
		"<Prompt description=\"Write **well**\" icon=\"x\" actions={['copy']}>\nYou write.\n</Prompt>":                           "@Prompt:8“Write strong(well)”(p(You write.))",
		"<Visibility for=\"agents\">\na\n</Visibility>\n<Visibility for=\"humans\">\nb\n</Visibility>":                           "p(b)",
		"<View title=\"JS\" icon=\"js\">\na\n</View>":                                                                            "@View:3“JS”(p(a))",
	} {
		if have := dump(Parse(content, Options{MDX: true})); have != want {
			t.Errorf("%s\nhave %s\nwant %s", content, have, want)
		}
	}
}

// TestComponentAnchors holds the places of components, which never take that of a heading.
func TestComponentAnchors(t *testing.T) {
	t.Parallel()
	const text = "<Accordion title=\"Set up\">\na\n</Accordion>\n\n## Set up\n\n<Steps>\n<Step title=\"One\" id=\"first\">\nb\n</Step>\n</Steps>\n\n" +
		"<Tabs>\n<Tab title=\"OAuth 2.0\">\nc\n</Tab>\n</Tabs>\n\n<ResponseField name=\"api.key\">\nd\n</ResponseField>\n\n<Update label=\"June\">\ne\n</Update>\n\n<Card title=\"F\">\nf\n</Card>\n\n<Accordion>\ng\n</Accordion>"
	anchors := Parse(text, Options{MDX: true}).Anchors()
	for fragment, want := range map[string]string{
		"set-up": "set-up", "set-up-1": "set-up-1", "first": "first", "one": "", "oauth-2-0": "oauth-2-0",
		"param-api-key": "param-api-key", "api-key": "param-api-key", "june": "june", "f": "", "details": "",
	} {
		if have := anchors.Find(fragment); have != want {
			t.Errorf("%s: have %q, want %q", fragment, have, want)
		}
	}
}
