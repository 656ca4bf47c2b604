package document

import (
	"fmt"
	"testing"
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
		{"- a\n\n    <Note>\n\n    *b*\n\n    </Note>", fmt.Sprintf("ul(li(p(a) @Note:%dnote(p(em(b)))))", Callout)},
		{"1. a\n\n   <Note title=\"T\">\n\n   *b*\n\n   </Note>", fmt.Sprintf("ol1(li(p(a) @Note:%dnote“T”(p(em(b)))))", Callout)},
		{"- <T>\n- </T>", "ul(li(t(<T>)) li(t(</T>)))"},
		{"<img className='c'\n  style={{maxWidth: \"200px\"}}\n  src='/a.svg'\n  alt='b' />", "p(img[className=c][style=map[maxWidth:200px]][src=/a.svg][alt=b]</a.svg>(b))"},
		{"a <span style={{color: 'red', x: {y: 1}}}>b</span>", "p(a <span[style=map[color:red x:map[y:1]]]>(b))"},
		{"<div style={{color: 'red'}} width={20}>\n\n*a*\n\n</div>", "div[style=map[color:red]][width=20](p(em(a)))"},
		{"a <b c={d>e</b>", "p(a <b[c={d]>(e))"},
	})
}
