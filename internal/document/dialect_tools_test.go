package document

import (
	"strings"
	"testing"
)

func TestDialectsOfGenerators(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ dialect, content, want string }{
		// Hugo and its themes
		{"hugo", "{{% alert title=\"Mind *it*\" color=\"warning\" %}}\nA **b**.\n{{% /alert %}}\nc", "@warning:1warning“Mind em(it)”(p(A strong(b).)) p(c)"},
		{"hugo", "{{< alert color=\"primary\" >}}a{{< /alert >}}\n\n{{% pageinfo %}}\nb\n{{% /pageinfo %}}", "@info:1info(p(a)) @note:1note(p(b))"},
		{"hugo", "{{< note >}}\na\n{{< /note >}}\n{{% notice warning \"B\" %}}\nc\n{{% /notice %}}\n{{< hint info >}}\nd\n{{< /hint >}}", "@note:1note(p(a)) @warning:1warning“B”(p(c)) @info:1info(p(d))"},
		{"hugo", "{{< tabpane >}}\n{{< tab header=\"T:\" disabled=true />}}\n{{< tab header=\"One\" lang=\"sh\" >}}\n# go *one*\n{{< /tab >}}\n{{% tab header=\"Two\" lang=\"sh\" %}}\ntwo\n{{% /tab %}}\n{{< /tabpane >}}", "@Tabs:2(@Tab:3“One”(code.sh(\"# go *one*\\n\")) @Tab:3“Two”(p(two)))"},
		{"hugo", "{{< tabpane text=true >}}\n{{< tab header=\"A\" >}}\n*a*\n{{< /tab >}}\n{{< tab header=\"B\" >}}*b* {{< /tab >}}\n{{< /tabpane >}}\n{{< tabpane lang=\"sh\" >}}\n{{< tab header=\"C\" >}}# *c*{{< /tab >}}\n{{< /tabpane >}}", "@Tabs:2(@Tab:3“A”(p(em(a))) @Tab:3“B”(p(em(b)))) @Tabs:2(@Tab:3“C”(code.sh(\"# *c*\\n\")))"},
		{"hugo", "{{< figure src=\"a.png\" title=\"T\" caption=\"*c*\" attr=\"by\" attrlink=\"/d e\" link=\"/f\" >}}\n{{< figure src=\"b.png\" link=\"g.md\" >}}", "@Figure:14“strong(T) em(c) a</d e>(by)”(p(a</f>(img[src=a.png][title=T][caption=*c*][attr=by][attrlink=/d e][link=/f]<a.png>()))) @Figure:14(p(a<g.md>(img[src=b.png][link=g.md]<b.png>())))"},
		{"hugo", "{{< ref \"p.md\" >}} {{< relref path=\"/a/p\" >}}", "p(a[href={{< ref \"p.md\" >}}]<{{< ref \"p.md\" >}}>(p.md) a[href=/a/p]</a/p>(/a/p))"},
		{"hugo", "{{< tabpane lang=\"sh\" >}}\n{{< tab header=\"One\" >}}\n# go\n{{< /tab >}}\n{{< tab name=\"Two\" >}}\n# go\n{{< /tab >}}\n{{< /tabpane >}}", "@Tabs:2(@Tab:3“One”(code.sh(\"# go\\n\")) @Tab:3“Two”(code.sh(\"# go\\n\")))"},
		{"hugo", "{{< tabpane text=true >}} {{% tab \"A\" %}}\na\n{{% /tab %}} {{% tab \"B\" %}}\nb\n{{% /tab %}}\n{{< /tabpane >}}", "@Tabs:2(@Tab:3“A”(p(a)) @Tab:3“B”(p(b)))"},
		{"hugo", "{{< tabs items=\"One,Two\" >}}\n{{< tab >}}a{{< /tab >}}\n{{< tab >}}b{{< /tab >}}\n{{< /tabs >}}", "@Tabs:2(@Tab:3“One”(p(a)) @Tab:3“Two”(p(b)))"},
		{"hugo", "{{< highlight go \"linenos=table,hl_lines=1 3-4,linenostart=7\" >}}\n# a\n---\n{{< /highlight >}}\n\nx {{< highlight sh >}}b *c*{{< /highlight >}} y", "code.go#7{1-1:1}{3-4:1}(\"# a\\n---\\n\") p(x <code>(b *c*) y)"},
		{"hugo", "{{< code-toggle file=hugo >}}\n[params]\n# b\n---\n{{< /code-toggle >}}\n{{< mermaid >}}\ngraph\n{{< /mermaid >}}\n{{< comment >}}\nno\n{{< /comment >}}", "code.toml.hugo(\"[params]\\n# b\\n---\\n\") code.mermaid.Diagram(\"graph\\n\")"},
		{"hugo", "{{< figure src=\"a.png\" alt=\"A\" caption=\"B *c*\" >}}\n{{< figure src=\"b.png\" >}}", "@Figure:14“B em(c)”(p(img[src=a.png][alt=A][caption=B *c*]<a.png>(A))) p(img[src=b.png]<b.png>())"},
		{"hugo", "See [a]({{< relref \"b.md\" >}}#c) and {{< ref \"/d\" >}}, {{% param version %}}{{< br >}} v{{< hugo-version >}}. {{</* note */>}}", "p(See a<{{< relref \"b.md\" >}}#c>(a) and a[href=/d]</d>(/d), ↵ v. {{< note >}})"},
		{"hugo", "{{< details \"More\" >}}\na\n{{< /details >}}\n{{< youtube abc >}}\n{{< badge \"new\" >}} {{< button href=\"x\" >}}Go{{< /button >}}", "@Accordion:12“More”(p(a)) p(a<https://www.youtube.com/watch?v=abc>(https://www.youtube.com/watch?v=abc)) p(<Badge>(new) a[href=x]<x>(Go))"},
		{"hugo", "{{% cardpane %}}\n{{% card\n  header=\"A\"\n%}}\nb\n{{% /card %}}\n{{% /cardpane %}}\n{{< card link=\"c\" title=\"C\" subtitle=\"d\" >}}", "@Cards:7(@Card:8“A”(p(b))) @Card:8“C”(p(d))"},
		{"hugo", "a {{< new-in 1.2 />}}\n\n{{< deprecated-in 1.3 >}}\nb\n{{< /deprecated-in >}}\n\n{{< imgproc c Resize 8x >}}\n*d*\n{{< /imgproc >}}\n{{< imgproc \"e.png\" Fit 8x />}}", "p(a <Badge>(new in 1.2)) @note:1note“Deprecated in 1.3”(p(b)) @Figure:14“em(d)”(p(img[src=c.*]<c.*>())) @Figure:14(p(img[src=e.png]<e.png>()))"},
		{"hugo", "{{< tabpane lang=\"c\" >}}\n{{< tab \"A\" >}}\n*a* {{</* b */>}}\n{{< /tab >}}\n{{< /tabpane >}}\n{{< tabpane text=true >}}\n{{< tab header=\"B\" >}}\n*b*\n{{< /tab >}}\n{{< /tabpane >}}\n{{< tabs >}}\n{{< tab \"C\" >}}\n*c*\n{{< /tab >}}\n{{< /tabs >}}", "@Tabs:2(@Tab:3“A”(code.c(\"*a* {{< b >}}\\n\"))) @Tabs:2(@Tab:3“B”(p(em(b)))) @Tabs:2(@Tab:3“C”(p(em(c))))"},
		{"hugo", "{{% card title=\"A\" subtitle=\"*b*\" footer=\"![c](d.png)\" %}}\ne\n{{% /card %}}", "@Card:8“A”(p(em(b)) p(e) p(img<d.png>(c)))"},
		{"hugo", "```\n{{</* a\n*/>}}\n{{</* b */>}}\n```\n\n| c | d\n|---|---|---\n| e | f | g", "code(\"{{< a\\n>}}\\n{{< b >}}\\n\") table[0 0 0](c|d / e|f|g)"},
		{"hugo", "{{< box title=\"A\" color=\"red\" >}}\nb\n{{< /box >}}\n\nc {{< box id=3 >}} *d* {{< none >}}", "p(strong(A)) p(b) p(c  em(d))"},
		{"hugo", "- a\n\n  {{< tip >}}\n  b\n  {{< /tip >}}\n- c\n\n{.lead}\nd\n{class=\"e\"}", "ul(li(p(a) @tip:1tip(p(b))) li(p(c))) div[class=lead][class=e](p(d))"},
		{"hugo", "*a* b\n: c\n\na b\nd\n: e\n\n## D", "dl(dt(<span[id=a-b]>(em(a) b)) dd(t(c)) dt(<span[id=a-b-1]>(a b)) dt(<span[id=d]>(d)) dd(t(e))) h2#d-1(D)"},
		{"hugo", "<div>\n{{% blocks/hero a=\"b\"\nc=\"d\" %}}\n*e* :collision:\n{{% /blocks/hero %}}\n</div>", "div(p(a: b) p(c: d) p(em(e) 💥))"},
		{"hugo", "{{< code-toggle file=a >}}\nb\n{{</ code-toggle >}}\nc", "code.toml.a(\"b\\n\") p(c)"},
		{"hugo", "{{< code-toggle config=a />}}\n\nb {{< highlight c />}} d", "p(b  d)"},
		{"hugo", "```\n{{< note >}}\n```\n`{{< note >}}`\n\n{{< note >}}\n\n# a\n\nb", "code(\"{{< note >}}\\n\") p(`{{< note >}}`) h1#a(a) p(b)"},
		{"hugo", "{{< note\n\n{{ a }} {{< }} {{<>}}", "p({{< note) p({{ a }} {{< }} {{<>}})"},
		{"hugo", "a {{% comment %}} x {{% /comment %}} b\n\n{{< comment >}} y\nz {{< /comment >}}\n\n- c\n\n    {{< note >}}\n  d\n\n    {{< /note >}}\n\n{{< tip >}}\ne\n\n    {{< /tip >}}", "p(a  b) ul(li(p(c) @note:1note(p(d)))) @tip:1tip(p(e))"},
		{"hugo", "x <a class=\"b\" href=\"{{< relref \"/d\" >}}#e\">f</a> <a {{% g %}} href='h'>i</a>\n\n<p {{< j >}}>\nk\n</p>\n{{% blocks/feature title=\"T\" url=\"u\" %}}\nl\n{{% /blocks/feature %}}", "p(x a[class=b][href={{< relref \"/d\" >}}#e]<{{< relref \"/d\" >}}#e>(f) a[href=h]<h>(i)) p(t(k)) @Card:8“T”(p(l))"},
		{"hugo", "{{< card\n  header=\"**A**\"\n  title=\"b\"\n>}}\nc\n{{< /card >}}\n- d\n  {{< figure\n  src=\"e\"\n  >}}\n{{< card code=true header=\"[F](g)\" lang=\"c\" >}}\n#include <h>\n{{< /card >}}", "@Card:8“strong(A) b”(p(c)) ul(li(t(d) p(img[src=e]<e>()))) @Card:8“a<g>(F)”(code.c(\"#include <h>\\n\"))"},
		// Jekyll
		{"jekyll", "{% highlight sh %}\n{% raw %}{% highlight a %}\nb\n{% endhighlight %}{% endraw %}\n{% endhighlight %}", "code.sh(\"{% highlight a %}\\nb\\n{% endhighlight %}\\n\")"},
		{"jekyll", "{% highlight sh %}\n{% raw %}a {{ b }}{% endraw %}\n{% endhighlight %}\n\n```\n{% raw %}\n{{ c }}\n{% endraw %}\n```\n`{% raw %}{{ d }}{% endraw %}` {% raw %}{{ e }} {% f %}{% endraw %}", "code.sh(\"a {{ b }}\\n\") code(\"{{ c }}\\n\") p(`{{ d }}` {{ e }} {% f %})"},
		{"jekyll", "[a]({% link _docs/b.md %}#c) [d]({{ site.baseurl }}{% post_url 2024-01-02-e %}) [f]({{ '/g' | relative_url }}) [h]({{ site.x }}/y) ![i]({{ site.baseurl }}/j.png)", "p(a</_docs/b.md#c>(a) a<wiki:2024-01-02-e>(d) a</g>(f) h img</j.png>(i))"},
		{"jekyll", "<table>\n<tr><th>A</th></tr>\n{% for x in y %}\n<tr><td>{%- for z in x %}<code>{{ z }}</code>{% endfor -%}</td></tr>\n{% endfor %}\n<tr><td>B</td></tr>\n</table>", "table(tr(th(t(A))) tr(td(t(B))))"},
		{"jekyll", "<p>{% raw %}{% for a %}{% endraw %} b {% for c in d %}</p>", "p(t({% for a %} b))"},
		{"jekyll", "{% include_relative none.md %}\n{% include seo.html %}\n{% include note.html content=\"A\" %}\n{% include a.html %}", "@note:1note(p(A))"},
		{"jekyll", "{% if a %}\nb {{ page.title }}\n{% else %}\nc\n{% endif %}\n{% for x in y %}\n- {{ x }}\n{% endfor %}\n{% comment %}\nno\n{% endcomment %}\nd {% comment %}no{% endcomment %}{% assign e = 1 %}", "p(b) p(c) p(d)"},
		{"jekyll", "<p>{{ site.title }} {% if a %}b{% endif %}</p>\n\n{% gist a/b %}\n{% odd x=\"y\" %}\na\n{% endodd %} :smile:", "p(t(b)) p(a<https://gist.github.com/a/b>(https://gist.github.com/a/b)) p(x: y) p(a) p(😄)"},
		{"jekyll", "# A\n\n## Contents\n{: .no_toc .b }\n\n1. TOC\n{:toc}\n\n## C\n\n<span class=\"d\">\n[e](f){: .g }\n</span>", "h1#a(A) h2#c(C) p(<span[class=d]>(·a[class=g]<f>(e)·))"},
		{"jekyll", "<p><a href=\"{{ '/a/' | relative_url }}\">b</a></p>\n\n<img src=\"{{ site.baseurl }}/c.png\"> <a href=\"{% link d.md %}\">e</a>", "p(t(a[href=/a/]</a/>(b))) p(img[src=/c.png]</c.png>() a[href=/d.md]</d.md>(e))"},
		{"hugo", "```\n{% endraw %}```\n```\n\nb", "code(\"{% endraw %}```\\n\") p(b)"},
		{"jekyll", "```\n{% raw %}a\n{% endraw %}```\n\nb", "code(\"a\\n\") p(b)"},
		{"jekyll", "# A\n{: .no_toc }\n\n* TOC\n{:toc}\n\n{: .note }\nb\n\n{: .warning-title }\n> C\n>\n> d", "h1#a[class=no_toc](A) @note:1note(p(b)) @warning:1warning“C”(p(d))"},
		{"jekyll", "<a href=\"{{ \"/a\" | relative_url }}\">b</a> <img src=\"{{ site.baseurl }}/c.png\" alt=\"d\"> <a href=\"{{ site.e }}/f\">g</a>", "p(a[href=/a]</a>(b) img[src=/c.png][alt=d]</c.png>(d) <a>(g))"},
		{"jekyll", "<div class=\"a\" markdown=\"1\">\nb\n</div>\n```sh\nc\n```\n\n<DIV><div>\n</div>\nd\n</DIV>\n*e*\n<p>f</p>\n*g*\n<hr>\n- h", "div[class=a][markdown=1](p(b)) code.sh(\"c\\n\") div(div() t(d)) p(em(e)) p(t(f)) p(em(g)) rule ul(li(t(h)))"},
		{"jekyll", "<details open markdown=\"block\">\n  <summary>\n    A\n  </summary>\n  {: .b }\n- TOC\n{:toc}\n</details>", "details[open=true][markdown=block](summary(t(A)))"},
		{"jekyll", "<div>\n  <p>\n\n    a {% for b in c %}<i>d</i>{% endfor %}\n\n</p>\n\n*e* --- f ---- `---`\n\n</div>\n\n<p markdown=\"1\">g `h`\ni</p>", "div(p(t(a)) p(em(e) — f ---- `---`)) p[markdown=1](p(g `h`·i))"},
		{"hugo", "<div>\na\n</div>\n*b*", "div(t(a)) t(*b*)"},
		// mdBook
		{"mdbook", "{{#title A}}\n\na {{#title b}}\n\n```rust\n# use x;\n## b\n#\nlet a = 1;\n```\n\n```\n# a\n```\n{{#none a}} \\{{#include b}}", "p(a) code.rust(\"# b\\nlet a = 1;\\n\") code(\"# a\\n\") p({{#none a}} {{#include b}})"},
		{"hugo", "```\n{{</* a */>}} {{%/* /b */%}}\n```\n`{{</* c */>}}` {{< hugo-version >}}", "code(\"{{< a >}} {{% /b %}}\\n\") p(`{{< c >}}`)"},
		{"jekyll", "<div class=\"a\" markdown=\"1\">\n*b* {{ c }}\n</div>\n\n## D {% raw %}{{ e }}{% endraw %}", "div[class=a][markdown=1](p(em(b))) h2#d--e-(D {{ e }})"},
		{"mdbook", "```python,hidelines=!!!\n!!!a\nb\n  !!!c\n```\n```python,hidelines=\nd\n```", "code.python(\"b\\n\") code.python(\"d\\n\")"},
		{"mdbook", "```\n\\{{#include a}}\n// ANCHOR: b\n```", "code(\"{{#include a}}\\n// ANCHOR: b\\n\")"},
		// MyST
		{"myst", "```{csv-table} A *b*\n:header: \"c\", d\n:widths: 1, 2\n\n1, \"two, \"\"2\"\"\ne\"\n,*4*\n```\n\n:::{csv-table}\n:delim: tab\n\n5\t6\n:::\n\n```{csv-table} F\n:file: f.csv\n```\n\n```{list-table} G *h*\n\n* - i\n```", "table[header-rows=1](caption(p(A em(b))) tr(th(t(c)) th(t(d))) tr(td(t(1)) td(t(two, \"2\"·e))) tr(td() td(t(em(4))))) table[header-rows=0](tr(td(t(5)) td(t(6)))) table(caption(p(G em(h))) tr(td(t(i))))"},
		{"myst", "- a\n\n:b c: d *e*\n:f: g\n\n1. h\n:i: j", "ul(li(t(a))) dl(dt(b c) dd(p(d em(e))) dt(f) dd(t(g))) ol1(li(t(h))) dl(dt(i) dd(t(j)))"},
		{"myst", "```{csv-table}\n:header: \"a\", \"b\"\n\n1, 2\n```\n```{csv-table}\n:header: >\n:   \"a\",\n:   \"b\"\n:name: x\n\n1, 2\n```", "table[header-rows=1](tr(th(t(a)) th(t(b))) tr(td(t(1)) td(t(2)))) div[id=x]() table[header-rows=1](tr(th(t(a)) th(t(b))) tr(td(t(1)) td(t(2))))"},
		{"myst", "```{code} sh\n:caption: |\n:   a\n:   b\n:linenos:\nc\n```\n```{code} sh\n---\ncaption: >-\n  a: b\nlinenos: true\n---\nc\n```\n```{code} sh\n:filename: a.sh\nc\n```", "code.sh.a b#1(\"c\\n\") code.sh.a: b#1(\"c\\n\") code.sh.a.sh(\"c\\n\")"},
		{"myst", "```{math} a\n:label: b\n```\n```{math} c\n\nd\n```", "div[id=b]() code.math.Math(\"a\\n\") code.math.Math(\"c\\n\") code.math.Math(\"d\\n\")"},
		{"myst", "```{tip}\n:class: c\n# A *b*\nd\n```\n:::{tip} E\n# F\n:::", "@tip:1tip“A em(b)”(div[id=a-b]() p(d)) @tip:1tip“E”(h1#f(F))"},
		{"myst", ":::{card} A\n:header: b *c*\n:footer: d\n\ne\n:::\n:::{line-block}\n*a*\n  b\n\nc\n:::", "@Card:8“A”(p(b em(c)) p(e) p(d)) div(p(em(a)↵\u00a0\u00a0b) p(c))"},
		{"myst", "```{rubric} A *b*\n```\n:::{centered} C\n:::", "p(strong(A em(b))) p(strong(C))"},
		{"myst", "![a](b.png){w=10px h=2em .c} `d`{l=python} `e`{kbd}`f`", "p(img[width=10px][height=2em][class=c]<b.png>(a) `d` `e`<Kbd>(f))"},
		{"myst", "## A {kbd}`B`", "h2#a-b(A <Kbd>(B))"},
		{"myst", "```{my-odd} A\n```\n:::{card} B\nc\n^^^\nd\n+++\ne\n:::", "p(strong(A)) @Card:8“B”(p(c) p(d) p(e))"},
		{"myst", "```{note}\nA *b*.\n```\n:::{warning} C\n:class: x\n:name: y\n\nd\n:::\n```{tip} e\n```", "@note:1note(p(A em(b).)) div[id=y]() @warning:1warning“C”(p(d)) @tip:1tip(p(e))"},
		{"myst", "````{admonition} A *b*\n---\nclass: tip\n---\n```{note}\nc\n```\n````\n:::{versionadded} 1.2\nd\n:::\n:::{dropdown} E\n:open:\nf\n:::", "@tip:1tip“A em(b)”(@note:1note(p(c))) @info:1info“Added in version 1.2”(p(d)) @Accordion:12“E”(p(f))"},
		{"myst", "```{code-block} python\n:caption: a.py\n:linenos:\n:emphasize-lines: 2,4-5\n\nx\n```\n:::{code-block} sh\ny\n:::\n```{math}\n:label: a\nz\n```", "code.python.a.py#1{2-2:1}{4-5:1}(\"x\\n\") code.sh(\"y\\n\") div[id=a]() code.math.Math(\"z\\n\")"},
		{"myst", "::::{tab-set}\n:::{tab-item} A\n:sync: a\nb\n:::\n\n:::{tab-item} C\nd\n:::\n::::\n:::{grid} 2\n:::", "@Tabs:2(@Tab:3“A”(p(b)) @Tab:3“C”(p(d))) @Columns:9()"},
		{"myst", "```{figure} a.png\n:alt: A\n:width: 20px\n\nB *c*\n\nd\n```\n```{image} e.png\n:alt: E\n```\n:::{figure-md}\n![f](g.png)\n\nh\n:::", "@Figure:14“B em(c)”(p(img[src=a.png][alt=A][width=20px]<a.png>(A)) p(d)) p(img[src=e.png][alt=E]<e.png>(E)) p(img<g.png>(f)) p(h)"},
		{"myst", "```{toctree}\n:maxdepth: 2\na\n```\n% remark\n+++ {\"a\": 1}\n(label)=\n## A\n\n```{eval-rst}\n.. a::\n```\n```{contents}\n```\n```{list-table} B\n:header-rows: 1\n* - c\n  - d\n* - *e*\n\n    f\n```", "div[id=label]() h2#a(A) code.rst(\".. a::\\n\") table[header-rows=1](caption(p(B)) tr(th(t(c)) th(t(d))) tr(td(p(em(e)) p(f))))"},
		{"myst", "{ref}`A b <Label>`, {doc}`c/d`, {term}`e <f>`, {py:class}`~a.B`, {kbd}`Ctrl`, H{sub}`2`, {math}`x^2`, {abbr}`HTML (Hyper)`, {menuselection}`A --> B`, {octicon}`x;1em`{download}``f.zip``, {{ v }}, {odd}`g`, {a b}`h`", "p(a[href=#label]<label:#label>(A b), a[href=c/d]<label:c/d>(c/d), e, <code>(a.B), <Kbd>(Ctrl), H<sub>(2), $x^2$, <abbr[title=Hyper]>(HTML), <strong>(A › B), a[href=f.zip]<f.zip>(f.zip), , g, {a b}`h`)"},
		{"myst", ":a b: *c*\n   d\n:*e*:\n\n  - f\n:g:\n\nh\n:i: j\n:smile: k", "dl(dt(a b) dd(t(em(c)·d)) dt(em(e)) dd(ul(li(t(f)))) dt(g) dd()) p(h·:i: j·:smile: k)"},
		{"jekyll", "[a]({{'/b/' | relative_url }}) [c]({% link\n_posts/d.md %}) [e]({{ site.x\n}}/f)", "p(a</b/>(a) a</_posts/d.md>(c) e)"},
		{"myst", "- a\n\n:b: c\n:d: e\n- f\n\n  :g: h", "ul(li(t(a))) dl(dt(b) dd(p(c)) dt(d) dd(t(e))) ul(li(p(f) dl(dt(g) dd(p(h)))))"},
		{"mkdocs", "\\[\na_1 * b_2 * c\n\\]\n\nd \\(x_1 * y_2\\) \\(n\\) e\\(s\\) \\[f\\] \\(some_a *g*\\) \\[x\\] h", "code.math.Math(\"a_1 * b_2 * c\\n\") p(d \\(x_1 * y_2\\) \\(n\\) e(s) [f] (some_a em(g)) [x] h)"},
		{"hugo", "x \\(a*b*c\\)", "p(x (aem(b)c))"},
		{"mkdocs", ";--8<-- \"a.md\"\n\nx ;--8<-- y", "p(--8<-- \"a.md\") p(x ;--8<-- y)"},
		{"hugo", "{{< gist a 1b c_d.py >}}\n\n{{< gist a 1b >}}\n\n{{< iframe src=\"https://a.b/c\" >}}", "p(a<https://gist.github.com/a/1b#file-c-d-py>(https://gist.github.com/a/1b#file-c-d-py)) p(a<https://gist.github.com/a/1b>(https://gist.github.com/a/1b)) p(a<https://a.b/c>(https://a.b/c))"},
		{"obsidian", "![a](https://b.c/d.pdf#page=2) ![e](f.pdf)", "p(a[href=https://b.c/d.pdf#page=2]<https://b.c/d.pdf#page=2>(a) img<f.pdf>(e))"},
		{"myst", ":::{tip .x #Y} A\nb\n:::\n:::{tip <} c", "div[id=Y]() @tip:1tip“A”(p(b)) p(:::{tip <} c)"},
		{"myst", "```{odd} A\n# b\n```\n:::{odd} C\n*d*\n:::\n```{.python}\ne\n```\n```python\nf\n```", "p(strong(A)) code.text(\"# b\\n\") p(strong(C)) p(em(d)) code.python(\"e\\n\") code.python(\"f\\n\")"},
		{"myst", "```{myst}\n\n# A\n![b](c.png)\n````\n:::{myst-example}\n*d*\n:::", "code.markdown(\"# A\\n![b](c.png)\\n\") h1#a(A) p(img<c.png>(b)) code.markdown(\"*d*\\n\") p(em(d))"},
		{"myst", "```{exercise} A *b*\n:label: c\nd\n```\n```{solution} c\ne\n```\n:::{prf:theorem}\nf\n:::\n:::g\nh\n:::\n```{figure} #i\nj\n```", "div[id=c]() @note:1note“Exercise A em(b)”(p(d)) @note:1note“Solution”(p(e)) @note:1note“Theorem”(p(f)) div[class=g](p(h)) p(a[href=#i]<label:#i>(j))"},
		{"myst", "[*a* `b`]{#c .d} [e] [f]{g} [h](i){.j} {button}`k <l>` {button}`z` <inv:m#n> [](inv:o:p#q)", "p(<span[id=c][class=d]>(em(a) `b`) [e] [f]{g} a[class=j]<label:i>(h) a[href=l]<label:l>(k) z a<inv:m#n>(n) a<inv:o:p#q>(q))"},
		{"myst", "- a\n\n  ```{note}\n  b\n  ```\n> ```{tip}\n> c\n> ```", "ul(li(p(a) @note:1note(p(b)))) quote(@tip:1tip(p(c)))"},
		{"myst", ":::{my-odd} A\n:highlight: latex\n\nb\n:::\n```{div} cls\nc\n```\n:::{versionadded} 1.2\n:::\n```{tip} d\n```", "p(strong(A)) p(b) p(c) @info:1info“Added in version 1.2”() @tip:1tip(p(d))"},
		// VitePress
		{"vitepress", "<Page>\n  <Lead>\n    <template #title>A</template>\n    <template #lead>\n      b\n      *c*\n    </template>\n  </Lead>\n</Page>", "div[#title=true](t(A)) div[#lead=true](t(b\n      *c*))"},
		{"vitepress", "::: code-group\n```js [a.js]\nx\n```\n:::\n\n::: tip A\nb {{ c }}\n:::\n\n::: v-pre\n{{ d }}\n:::\n\n{{ 'e' }} {{ 1 + 1 }} <span v-pre>{{ f }}</span> :tada: <Badge type=\"tip\" text=\"g\" /> `{{ h }}`", "@code-group:4(code.js.a.js(\"x\\n\")) @tip:1tip“A”(p(b)) p({{ d }}) p(e  <span[v-pre=true]>({{ f }}) 🎉 <Badge[type=tip][text=g]>(g) `{{ h }}`)"},
		{"", "# a `b` [#c]\n# d [#e f]\n# [#g]\n# h [#]", "h1#c(a `b`) h1#d-e-f(d [#e f]) h1#g([#g]) h1#h-(h [#])"},
		// Docsify
		{"", "> [!TIP] a *b*\n\n> [!TIP]- c\n\n> [!TIP] D\n> E\n\n> [!TIP] So long a line of text is no title but *f\n> g* h", "@tip:1tip(p(a em(b))) @tip:1tip“c”[folds=true]() @tip:1tip“D”(p(E)) @tip:1tip(p(So long a line of text is no title but em(f·g) h))"},
		{"", "# e :id=f\n# `g :id=h`\n# i {docsify-ignore-all}", "h1#f(e) h1#g-idh(`g :id=h`) h1#i(i)"},
		{"", "![a](b.png ':size=5x10 T :class=x') ![c](d.png ':size=20%') [e](/f ':ignore') [g](/h ':smile: G')", "p(img[width=5][height=10]<b.png T>(a) img[width=20%]<d.png>(c) a</f>(e) a</h :smile: G>(g))"},
		{"vitepress", "::note{icon=i}\na\n::\n\n::read-more{to=\"/x\" title=\"X\"}\n::\n\n:read-more{to=\"/y\"}\n\n::card-group\n  :::card\n  ---\n  title: T\n  to: /z\n  ---\n  b :icon{name=\"i\"} :badge[new]{c} :kbd{value=\"k\"} :tada: a:b{c}\n  :::\n::\n\n::tabs\n:::tabs-item{label=\"L\"}\n```\n::\n```\n:::\n::\n\n::video{id=1}\nc\n::\n::outer\n::inner\nd\n::\n::\n\ne :br f", "@note:1note(p(a)) p(a[href=/x]</x>(X)) p(a[href=/y]</y>(/y)) @CardGroup:7(@Card:8“T”(p(b <Icon[name=i]>() <Badge[c=true]>(new) <kbd[value=k]>(k) 🎉 a:b{c}))) @Tabs:2(@Tab:3“L”(code(\"::\\n\"))) p(a<https://www.youtube.com/watch?v=1>(https://www.youtube.com/watch?v=1)) p(c) p(d) p(e ↵ f)"},
		{"vitepress", "::tabs\n  ::div{class=\"c\"}\n  ---\n  label: L\n  ---\n\n    ```js\n    a\n      b\n    ```\n\n    c\n  ::\n  ::div\n  ---\n  label: M\n  ---\n  d\n  ::\n::\n\n::note\n    ::tip\n      e\n    ::\n\n    f\n::", "@Tabs:2(@Tab:3“L”(code.js(\"a\\n  b\\n\") p(c)) @Tab:3“M”(p(d))) @note:1note(@tip:1tip(p(e)) p(f))"},
		{"vitepress", "::tip{to=\"/x\"}\na\n::\n\nb :icon{name=\"i-lucide-circle-check\"} :icon{name=\"i-lucide-shield-check\"}", "@tip:1tip(p(a) p(a</x>(/x))) p(b <Icon[name=i-lucide-circle-check]>(✓) <Icon[name=i-lucide-shield-check]>())"},
		{"vitepress", "`a`{lang=ts} `b`{.c} `d` {e=f} `g`{{ 'h' }} i{j=k}", "p(`a` `b` `d` {e=f} `g`h i{j=k})"},
		{"vitepress", "a\n\n:b-c\n\n:d\n\n:e-f{text=\"G h\" i=1} \":icon{name=j}\"", "p(a) p(:d) p(G h \"<Icon[name=j]>()\")"},
		{"vitepress", "::card\n---\nui.icon.base: a\ntitle: T\nui.b: c\n---\nd\n::\n\n::e-f\n---\ng: h\ni:\n  - j: k\n    l: m\n---\n::\n\n::tip\n---\nn\n---\n::", "@Card:8“T”(p(d)) p(g: h) p(j: k↵l: m) @tip:1tip(rule h2#n(n))"},
		{"vitepress", ":a-b{title=\"C d\" videoId=\"e\"}\n\n:f{videoId=\"1\" platform=\"vimeo\"}", "p(a[href=https://www.youtube.com/watch?v=e]<https://www.youtube.com/watch?v=e>(C d)) p(a[href=https://vimeo.com/1]<https://vimeo.com/1>(https://vimeo.com/1))"},
		{"vitepress", "::code-tree{a=\"b\"}\n```js [c.js]\nd\n```\n::", "@CodeGroup:4(code.js.c.js(\"d\\n\"))"},
		{"mdbook", "a --- b ---- c \\---\n\nd\n  : e\n    f\n\n    g\n\nh\n  : i\n  : j", "p(a — b ---- c ---) dl(dt(d) dd(p(e·f) p(g)) dt(h) dd(t(i)) dd(t(j)))"},
		{"mkdocs", "| :material-check: | :material-close-circle: | :material-shield-check: |\n|---|---|---|", "table[0 0 0](✓|✗|)"},
		{"vitepress", "`{{ \"{\\u007b\" }}` `a {{ 'b' }}`", "p(`{{` `a {{ 'b' }}`)"},
		{"vitepress", "## `build.target` &amp; _More_\n## 2. Éa—b (c_d)!\n## build target more\n## Own {#Own}\n## !!", "h2#build-target-more(`build.target` & em(More)) h2#_2-ea—b-c-d(2. Éa—b (c_d)!) h2#build-target-more-1(build target more) h2#Own[id=Own](Own) h2#(!!)"},
		{"", "{{< note >}}\n\n{{ a }} [b]({{ c }}/d) {ref}`e`\n\n<<< f", "p({{< note >}}) p({{ a }} a<{{ c }}/d>(b) {ref}`e`) p(<<< f)"},
	} {
		if have := dump(Parse(c.content, Options{Dialect: c.dialect})); have != c.want {
			t.Errorf("%s %q\nhave %s\nwant %s", c.dialect, c.content, have, c.want)
		}
	}
}

// TestFilesOfGenerators holds what files marks name, and what notices they cause.
func TestFilesOfGenerators(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.md": "A *b*", "x.rs": "1\n// ANCHOR: one\n2\n// ANCHOR_END: one\n3\n", "x.js": "1\n// #region one\n2\n// #endregion one\n3\n", "y.rs": "1\n// ANCHOR: 2nd\n2\n// ANCHOR_END: 2nd\n", "_includes/c.md": "C", "_partials/e.md": "E", "d.js": "1\n/// [one]\n2\n/// [one]\n3\n",
		"s.md": "# A\n\n## B c\n\nd\n\n```\n# e\n```\n\n### F\n\n## G {#own}\n\nh\n\n<!-- #region r -->\ni\n<!-- #endregion r -->\n",
	}
	include := func(file string) (string, bool, bool) {
		text, found := files[file]
		return text, false, found
	}
	for _, c := range []struct{ dialect, content, want, files, notices string }{
		{"hugo", "```text\n{{< readfile \"x.js\" >}}\n{{</* readfile \"x.js\" */>}}\n```", "code.text(\"1\\n// #region one\\n2\\n// #endregion one\\n3\\n{{< readfile \\\"x.js\\\" >}}\\n\")", "x.js", ""},
		{"hugo", "{{% readfile \"a.md\" %}}\n{{< readfile file=\"x.js\" code=\"true\" lang=\"js\" >}}\n{{% param a %}} {{< odd >}}", "p(A em(b)) code.js(\"1\\n// #region one\\n2\\n// #endregion one\\n3\\n\")", "a.md x.js", "3:1: expression left out: {{% param a %}}; 3:17: unknown component shown as its content: {{< odd >}}"},
		{"jekyll", "{% include_relative a.md %}\n{% include c.md %}\n{% include d.html %}\n[a]({{ site.b }}/c) {{ site.d }}", "p(A em(b)) p(C) p(a)", "a.md _includes/c.md", "3:1: expression left out: {% include d.html %}; 4:1: expression left out: {{ site.b }}/c; 4:21: expression left out: {{ site.d }}"},
		{"mdbook", "```\n{{#include y.rs:2nd}}\n```", "code(\"2\\n\")", "y.rs", ""},
		{"mdbook", "{{#include ../a.md}}\n\n```rust,ignore\n{{#rustdoc_include x.rs:one}}\n{{#include x.rs:1}}\n```\n{{#playground x.rs}}\n{{#include none.md}}", "p(A em(b)) code.rust(\"2\\n1\\n\") code.rust(\"1\\n// ANCHOR: one\\n2\\n// ANCHOR_END: one\\n3\\n\")", "x.rs a.md none.md", "8:1: included text left out: {{#include none.md}}"},
		{"myst", "````{myst}\n```{include} a.md\n```\n````", "code.markdown(\"```{include} a.md\\n```\\n\") p(A em(b))", "a.md", ""},
		{"myst", "```{include} a.md\n```\n```{literalinclude} x.js\n:language: js\n:lines: 1-2\n:caption: X\n```\n```{include} none.md\n```\n```{toctree}\na\n```", "p(A em(b)) code.js.X(\"1\\n// #region one\\n\")", "a.md x.js none.md", "8:1: included text left out: ```{include} none.md; 10:1: expression left out: ```{toctree}"},
		{"vitepress", "<!--@include: ./s.md#b-c-->\n\n<!-- @include: ./s.md#own -->\n\n<!--@include: s.md#r-->\n\n<!--@include: s.md#none-->", "h2#b-c(B c) p(d) code(\"# e\\n\") h3#f(F) h2#own[id=own](G) p(h) p(i) p(i)", "s.md", "7:1: included text left out: <!--@include: s.md#none-->"},
		{"myst", "```{literalinclude} x.js\n:start-line: 1\n:end-line: 2\n```\n```{literalinclude} x.js\n:end-line: 1\n```\n```{literalinclude} x.js\n:start-line: 4\n```", "code.text(\"// #region one\\n\") code.text(\"1\\n\") code.text(\"3\\n\")", "x.js", ""},
		{"myst", "```{literalinclude} x.js\n:start-after: region\n:end-before: endregion\n```\n```{include} s.md\n:start-at: h\n:end-before: region\n:lines: 1\n```\n```{literalinclude} x.js\n:start-at: '3'\n```\n```{literalinclude} x.js\n:end-at: '1'\n```\n```{literalinclude} x.js\n:start-after: none\n```", "code.text(\"2\\n\") p(h) code.text(\"3\\n\") code.text(\"1\\n\")", "x.js s.md", "16:1: included text left out: ```{literalinclude} x.js"},
		{"", "[x](a.md ':include')\n[x](/d.js \":include :type=code :fragment=one\")\n\n[](x.js ':include :type=code text')\n[x](b.html ':include height=5')\n[x](a.md 'include')\n\n[x](https://x.example/a.md ':include')", "p(A em(b)) code.js(\"2\\n\") code.text(\"1\\n// #region one\\n2\\n// #endregion one\\n3\\n\") p(a<b.html>(x)·a<a.md include>(x)) p(a<https://x.example/a.md>(x))", "a.md d.js x.js", ""},
		{"vitepress", ":partial{content=\"e\"}\n\na :partial{content=\"e\"}", "p(E) p(a)", "_partials/e.md", "3:3: expression left out: :partial{content=\"e\"}"},
		{"vitepress", "<<< @/x.js#one{1 ts} [X]\n\n<!--@include: ./a.md-->\n<!--@include: ../a.md{2,} -->\n<<< ./none.js\n{{ a }}\n<!-- @include-->", "code.ts.X{1-1:1}(\"2\\n\") p(A em(b))", "x.js a.md none.js", "4:1: included text left out: <!--@include: ../a.md{2,} -->; 5:1: included text left out: <<< ./none.js; 6:1: expression left out: {{ a }}"},
	} {
		d := Parse(c.content, Options{Dialect: c.dialect, Include: include})
		if have, names := dump(d), strings.Join(d.Included, " "); have != c.want || names != c.files || dumpNotices(d) != c.notices {
			t.Errorf("%s %q\nhave %s: %q, %s\nwant %s: %q, %s", c.dialect, c.content, have, names, dumpNotices(d), c.want, c.files, c.notices)
		}
	}
}
