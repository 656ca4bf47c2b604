package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document/element"
)

type treeCase struct{ content, want string }

func checkTrees(t *testing.T, o Options, cases []treeCase) {
	t.Helper()
	for _, c := range cases {
		if have := dump(Parse(c.content, o)); have != c.want {
			t.Errorf("Parse(%q, %+v)\nhave %s\nwant %s", c.content, o, have, c.want)
		}
	}
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	checkTrees(t, Options{}, []treeCase{
		{"", ""},
		{"text", "p(text)"},
		{"a\nb  \nc\\\nd", "p(a·b↵c↵d)"},
		{"# A *b*\n\nB\n===\n\n### A b", "h1#a-b(A em(b)) h1#b(B) h3#a-b-1(A b)"},
		{"## Title {#own .wide lang=\"de\"}\n\n## {odd}", "h2#own[id=own][lang=de][class=wide](Title) h2#odd({odd})"},
		{"- a\n- b\n  - c\n\n1) x\n\n2) y", "ul(li(t(a)) li(t(b) ul(li(t(c))))) ol1(li(p(x)) li(p(y)))"},
		{"- [ ] a\n- [x] *b*\n- [y] c\n- [z](d)", "ul(todo(t(a)) done(t(em(b))) li(t([y] c)) li(t(a<d>(z))))"},
		{"> a\n> > b\n\n***", "quote(p(a) quote(p(b))) rule"},
		{"    code\n\n    more\n", `code("code\n\nmore\n")`},
		{"```\nx", `code("x\n")`},
		{"| a | b |\n|--|:-:|\n| `c\\|d` | e \\| f | g |\n| h", "table[0 3](a|b / `c|d`|e | f / h)"},
		{"Term\n: What *it* means\n\nOther\nAnother\n: One\n: Two", "dl(dt(Term) dd(t(What em(it) means)) dt(Other) dt(Another) dd(t(One)) dd(t(Two)))"},
		{"a[^x] b[^y] c[^x]\n\n[^x]: First\n\n    - more\n[^z]: never used\n[^y]: Second[^x]", "p(aref1.1 bref2.1 cref1.2) note1×3(p(First) ul(li(t(more)))) note2×1(p(Secondref1.3))"},
		{"||a|\n|-|-|\n|||b|\n|", "table[0 0](|a / | / )"},
		{"a[^none]", "p(a[^none])"},
		{"- a[^x]\n\n  [^x]:\n    b\n\n    c\n\n- d", "ul(li(p(aref1.1)) li(p(d))) note1×1(p(b) p(c))"},
		{"a[^x]\n\n[^x]:\n b\n", "p(aref1.1) p(b) note1×1()"},
		{"> - a\n>\n> - b\n\n- c\n  ```\n\n  ```\n- > d\n  >\n- e", "quote(ul(li(p(a)) li(p(b)))) ul(li(t(c) code(\"\\n\")) li(quote(p(d))) li(t(e)))"},
		{"- a\n\n  [b]: c\n- d\n\n<!-- -->\n\n-\n  e\n-\n\n  f", "ul(li(p(a)) li(p(d))) ul(li(t(e)) li()) p(f)"},
		{"a\n| b |\n|---|\n| c |\n= d\n- e\n\n> f\n--|", "p(a) table[0](b / c / = d) ul(li(t(e))) quote(p(f·--|))"},
		{"[a]: /b 'c'\n\n[a] [d][A] ![a]", "p(a</b c>(a) a</b c>(d) img</b c>(a))"},
		{"> $$\n> a*b\n>   c\n> $$", `quote(code.math.Math("a*b\n  c\n"))`},
		{"- a\n\n  $$\n  > b\n  $$\n- > [!tip]\n  > $$\n  >c\n  > $$", "ul(li(p(a) code.math.Math(\"> b\\n\")) li(" + fmt.Sprintf("@tip:%dtip(code.math.Math(\"c\\n\"))", element.Callout) + "))"},
		{"$$\na\n$$ (eq:b)\n\n> $$ c $$ (d)\n\n\\begin{align*}\ne &= f\\\\\n\\end{align*}\n\n\\begin{g}\n\n$$ h $$ (i j)", `code.math.Math("a\n") quote(code.math.Math(" c \n")) code.math.Math("\\begin{align*}\ne &= f\\\\\n\\end{align*}\n") p(\begin{g}) p($$ h $$ (i j))`},
		{"!> a **b**\nc\n\n?> d\n\n!>e\n\n- f\n\n  ?> g", "@warning:1warning(p(a strong(b)·c)) @tip:1tip(p(d)) p(!>e) ul(li(p(f) @tip:1tip(p(g))))"},
		{"\\[\n\\frac{a}{b} *c*\n\\]\n\n\\[x^2\\]", `code.math.Math("\\frac{a}{b} *c*\n") code.math.Math("x^2\n")`},
		{"> \\\\[\n> x^2\n> \\\\]", `quote(code.math.Math("x^2\n"))`},
		{"\\[Optional\\]\n\n\\[x^2\\] y", `p([Optional]) p(\[x^2\] y)`},
		{"```ansi\n\x1b[90m┌\x1b[39m \x1b[1m\x1b[36mWelcome!\x1b[0m\x1b[\n```", `code.ansi("┌ Welcome!\x1b[\n")`},
		{"$$\na^2\n$$\n\n$$x$$\n\ncosts $$ much", `code.math.Math("a^2\n") code.math.Math("x\n") p(costs $$ much)`},
		{"\uFEFFa\r\nb\rc\x00", "p(a·b·c\uFFFD)"},
	})
}

func TestHeadings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content string
		mdx     bool
		want    string
	}{
		{"text\n#hashtag\n####### seven", false, ""},
		{"# One\n## Two ##\n### *Three* & `four`", false, "1 One #one ; 2 Two #two ; 3 Three & four #three--four"},
		{"One\n===\n\nTwo\nlines\n---\n", false, "1 One #one ; 2 Two lines #two-lines"},
		{"# A\n# A\n# a-1\n# A", false, "1 A #a ; 1 A #a-1 ; 1 a-1 #a-1-1 ; 1 A #a-2"},
		{"# Größe: 日本語_x!", false, "1 Größe: 日本語_x! #größe-日本語_x"},
		{"# [Link](x) and ![image](y)", false, "1 Link and image #link-and-image"},
		{"# [![Logo](a)B](c) ![d](e)\n## ![f](g)", false, "1 B d #logob-d ; 2 f #f"},
		{"## Custom {#my-Id}\n## Kept {x}\n## Both {.c #d}", false, "2 Custom #my-Id ; 2 Kept {x} #kept-x ; 2 Both #d"},
		{"## A {/*own*/}\n## B {/* to-do later */}\n## 参考 {/* reference */}", false, "2 A #own ; 2 B {/* to-do later */} #b--to-do-later- ; 2 参考 #reference"},
		{"## A {: .no_toc }\n## B {:.x #own}\n## C {.x}\n## D {...x}\n## *E*{:.x}", false, "2 A #a ; 2 B #own ; 2 C #c ; 2 D {...x} #d-x ; 2 E #e"},
		{"## Custom {#my-id}\n## Value {x}", true, "2 Custom #my-id ; 2 Value #value"},
		{"> # Quoted\n\n- # Item\n\n```\n# code\n```\n    # code", false, "1 Quoted #quoted ; 1 Item #item"},
		{"<Step>\n  # Inside\n</Step>", true, "1 Inside #inside"},
		{"#\n# \t\n", false, "1  # ; 1  #-1"},
		{"# List<String> <b>a</b> &amp; b", false, "1 List<String> a & b #list-a--b"},
	} {
		var parts []string
		for _, h := range Parse(c.content, Options{MDX: c.mdx}).headings {
			parts = append(parts, fmt.Sprintf("%d %s #%s", h.Level, h.Text, h.Anchor))
		}
		if have := strings.Join(parts, " ; "); have != c.want {
			t.Errorf("headings of %q, MDX %v\nhave %s\nwant %s", c.content, c.mdx, have, c.want)
		}
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	d := Parse(strings.Repeat("\n", MaxLines), Options{})
	if have := dumpNotices(d); len(d.Blocks) != 1 || have != "1:1: too large: " {
		t.Errorf("%d lines: have %d blocks, %s", MaxLines, len(d.Blocks), have)
	}
}

func TestInlines(t *testing.T) {
	t.Parallel()
	checkTrees(t, Options{}, []treeCase{
		{"***a** b*_c_~~d~~ ~e~ \\*f\\*", "p(em(strong(a) b)em(c)del(d) del(e) *f*)"},
		{"`` a`b `` `c\nd`", "p(`a`b` `c d`)"},
		{"&amp; &copy; &#35; &#x22; &nope; &copyx;", "p(& © # \" &nope; &copyx;)"},
		{"<https://a.example> b@c.example www.d.example https://e.example/f.", "p(a<https://a.example>(https://a.example) a<mailto:b@c.example>(b@c.example) a<http://www.d.example>(www.d.example) a<https://e.example/f>(https://e.example/f).)"},
		{"http://a.example/b\\`, https://a.example/c\\d", "p(a<http://a.example/b>(http://a.example/b)`, a<https://a.example/c\\d>(https://a.example/c\\d))"},
		{"[a **b**](c \"d\") ![e *f*](g 'h'){width=300}", "p(a<c d>(a strong(b)) img[width=300]<g h>(e f))"},
		{"[button](x){ .wide target=_blank } {.no}", "p(a[target=_blank][class=wide]<x>(button) {.no})"},
		{"[a [b](c) d](e)", "p([a a<c>(b) d](e))"},
		{"H<sub>2</sub>O <kbd>Ctrl</kbd> a<br>b <b>c", "p(H<sub>(2)O <kbd>(Ctrl) a↵b <b>(c))"},
		{"a</br>b\n\n<table><tr><td>c</br>d</td></tr></table>", "p(a↵b) table(tr(td(t(c↵d))))"},
		{"List<String> and <custom-tag>x</custom-tag> and </p> end", "p(List<String> and x and  end)"},
		{"<a href=\"x?a=1&amp;b\" title=t>y</a> <img src=i alt='&quot;'>", "p(a[href=x?a=1&b][title=t]<x?a=1&b t>(y) img[src=i][alt=\"]<i>(\"))"},
		{"a <!-- b --> c <script>d</script> e", "p(a  c  e)"},
	})
}

func TestMarkup(t *testing.T) {
	t.Parallel()
	checkTrees(t, Options{}, []treeCase{
		{"<div align=\"center\">\n<b>a</b> &amp; b\n</div>", "div[align=center](t(<b>(a) & b))"},
		{"<datalist id=\"a\"><option>B</option></datalist>", "p(B)"},
		{"<details>\n<summary>More</summary>\n\n**a**\n\n</details>\n\nafter", "details(summary(t(More)) p(strong(a))) p(after)"},
		{"<p>a\n<p>b\n", "p(t(a)) p(t(b))"},
		{"<ul><li>a<li>b</ul>", "ul(li(t(a)) li(t(b)))"},
		{"<table><tr><td>a<td>b</table>", "table(tr(td(t(a)) td(t(b))))"},
		{"<script>\nalert(1)\n</script>\n\ntext", "p(text)"},
		{"<!-- c -->\n\ntext", "p(text)"},
		{"</div>\n\ntext", "p(text)"},
		{"a\n\n<video controls>\n  <source src=\"v.mp4\">\n</video>", "p(a) t(a<v.mp4>(v.mp4))"},
		{"<iframe src=\"https://v.example\" title=\"Film\"></iframe>", "t(a<https://v.example>(Film))"},
		{"<center><font color=red>x</font></center>", "div[align=center](t(<span[color=red]>(x)))"},
		{"<a href=x>\n\n![b](c)\n\n</a>", "p(a[href=x]<x>(img<c>(b)))"},
		{"<pre>\n a\n  <b>c</b>\n</pre>", "pre(t(\n a\n  <b>(c)\n))"},
	})
}

func TestAdmonitions(t *testing.T) {
	t.Parallel()
	checkTrees(t, Options{}, []treeCase{
		{":::note\na\n:::\nb", fmt.Sprintf("@note:%dnote(p(a)) p(b)", element.Callout)},
		{":::tip[Use `x`]\n- a\n:::", fmt.Sprintf("@tip:%dtip“Use `x`”(ul(li(t(a))))", element.Callout)},
		{"::: warning Mind\na\n:::", fmt.Sprintf("@warning:%dwarning“Mind”(p(a))", element.Callout)},
		{"::::note\n:::danger\na\n:::\nb\n::::", fmt.Sprintf("@note:%dnote(@danger:%ddanger(p(a)) p(b))", element.Callout, element.Callout)},
		{":::note\n```\n:::\n```\n:::", fmt.Sprintf("@note:%dnote(code(\":::\\n\"))", element.Callout)},
		{":::details More\na\n:::", fmt.Sprintf("@details:%d“More”(p(a))", element.Accordion)},
		{":::\na", "p(:::·a)"},
		{"> [!NOTE]\n> a\n> - b", fmt.Sprintf("@note:%dnote(p(a) ul(li(t(b))))", element.Callout)},
		{"> [!WARNING] Mind *it*\n> a", fmt.Sprintf("@warning:%dwarning“Mind em(it)”(p(a))", element.Callout)},
		{"> [!NB] My *title*\n> a", fmt.Sprintf("@nb:%dnote“My em(title)”(p(a))", element.Callout)},
		{"> [!ملحوظة]\n> a", fmt.Sprintf("@ملحوظة:%dnote“ملحوظة”(p(a))", element.Callout)},
		{"> [!EXAMPLE]\n> a\n\n:::best-practice\na\n:::", fmt.Sprintf("@example:%dnote“Example”(p(a)) @best-practice:%dtip“Best practice”(p(a))", element.Callout, element.Callout)},
		{"> [!Quote] Whose\n> a", fmt.Sprintf("@quote:%dnote“Whose”(p(a))", element.Callout)},
		{"> [!only-desktop|x]- \n> a", fmt.Sprintf("@only-desktop:%dnote“Only desktop”[folds=true](p(a))", element.Callout)},
		{"> [!tip]+ Open\n> > [!odd]\n> > a", fmt.Sprintf("@tip:%dtip“Open”[folds=false](@odd:%dnote“Odd”(p(a)))", element.Callout, element.Callout)},
		{"> [!div class=\"nextstepaction\"]\n> [Next](x.md)", "div(p(a<x.md>(Next)))"},
		{"> [!div class=\"checklist\"]\n>\n> - a", "div(ul(li(t(a))))"},
		{"> [!div]\n> b\n> ## c", "div(p(b) h2#c(c))"},
		{"> [!VIDEO https://a.b/c]\n> d", "div(p(a<https://a.b/c>(https://a.b/c)) p(d))"},
		{"> [!divide] b\n\n> [!video]", fmt.Sprintf("@divide:%dnote“Divide”(p(b)) @video:%dnote“Video”()", element.Callout, element.Callout)},
		{"> [!a](b)\n\n> [![a](b)](c)\n\n> [!]\n\n> [!a b]", "quote(p(a<b>(!a))) quote(p(a<c>(img<b>(a)))) quote(p([!])) quote(p([!a b]))"},
	})
}

func TestContainers(t *testing.T) {
	t.Parallel()
	checkTrees(t, Options{}, []treeCase{
		// attributes
		{"::: details Click me {open}\na\n:::", fmt.Sprintf("@details:%d“Click me”[open=true](p(a))", element.Accordion)},
		{"::: details {open .x}\na\n:::", fmt.Sprintf("@details:%d[open=true][class=x](p(a))", element.Accordion)},
		{"::: info Own *id* {#own .wide}\na\n:::", fmt.Sprintf("div[id=own](@info:%dinfo“Own em(id)”[id=own][class=wide](p(a)))", element.Callout)},
		{":::note[T]{#own}\na\n:::", fmt.Sprintf("div[id=own](@note:%dnote“T”[id=own](p(a)))", element.Callout)},
		{":::note{title=\"A b\"}\na\n:::", fmt.Sprintf("@note:%dnote“A b”[title=A b](p(a))", element.Callout)},
		{"::: {.callout-tip #own}\na\n:::", fmt.Sprintf("div[id=own](@tip:%dtip[id=own][class=callout-tip](p(a)))", element.Callout)},
		{"::: tip Sets like {1, 2}\na\n:::", fmt.Sprintf("@tip:%dtip“Sets like {1, 2}”(p(a))", element.Callout)},
		// kinds
		{"::: v-pre\n{{ a }}\n:::\n\n::: raw\nb\n:::", "p({{ a }}) p(b)"},
		{"::: center\na\n:::", "p(a)"},
		{"::: theorem\na\n:::\n\n::: lemma Of x\nb\n:::", fmt.Sprintf("@theorem:%dnote“Theorem”(p(a)) @lemma:%dnote“Of x”(p(b))", element.Callout, element.Callout)},
		// of one line
		{":::image type=\"content\" source=\"m/a.png\" alt-text=\"A b\":::\n\n## C", "p(img<m/a.png>(A b)) h2#c(C)"},
		{":::image type=\"complex\" source=\"a.png\" alt-text=\"b\":::\n\nLong.\n\n:::image-end:::\n\nc", "p(img<a.png>(b)) p(Long.) p(c)"},
		{":::video source=\"https://v.example/a\" title=\"b\":::", "p(a<https://v.example/a>(b))"},
		{":::note Take *care* :::\n\na", fmt.Sprintf("@note:%dnote(p(Take em(care))) p(a)", element.Callout)},
		{":::tip[T] text:::\na", fmt.Sprintf("@tip:%dtip“T”(p(text)) p(a)", element.Callout)},
		{":::row:::\n:::column span=\"2\":::\na\n:::column-end:::\n:::row-end:::\nb", "p(a) p(b)"},
		{"- a\n  :::image source=\"b\":::\n- c", "ul(li(t(a) p(img<b>())) li(t(c)))"},
		// closed by name, or not at all
		{"::: zone pivot=\"x\"\na\n\n:::note\nb\n:::\n::: zone-end\nc", fmt.Sprintf("p(a) @note:%dnote(p(b)) p(c)", element.Callout)},
		{":::moniker range=\">= 2\"\na\n:::moniker-end\nb", "p(a) p(b)"},
		{":::note\na\n\nb\n\n## C\n\n:::tip\nd\n:::\n\n## E", fmt.Sprintf("@note:%dnote(p(a) p(b)) h2#c(C) @tip:%dtip(p(d)) h2#e(E)", element.Callout, element.Callout)},
		{":::note\n## A\nb\n## C", fmt.Sprintf("@note:%dnote(h2#a(A) p(b)) h2#c(C)", element.Callout)},
		{":::note\n## A\n## B\n:::", fmt.Sprintf("@note:%dnote(h2#a(A) h2#b(B))", element.Callout)},
		{"- :::note\n  a\n\n  ## B\n\nc", fmt.Sprintf("ul(li(@note:%dnote(p(a)) h2#b(B))) p(c)", element.Callout)},
		{"::::note\n:::tip\na\n::::\nb", fmt.Sprintf("@note:%dnote(@tip:%dtip(p(a))) p(b)", element.Callout, element.Callout)},
	})
	checkTrees(t, Options{MDX: true}, []treeCase{
		{"::: v-pre\n{{ a }} b\n\n{{ c }}\n:::\n\n{1} {x}", "p({{ a }} b) p({{ c }}) p(1)"},
		{"::: v-pre\n{{ a }}", "p({{ a }})"},
	})
	if have := dumpNotices(Parse("a\n\n:::note T\nb\n\n:::image source=\"c\":::", Options{})); have != "3:1: never closed: :::note T" {
		t.Errorf("have %s", have)
	}
}

func TestFences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ info, text, want string }{
		{"go", "a\n", `.go("a\n")`},
		{"js {1,3-4} title=\"x y.js\"", "a\n", `.js.x y.js{1-1:1}{3-4:1}("a\n")`},
		{"js{2}", "a\n", `.js{2-2:1}("a\n")`},
		{"js [tab] ins={1} del={2-3}", "a\n", `.js.tab{1-1:2}{2-3:3}("a\n")`},
		{"bash npm install", "a\n", `.bash.npm install("a\n")`},
		{"{.python title=\"t.py\" hl_lines=\"1 3\" linenums=\"5\"}", "a\n", `.python.t.py#5{1-1:1}{3-3:1}("a\n")`},
		{"mermaid", "a\n", `.mermaid.Diagram("a\n")`},
		{"ts showLineNumbers filename=\"a.ts\"", "a\n", `.ts.a.ts#1("a\n")`},
		{"js", "a // [!code ++]\nb # [!code highlight:2]\nc\n", `.js{1-1:2}{2-3:1}("a\nb\nc\n")`},
		{"js", "// highlight-next-line\na\n# highlight-start\nb\nc\n# highlight-end\nd\n", `.js{1-1:1}{2-3:1}("a\nb\nc\nd\n")`},
		{"c++ a\\&amp;b", "a\n", `.c++.a&amp;b("a\n")`},
		{"x {9999999999999999999,2-1,0,a}", "a\n", `.x("a\n")`},
	} {
		d := Parse("```"+c.info+"\n"+c.text+"```", Options{})
		if have := dump(d); have != "code"+c.want {
			t.Errorf("fence %q, %q\nhave %s\nwant code%s", c.info, c.text, have, c.want)
		}
	}
}

func TestPositions(t *testing.T) {
	t.Parallel()
	const content = "# Hé *llo*\r\n\r\n> quoted [link](x)\n> and\n>   *more*\n\n| a | é `c` |\n|---|---|\n| d | **e** |\n\n- [ ] task\n"
	want := map[string]Position{
		"*document.Heading":   {Line: 1, Column: 1},
		"*document.Emphasis1": {Line: 1, Column: 6},
		"*document.Quote":     {Line: 3, Column: 1},
		"*document.Link":      {Line: 3, Column: 10},
		"*document.Emphasis":  {Line: 5, Column: 5},
		"*document.Table":     {Line: 7, Column: 1},
		"*document.CodeSpan":  {Line: 7, Column: 9},
		"*document.Strong":    {Line: 9, Column: 7},
		"*document.List":      {Line: 11, Column: 1},
	}
	d := Parse(content, Options{})
	seen := 0
	d.Walk(func(n Node) bool {
		name := fmt.Sprintf("%T", n)
		p := d.Position(n.Pos())
		if name == "*document.Emphasis" && p.Line == 1 {
			name += "1"
		}
		if place, ok := want[name]; ok {
			seen++
			if name == "*document.CodeSpan" {
				p.Column-- // its text starts behind the backquote
			}
			if p != place {
				t.Errorf("%s in %q: have %v, want %v", name, content, p, place)
			}
		}
		return true
	})
	if seen != len(want) {
		t.Errorf("%q: have %d of %d nodes", content, seen, len(want))
	}
	if have := Parse("x", Options{FirstLine: 7}); have.Position(0) != (Position{Line: 7, Column: 1}) {
		t.Errorf("FirstLine 7: have %v", have.Position(0))
	}
}

func TestContents(t *testing.T) {
	t.Parallel()
	d := Parse("intro\n\n# A\n\na *b*\n\n| c | d |\n|---|---|\n| e | f |\n\n```go\ncode()\n```\n\n### B\n\n## C\n\n#\n\n# D\n", Options{})
	have := ""
	var write func(entries []Entry)
	write = func(entries []Entry) {
		for _, e := range entries {
			have += e.Text + "("
			write(e.Entries)
			have += ")"
		}
	}
	write(d.Contents(1, 3))
	have += ", "
	write(d.Contents(2, 3)) // without the title
	if want := "A(B()C())D(), B()C()D()"; have != want {
		t.Errorf("Contents: have %s, want %s", have, want)
	}
}
