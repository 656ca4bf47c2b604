package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document/element"
)

func TestKramdown(t *testing.T) {
	t.Parallel()
	for _, mdx := range []bool{false, true} {
		checkTrees(t, Options{MDX: mdx}, []treeCase{
			{"## A\n{: #own .no_toc }\n\nb\n{: .fs-6 .x }\nc", "h2#own[id=own][class=no_toc](A) div[class=fs-6 x](p(b)) p(c)"},
			{"## A {: .no_toc }\nb\n{:#c}", "h2#a[class=no_toc](A) div[id=c](p(b))"},
			{"A\n---\n{:.x}", "h2#a[class=x](A)"},
			{"- a\n{: .x}\n- b\n  {: .y}", "div[class=x](ul(li(t(a)))) ul(li(div[class=y](t(b))))"},
			{"| a |\n|---|\n| b |\n{: .x}", "div[class=x](table[0](a / b))"},
			{"```\na\n```\n{: .x}", "div[class=x](code(\"a\\n\"))"},
			{"```\n{: .x}\n```", "code(\"{: .x}\\n\")"},
			{"a\n\n{: .x}\nb\n\n{: .y}", "p(a) div[class=x](p(b))"},
			{"* TOC\n{:toc}\n\n# A", "h1#a(A)"},
			{"{: .note }\na *b*", fmt.Sprintf("@note:%dnote(p(a em(b)))", element.Callout)},
			{"{: .warning-title #own }\n> T\n>\n> b", fmt.Sprintf("div[id=own](@warning:%dwarning“T”(p(b)))", element.Callout)},
			{"> a\n{: .prompt-tip }", fmt.Sprintf("@tip:%dtip(p(a))", element.Callout)},
			{"> a\n>\n> - b\n{.is-success}", fmt.Sprintf("@success:%dtip“Success”(p(a) ul(li(t(b))))", element.Callout)},
			{"- > a\n  {.is-danger}", fmt.Sprintf("ul(li(@danger:%ddanger(p(a))))", element.Callout)},
			{"a\n{: .notice--info}", fmt.Sprintf("@info:%dinfo(p(a))", element.Callout)},
			{"{::options toc_levels=\"1..3\" /}\na\n\n{::comment}\nb\n\nc\n{:/comment}\nd", "p(a) p(d)"},
			{"{::comment}\na", "p(a)"},
			{"*a*{: .x} `b`{:.y} **c**{:.z}.", "p(em(a) `b` strong(c).)"},
			{"a\n\n{: #own }\n## B\n\n{: .x}\n\n## C", "p(a) h2#own[id=own](B) h2#c(C)"},
			{"{: .x}\n| a |\n|---|", "div[class=x](table[0](a))"},
			{"{: .x }", ""},
			{"- {: .x } a\n- {:b", "ul(li(t(a)) li(t({:b)))"},
		})
	}
	checkTrees(t, Options{}, []treeCase{
		{"[a](b){: .x target=\"_blank\"} ![](c){:.y}", "p(a[target=_blank][class=x]<b>(a) img[class=y]<c>())"},
		{"a {: b} {c} {%d%}", "p(a {: b} {c} {%d%})"},
		{"{: a} b", "p({: a} b)"},
		{"> a {.is-info}\n\nb\n{.is-info}", "quote(p(a {.is-info})) p(b·{.is-info})"},
		{"    {: .x}", "code(\"{: .x}\\n\")"},
	})
}

// TestExtensions checks extensions of kramdown within a text, and HTML between them.
func TestExtensions(t *testing.T) {
	t.Parallel()
	checkTrees(t, Options{}, []treeCase{
		{"a {::nomarkdown}<b>*c* &amp; `d`</b>{:/} *e* {::comment}f *g*{:/comment}h {::options i=\"j\" /}.", "p(a <b>(*c* & `d`) em(e) h .)"},
		{"*a{::nomarkdown}*b_c_{:/nomarkdown}d*", "p(em(a*b_c_d))"},
		{"{::comment}a{:/} b\n\n{::comment}\nc\n{:/}\n\n{::nomarkdown /}d", "p(b) p(d)"},
		{"a {::comment}*b* {:/x} {::c}", "p(a {::comment}em(b) {:/x} {::c})"},
		{"a\n{::nomarkdown}\n<p>*b*</p>\n\n    *c*\n{:/nomarkdown}\n*d*\n\n{::nomarkdown}\n*e*", "p(a) p(t(*b*)) t(*c*) p(em(d)) p(em(e))"},
	})
}

// TestBoxes shows which classes make callouts, on blocks of kramdown and of HTML.
func TestBoxes(t *testing.T) {
	t.Parallel()
	box := func(variant, name, rest string) string {
		return fmt.Sprintf("@%s:%d%s%s", variant, element.Callout, name, rest)
	}
	checkTrees(t, Options{}, []treeCase{
		{"{: .new }\na", box("new", "note", "“New”(p(a))")},
		{"{: .highlight }\na", box("highlight", "note", "(p(a))")},
		{"```\na\n```\n{: .highlight }", "div[class=highlight](code(\"a\\n\"))"},
		{"<div class=\"note warning\">\n <h5>T <i>u</i></h5>\n <p>a</p>\n</div>", box("warning", "warning", "“T <i>(u)”(p(t(a)))")},
		{"<div class=\"note\">\n\na\n\n</div>", box("note", "note", "(p(a))")},
		{"<p class=\"tip\">a</p>", box("tip", "tip", "(t(a))")},
		{"<div class=\"admonition example\" id=\"i\"><p class=\"admonition-title\">T</p><p>a</p></div>", "div[id=i](" + box("example", "note", "“T”(p(t(a)))") + ")"},
		{"<aside class=\"alert alert-success\">a</aside>", box("success", "tip", "“Success”(t(a))")},
		{"<div class=\"example\">a</div>", "div[class=example](t(a))"},
		{"<div class=\"note-title\">a</div>", "div[class=note-title](t(a))"},
		{"<div class=\"note\"><h2>A</h2>b</div>", box("note", "note", "(h2(t(A)) t(b))")},
		{"<div class=\"note\"></div>", "div[class=note]()"},
		{"<span class=\"note\">a</span>", "p(<span[class=note]>(a))"},
	})
}

func TestContentsMark(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"[[toc]]", "[TOC]", "[toc] ", "[[_TOC_]]", "{{TOC}}"} {
		checkTrees(t, Options{}, []treeCase{
			{"# A\n\n" + mark + "\n\n## B", "h1#a(A) h2#b(B)"},
			{"# A\n" + mark + "\nb", "h1#a(A) p(b)"},
		})
	}
	checkTrees(t, Options{}, []treeCase{
		{"[toc]\n\n[TOC]: a", "p(a<a>(toc))"},
		{"a [toc] b", "p(a [toc] b)"},
		{"`[[toc]]`", "p(`[[toc]]`)"},
	})
}

func TestAbbreviations(t *testing.T) {
	t.Parallel()
	html := "<abbr[title=Hyper Text]>(HTML)"
	checkTrees(t, Options{}, []treeCase{
		{"HTML is old.\n\n*[HTML]: Hyper Text", "p(" + html + " is old.)"},
		{"*[HTML]: Hyper Text\n*[W3C rules]: Of the W3C\na HTMLx, (HTML) `HTML`\n[HTML](b) XHTML W3C rules", "p(a HTMLx, (" + html + ") `HTML`·a<b>(" + html + ") XHTML <abbr[title=Of the W3C]>(W3C rules))"},
		{"a\n*[A-b]:\nc A-b", "p(a) p(c A-b)"},
		{"# HTML\n\n*[HTML]: Hyper Text", "h1#html(" + html + ")"},
		{"*[a]: b*", "p(em([a]: b))"},
		{"*[a]*: b", "p(em([a]): b)"},
		{"* [a]: b", "ul(li())"},
	})
	long := Parse("*[a]: "+strings.Repeat("b", 1000)+"\n\n"+strings.Repeat("a ", 100_000), Options{})
	if length := len(dump(long)); length > 1<<20 {
		t.Errorf("a long explanation of many words makes %d bytes", length)
	}
}

func TestHighlightTags(t *testing.T) {
	t.Parallel()
	checkTrees(t, Options{MDX: true}, []treeCase{
		{"{%- raw -%}{{ b }}{%- endraw -%} {1}", "p({{ b }} 1)"},
		{"# A {% raw %}{{ b }}{% endraw %}", "h1#a--b-(A {{ b }})"},
	})
	for _, mdx := range []bool{false, true} {
		checkTrees(t, Options{MDX: mdx}, []treeCase{
			{"a:\n{% highlight bash %}\n# b\n\n{{ c }}\n{% endhighlight %}\nd", "p(a:) code.bash(\"# b\\n\\n{{ c }}\\n\") p(d)"},
			{"{%- highlight ruby linenos -%}\na\n{%- endhighlight -%}", "code.ruby#1(\"a\\n\")"},
			{"{% highlight liquid %}{% raw %}\n{{ a }}\n{% endraw %}{% endhighlight %}", "code.liquid(\"{{ a }}\\n\")"},
			{"{% highlight js %}a(){% endhighlight %}\nb", "code.js(\"a()\\n\") p(b)"},
			{"- a\n\n  {% highlight sh %}\n  # b\n    c\n  {% endhighlight %}\n- d", "ul(li(p(a) code.sh(\"# b\\n  c\\n\")) li(p(d)))"},
		})
	}
	checkTrees(t, Options{}, []treeCase{
		{"{% highlight sh %}\n# a", "p({% highlight sh %}) h1#a(a)"},
		{"{% include a.html %}", "p({% include a.html %})"},
		{"{% raw %}\n{{ a }}\n{% endraw %}\nb", "p({{ a }}) p(b)"},
		{"a {% raw %}{{ b }} *c*{% endraw %} d {% raw %} e", "p(a {{ b }} em(c) d {% raw %} e)"},
		{"a\n\n{%- comment -%}\nb\n\n# c\n{%- endcomment -%}\nd", "p(a) p(d)"},
		{"{% comment %}a{% endcomment %}\nb", "p(b)"},
		{"{% comment %}\na", "p({% comment %}·a)"},
	})
}
