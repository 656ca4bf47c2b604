package document

import (
	"strings"
	"testing"
)

func TestDialects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ dialect, content, want string }{
		// MkDocs
		{"mkdocs", "a\n!!! note \"A *b*\"\n    c\n\n    d\ne", "p(a) @note:1note“A em(b)”(p(c) p(d)) p(e)"},
		{"mkdocs", "!!! pied-piper\n\n    c\n\ne", "@pied-piper:1note“Pied piper”(p(c)) p(e)"},
		{"mkdocs", "??? tip\n    ```sh\n    x\n    ```\n???+ note \"A\"\n    b", "@Accordion:12“Tip”(code.sh(\"x\\n\")) @Accordion:12“A”(p(b))"},
		{"mkdocs", "=== \"A\"\n\n    - b\n\n        c\n\n===+ \"`B`\"\n\n    !!! tip\n        d\n\n===! \"C\"\n    e\n\nf", "@Tabs:2(@Tab:3“A”(ul(li(p(b) p(c)))) @Tab:3“`B`”(@tip:1tip(p(d)))) @Tabs:2(@Tab:3“C”(p(e))) p(f)"},
		{"mkdocs", "1. a\n\n    === \"A\"\n        b\n\n    === \"C\"\n        d\n\n2. e", "ol1(li(p(a) @Tabs:2(@Tab:3“A”(p(b)) @Tab:3“C”(p(d)))) li(p(e)))"},
		{"mkdocs", "!!!\n    a\n\n!!! note x\"\n\n===\n    a", "p(!!!·a) p(!!! note x\") p(===·a)"},
		{"", "!!! note\n    a", "p(!!! note·a)"},
		{"mkdocs", "/// note | A *b*\n\nc\n\n```\n///\n```\n///\n\n/// tip\nd\n///\ne", "@note:1note“A em(b)”(p(c) code(\"///\\n\")) @tip:1tip(p(d)) p(e)"},
		{"mkdocs", "//// tab | A\n/// admonition | B\n    type: warning\nc\n///\n////\n\n//// tab | D\n\n/// details | E\n    open: True\n\nf\n///\n\n////\n\n/// tab | G\n    new: true\nh\n///", "@Tabs:2(@Tab:3“A”(@warning:1warning“B”(p(c))) @Tab:3“D”(@Accordion:12“E”(p(f)))) @Tabs:2(@Tab:3“G”(p(h)))"},
		{"mkdocs", "![a](b)\n/// caption\nc\n///\n\n- /// html | div.x\n  d\n  ///\n\n/// note\ne", "@Frame:14“c”(p(img<b>(a))) ul(li(p(d))) p(/// note·e)"},
		{"mkdocs", "::: a.b\n    options:\n      c: true\n\n`#!py d = 1` `#!/bin/sh` {* none.py hl[2] *}", "p(strong(`a.b`)) p(`d = 1` `#!/bin/sh` {* none.py hl[2] *})"},
		{"mkdocs", "<!-- md:option a -->\n\n:   b\n\n    === \"C\"\n\n        d\n\n<!-- e -->\n:   f", "dl(dt(<code[id=+a]>(a)) dd(p(b) @Tabs:2(@Tab:3“C”(p(d))))) dl(dd(t(f)))"},
		{"mkdocs", "## <!-- md:setting a.b -->\n\n<!-- md:version 1.0 -->\n<!-- md:default `c` -->\n<!-- md:x none --> <!-- md:y -->\n\n[dd] [a.b] [ee]\n[f] **`g`**{ #g }\n\n[f]: h", "h2#b(<code[id=a.b]>(b)) p(<Badge>(1.0 )·<Badge>(`c` )) p(a<#a.b>(dd) a<h>(ee) strong(`g`)<span[id=g]>())"},
		{"mkdocs", "| a | b |\n|---|---|\n| ```c(`d|e`)``` | `f\\|g` |\n| ` | h |", "table[0 0](a|b / `c(`d|e`)`|`f|g` / `|h)"},
		{"mkdocs", "[a *b*][c.d] [e][f] x[0][1] [g]({{ h.i }}) [j][^k] [l]{ data-x }\n\n[j]: m\n\n[^k]: n", "p(a em(b) [e][f] x[0][1] g a<m>(j)ref1.1 [l]) note1×1(p(n))"},
		{"mkdocs", "!!! note \"\"\n    a\n\n!!! quote \"\"\n    b", "@note:1note(p(a)) @quote:1note(p(b))"},
		{"mkdocs", "```yaml tab=\"A\"\nb\n```\n\n```toml tab=\"C (D)\"\ne\n```\n\nf\n\n```sh tab=\"G\"\nh\n```\n```\ni\n```", "@tabs:4(code.yaml.A(\"b\\n\") code.toml.C (D)(\"e\\n\")) p(f) @tabs:4(code.sh.G(\"h\\n\")) code(\"i\\n\")"},
		{"", "a![^b] ![^ c](d) ![e](f)\n\n[^b]: g", "p(a!ref1.1 img<d>(^ c) img<f>(e)) note1×1(p(g))"},
		// MkDocs, in a text
		{"mkdocs", "Press ++ctrl+alt+\"x\"++ ++slash++, ==**marked** a==, ^^new^^, H~2~O, x^2^, ~~old~~. C++ and C++.", "p(Press <Kbd>(Ctrl+Alt+x) <Kbd>(/), <mark>(strong(marked) a), <ins>(new), H<sub>(2)O, x<sup>(2), del(old). C++ and C++.)"},
		{"mkdocs", "a == b == c, a==b, {++new *b*++} {--old--}{>>why<<} `==c==`", "p(a == b == c, a==b, <ins>(new em(b)) <del>(old) `==c==`)"},
		{"mkdocs", "{~~old *a*~>new **b**~~}, x{~~c~>~~} {~~d~~} {~~e~>f a~>b\n\n{==\n\n- g\n\n==}\n\n{--\nh\n--}\n\n{++}", "p(<del>(old em(a))<ins>(new strong(b)), x<del>(c)<ins>() {del(d)} {~~e~>f a~>b) mark(ul(li(t(g)))) p(<del>(h)) p({++})"},
		{"mkdocs", ":material-check:{ .big } Yes :smile: 10:30:20 :none: [:octicons-x-16: a](b){ .button }", "p(✓ Yes 😄 10:30:20 :none: a[class=button]<b>( a))"},
		{"mkdocs", "Text (1)\n{ .annotate }\n\n1.  Note\n\n## A { #own }\n\n| a { .x } |\n|---|\n", "div[class=annotate](p(Text (1))) ol1(li(t(Note))) h2#own[id=own](A) table[0](a )"},
		{"mkdocs", "<div class=\"x\" markdown>\na *b*\n</div>\n\n<figure markdown=\"span\">\n  ![c](d){ width=\"3\" }\n  <figcaption>e</figcaption>\n</figure>\n\n<div>\na *b*\n</div>", "div[class=x][markdown=true](p(a em(b))) figure[markdown=span](p(img[width=3]<d>(c)) figcaption(t(e))) div(t(a *b*))"},
		{"mkdocs", "<div class=\"grid\" markdown>\n\na\n{ .card }\n\n> b\n\n</div>", "@Columns:9(@Column:10(div[class=card](p(a))) @Column:10(quote(p(b))))"},
		{"mkdocs", "<div class=\"grid cards\" markdown>\n\n-   :material-clock: __A__\n\n    ---\n\n    b\n\n- c\n-\n\nd\n\n</div>", "@Cards:7(@Card:8“strong(A)”(p(b)) @Card:8(p(c)) @Card:8(p(d)))"},
		{"mkdocs", "*[HTML]: Hyper Text\n\nHTML", "p(<abbr[title=Hyper Text]>(HTML))"},
		{"mkdocs", "## 1.2 *x* { id=\"1.2\" .y }", "h2#1.2[id=1.2][class=y](1.2 em(x))"},
		{"mkdocs", "NOTE: **A *b*.**\nc\n\n> WARNING: d\n>\n> - e\n\n>? NEW: f\n\n>! EXAMPLE:\n>\n> i\n\nAPI: g\n\nNote: h", "@note:1note“A em(b)”(p(c)) @warning:1warning(p(d) ul(li(t(e)))) @new:1note“New”[folds=true](p(f)) @example:1note“Example”[folds=false](p(i)) p(API: g) p(Note: h)"},
		{"", "NOTE: a", "p(NOTE: a)"},
		{"mkdocs", "  9.  a\n      b\n\n    ```\n    c\n    ```\n\n    - d\n\n  10.  e\n\n    f", "ol9(li(p(a·b) code(\"c\\n\") ul(li(t(d)))) li(p(e) p(f)))"},
		{"mkdocs", "- [x] [ab]\n- [ab] [cd]\n\n[ab]: c\n[cd]: d", "ul(done(t(a<c>(ab))) li(t(a<d>(ab))))"},
		{"mkdocs", "```console\n$ a\n<b> </b><font color=\"#F4BF75\">B &lt;c&gt;</font> [d]\n```\n\n```html\n<b>e</b></font>\n```", "code.console(\"$ a\\n B <c> [d]\\n\") code.html(\"<b>e</b></font>\\n\")"},
		{"mkdocs", "## Été - A & b\n\n## ete a b\n\n## --c_d\n\n## 中 文\n\n## ::: a.b\n\n[`a.c`][]", "h2#ete-a-b(Été - A & b) h2#ete-a-b_1(ete a b) h2#-c_d(--c_d) h2#中-文(中 文) h2#ab(a.b) p(`a.c`)"},
		// GitBook
		{"gitbook", "{% hint style=\"warning\" %}\nTake *care*.\n{% endhint %}\nb", "@warning:1warning(p(Take em(care).)) p(b)"},
		{"gitbook", "{% tabs %}\n{% tab title=\"One\" %}\na\n\n- b\n{% endtab %}\n\n{% tab title=\"Two\" %}\nc\n{% endtab %}\n{% endtabs %}", "@Tabs:2(@Tab:3“One”(p(a) ul(li(t(b)))) @Tab:3“Two”(p(c)))"},
		{
			"gitbook", `<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target></th><th data-hidden data-card-cover></th><th data-hidden></th></tr></thead><tbody>` +
				`<tr><td><h4><i>:book:</i></h4></td><td><strong>A</strong></td><td><a href="a.md">a.md</a></td><td><a href="b.png">b.png</a></td><td>c</td></tr><tr><td><ul><li>d</li></ul></td><td><h4>E</h4></td></tr></tbody></table>`,
			"@Cards:7(@Card:8“<strong>(A)”(p(img<b.png>()) h4(t(<i>(📖)))) @Card:8“E”(ul(li(t(d)))))",
		},
		{"gitbook", `<table data-view="cards"><tbody><tr><td><h4><i>:x-ray:</i></h4></td><td>A</td><td>b</td><td><a data-mention href="c.md">c.md</a></td></tr></tbody></table>`, "@Cards:7(@Card:8“A”(p(b) p(a[data-mention=true][href=c.md]<c.md>(c.md))))"},
		{"gitbook", "<pre class=\"language-yaml\" data-title=\"A\"><code class=\"lang-yaml\">b:\n<strong>  &#x3C;c>\n</strong>\n<strong>d\n</strong></code></pre>", "code.yaml.A{2-2:1}{4-4:1}(\"b:\\n  <c>\\n\\nd\\n\")"},
		{"gitbook", "<pre class=\"language-js\">a <i>b</i></pre>", "code.js(\"a b\\n\")"},
		{"gitbook", "<details>\n<summary>A <picture><source srcset=\"b\"><img src=\"c\"></picture> <button>d</button></summary>\n</details>", "details(summary[id=a-d](t(A img[src=c]<c>() d)))"},
		{"gitbook", "<details>\n\n<summary>A b</summary>\n\nc\n\n</details>\n\n## A b", "details(summary[id=a-b-1](t(A b)) p(c)) h2#a-b(A b)"},
		{"gitbook", "{% code title=\"a.js\" lineNumbers=\"true\" %}\n```js\na\n```\n{% endcode %}", "code.js.a.js#1(\"a\\n\")"},
		{"gitbook", "- a\n\n  {% hint style=\"info\" %}\n  b\n  {% endhint %}\n- c", "ul(li(p(a) @info:1info(p(b))) li(p(c)))"},
		{"gitbook", "{% hint %}\n# a\n\n{% endtab %}\nb", "h1#a(a) p(b)"},
		{"gitbook", "a {% hint %} b {% endhint %} c", "p(a) @info:1info(p(b)) p(c)"},
		{"gitbook", "{% none %}", "p({% none %})"},
		{"gitbook", "{% stepper %}\n{% step %}\n## A\nb\n{% endstep %}\n{% endstepper %}\n{% columns %}{% column width=\"5\" %}\na\n{% endcolumn %}\n{% endcolumns %}", "@Steps:5(@Step:6(h2#a(A) p(b))) @Columns:9(@Column:10(p(a)))"},
		{"gitbook", "{% embed url=\"https://a.example\" %}\n\n{% embed url=\"https://b.example\" %}\nB\n{% endembed %}\n\n{% content-ref url=\"b.md\" %}\n[b.md](b.md)\n{% endcontent-ref %}", "p(a<https://a.example>(https://a.example)) p(a<https://b.example>(https://b.example)) p(B) p(a<b.md>(b.md))"},
		{"gitbook", "{% file src=\"a/b.pdf\" %}\n\n{% file src=\"c.pdf\" %}\nthe *file*\n{% endfile %}\n{% page-ref page=\"d.md\" %}", "p(a[href=a/b.pdf]<a/b.pdf>(b.pdf)) p(a[href=c.pdf]<c.pdf>(the em(file))) p(a[href=d.md]<d.md>(d.md))"},
		{"gitbook", "{% openapi src=\"x.yaml\" path=\"/a\" method=\"get\" %}\n[x](x.yaml)\n{% endopenapi %}\n\n{% if a %}\nb\n{% else %}\nc\n{% endif %}", "p(GET /a) p(a<x.yaml>(x)) p(b) p(c)"},
		{"gitbook", "{% swagger method=\"get\" path=\"/x\" baseUrl=\"https://a.example\" summary=\"S\" %}\n{% swagger-response status=\"200: OK\" description=\"fine\" %}\n```json\n{}\n```\n{% endswagger-response %}\n{% swagger-response status=\"404\" %}\n{% endswagger-response %}\n{% endswagger %}", "p(GET https://a.example/x S) p(strong(200: OK fine)) code.json(\"{}\\n\") p(strong(404))"},
		{"gitbook", "{% updates format=\"full\" %}\n{% update date=\"2025-01-02\" %}\n## A\n{% endupdate %}\n{% endupdates %}\n{% prompt description=\"d\" %}\ne\n{% endprompt %} :car: :mag\\_right: :a\\_b:", "@Update:15“2025-01-02”(h2#a(A)) @Card:8“d”(p(e)) p(🚗 🔎 :a_b:)"},
		{"gitbook", "a ****b **c****d** `****` \\**** **** e ***** f", "p(a b strong(cd) `****` ****  e ***** f)"},
		{"gitbook", "```\n{% hint %}\n```\n\n`{% hint %}`", "code(\"{% hint %}\\n\") p(`{% hint %}`)"},
		{"gitbook", "<p>\n<i class=\"fa-x\">:x-ray:</i> a <i class=\"fa-y\">:car:</i>\n{% hint %}\nb\n{% endhint %}\n\n<i class=\"fa-x\">:x-ray:</i> b", "p(t(<i[class=fa-x]>() a <i[class=fa-y]>(🚗)) @info:1info(p(b)) p(<i[class=fa-x]>() b))"},
		{"gitbook", "a $$b_1*2*$$ {% math %}c_d*e*{% endmath %} {% math %} f\n\n{% math %}\ng_h\n{% endmath %}\n\n$$\ni\n$$", "p(a $$b_1*2*$$ $c_d*e*$ {% math %} f) code.math.Math(\"g_h\\n\") code.math.Math(\"i\\n\")"},
		{"gitbook", "a\n{% @mermaid/diagram content=\"graph TD\n  A[\"x\"] --> B{{y}}\n\nC \" fullWidth=\"false\" %}\n\n- {% @plantuml/b content=\"c\" %}\n\n{% @d/e id=\"1:2\" url=\"https://f.example/g\" %}\n{% @mermaid/diagram content=\"", "p(a) code.mermaid.Diagram(\"graph TD\\n  A[\\\"x\\\"] --> B{{y}}\\n\\nC \\n\") ul(li(code.plantuml.Diagram(\"c\\n\"))) p(a<https://f.example/g>(https://f.example/g)) p({% @mermaid/diagram content=\")"},
		// Obsidian
		{"obsidian", "[[Second note]], [[Second note#A#Part|that]] [[#Part]] [[sub/Third.md#^b1]] [[]] [[a\nb]] \\[[a]]", "p(a[href=wiki:Second%20note]<wiki:Second%20note>(Second note), a[href=wiki:Second%20note#Part]<wiki:Second%20note#Part>(that) a[href=wiki:#Part]<wiki:#Part>(Part) a[href=wiki:sub/Third#%5Eb1]<wiki:sub/Third#%5Eb1>(sub/Third) [[]] [[a↵b]] [[a]])"},
		{"obsidian", "| [[a\\|b]] |\n|---|\n| ![[p.png\\|10]] |", "table[0](a[href=wiki:a]<wiki:a>(b) / img[src=wiki:p.png][width=10]<wiki:p.png>())"},
		{"obsidian", "![[pic.png]] ![[a/pic.png#outline|100x20]] ![[pic.png|of *it*]] ![[note#Part]] ![[talk.mp3]]", "p(img[src=wiki:pic.png]<wiki:pic.png>() img[src=wiki:a/pic.png][width=100][height=20]<wiki:a/pic.png>() img[src=wiki:pic.png][alt=of *it*]<wiki:pic.png>(of *it*) a[href=wiki:note#Part][!=true]<wiki:note#Part>(note > Part) a[href=wiki:talk.mp3][!=true]<wiki:talk.mp3>(talk.mp3))"},
		{"obsidian", "![a](p.png#interface) ![b](in/q%20r.jpg) ![c](../s.png#x) ![d](/t.png) ![e](https://example.com/u.png) [f](v.png) [g](w.md#x)", "p(img<wiki:p.png>(a) img<wiki:in/q%20r.jpg>(b) img<../s.png#x>(c) img</t.png>(d) img<https://example.com/u.png>(e) a<wiki:v.png>(f) a<w.md#x>(g))"},
		{"obsidian", "![a|100](p.png) ![a|b|10x20](p.png) ![100](p.png) ![a|x](p.png) ![a|1x](p.png) ![|30](p.png) ![[p.png|a|40]] ![](p.png){width=5}", "p(img[width=100]<wiki:p.png>(a) img[width=10][height=20]<wiki:p.png>(a|b) img[width=100]<wiki:p.png>() img<wiki:p.png>(a|x) img<wiki:p.png>(a|1x) img[width=30]<wiki:p.png>() img[src=wiki:p.png][width=40][alt=a]<wiki:p.png>(a) img[width=5]<wiki:p.png>())"},
		{"obsidian", "| ![a\\|10](p.png) | ![[p.png\\|b\\|9]] |\n|---|---|", "table[0 0](img[width=10]<wiki:p.png>(a)|img[src=wiki:p.png][width=9][alt=b]<wiki:p.png>(b))"},
		{"obsidian", "a %%hidden%% b ==marked== ^block-1\n\n%%\n# no\n%%\n\n- c ^x\n\n2^3 ^a b", "p(a  b <mark>(marked) <span[id=^block-1]>()) ul(li(t(c <span[id=^x]>()))) p(2^3 ^a b)"},
		{"obsidian", "![[a.png]]^b\n\na^b\n\n![[a#^b]]\n\n> c\n^d", "p(img[src=wiki:a.png]<wiki:a.png>()<span[id=^b]>()) p(a^b) p(a[href=wiki:a#%5Eb][!=true]<wiki:a#%5Eb>(a)) quote(p(c↵<span[id=^d]>()))"},
		{"obsidian", "a^[one *b*], ^[see [c](d)] [^1] `^[e]` \\^[f] ^[] ^[g\n\n> h^[i\n> ^[j]\n\n[^1]: k", "p(aref1.1, ref2.1 ref3.1 `^[e]` ^[f] ^[] ^[g) quote(p(h^[i↵ref4.1)) note1×1(p(one em(b))) note2×1(p(see a<d>(c))) note3×1(p(k)) note4×1(p(j))"},
		{"", "a.^[b c] d^[e] ^[f g] [^[h i]] j^[k\nl]", "p(a.ref1.1 d^[e] ^[f g] [^[h i]] jref2.1) note1×1(p(b c)) note2×1(p(k·l))"},
		{"docusaurus", "```bash npm2yarn\nnpm i a\n```\n\n```bash npm2yarn\nnpm pack\n```", "@CodeGroup:4(code.bash.npm(\"npm i a\\n\") code.bash.Yarn(\"yarn add a\\n\") code.bash.pnpm(\"pnpm add a\\n\")) code.bash(\"npm pack\\n\")"},
		{"hugo", "a^[b c]", "p(a^[b c])"},
		{"obsidian", "%% a\n\nb", "p(%% a) p(b)"},
		{"obsidian", "- [?] a\n- [ ]\n- [x]\n- [b](c)\n\n%%d%%\ne\nf<br>\ng  \nh", "ul(done(t(a)) todo(t()) done(t()) li(t(a<c>(b)))) p(e↵f↵·g↵h)"},
		{"obsidian", "![](https://www.youtube.com/watch?v=a) ![b](https://x.com/c/1)", "p(a[href=https://www.youtube.com/watch?v=a]<https://www.youtube.com/watch?v=a>(https://www.youtube.com/watch?v=a) a[href=https://x.com/c/1]<https://x.com/c/1>(b))"},
		{"obsidian", "> [!tip]- A\n> b", "@tip:1tip“A”[folds=true](p(b))"},
	} {
		if have := dump(Parse(c.content, Options{Dialect: c.dialect})); have != c.want {
			t.Errorf("%s %q\nhave %s\nwant %s", c.dialect, c.content, have, c.want)
		}
	}
}

// TestDefinitions checks that front matter of MyST defines what expressions stand for, also within
// each other, but not without end.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	front := []byte(`{"myst": {"substitutions": {"a": "an *A*", "b": "` + "```{note}\\n{{ a }}\\n```" + `", "c": "{{c}}{{c}}", "d": 1}}}`)
	for _, c := range []struct{ content, want string }{
		{"x {{ a }} {{ b }}\n\n{{ b }}\n\n| {{a}} |\n|---|", "p(x an em(A)) @note:1note(p(an em(A))) table[0](an em(A))"},
		{"{{ c }}\n\n{{ d }} {{ e }} `{{ a }}`", "p(`{{ a }}`)"},
	} {
		if have := dump(Parse(c.content, Options{Dialect: "myst", Frontmatter: front})); have != c.want {
			t.Errorf("%q\nhave %s\nwant %s", c.content, have, c.want)
		}
	}
}

// TestOwnFrontMatter checks that expressions show members of the front matter of their page.
func TestOwnFrontMatter(t *testing.T) {
	t.Parallel()
	front := []byte(`{"a": "an *A*", "params": {"b": "B"}, "title": "T", "yaml": "no", "n": 1}`)
	for _, c := range []struct{ dialect, content, want string }{
		{"hugo", "x {{% param a %}} {{< param \"b\" >}}\n\n{{% param title %}}\n\n{{< param n >}}", "p(x an em(A) B) p(T)"},
		{"hugo", "{{< highlight yaml >}}\nc\n{{< /highlight >}}", "code.yaml(\"c\\n\")"},
		{"jekyll", "{{ page.title }} {{ site.title }} {{ page.other }}", "p(T)"},
		{"jekyll", "<div>\n{{ page.title }}\n</div>", "div(t(T))"},
		{"vitepress", "{{ $frontmatter.title }}", "p(T)"},
	} {
		if have := dump(Parse(c.content, Options{Dialect: c.dialect, Frontmatter: front})); have != c.want {
			t.Errorf("%q\nhave %s\nwant %s", c.content, have, c.want)
		}
	}
}

// TestDialectFiles checks that the texts of files stand where marks name them.
func TestDialectFiles(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.md": "## A\n\n!!! tip\n    b", "src/x.py": "# [start:one]\n1\n# [end:one]\n2\n3", "b.txt": "B",
		"_includes/a.html": "<kbd>{{ include.key }}</kbd>", "_includes/c.md": "K {{ include.key }}{% comment %}{% endcomment %}", "d.md": "- d", "_includes/b.html": "{% if include.key %}no{% endif %}",
	}
	include := func(file string) (string, bool, bool) {
		text, found := files[strings.TrimPrefix(file, "wiki:")]
		return text, false, found
	}
	for _, c := range []struct{ dialect, content, want, files, notices string }{
		{"mkdocs", "--8<-- \"a.md\"\n\n- b\n\n    --8<-- \"./../b.txt\"", "h2#a(A) @tip:1tip(p(b)) ul(li(p(b) p(B)))", "wiki:b.txt wiki:a.md", ""},
		{"mkdocs", "{% include-markdown \"../a.md\" %}\n{% include 'b.txt' %}\n{% raw %}", "h2#a(A) @tip:1tip(p(b)) p(B)", "a.md wiki:b.txt", ""},
		{"mkdocs", "--8<--\na.md:3:4\nb.txt\n--8<--", "@tip:1tip(p(b)) p(B)", "wiki:a.md wiki:b.txt", ""},
		{"mkdocs", "```\n{!> ../src/x.py[ln:4-5]!}\n```", `code("2\n3\n")`, "src/x.py", ""},
		{"mkdocs", "```py\n{!> ../src/x.py!}\n```\n\n```\n--8<-- \"src/x.py:one\"\nx\n{* src/x.py ln[4:5] hl[1] *}\n```", `code.py("# [start:one]\n1\n# [end:one]\n2\n3\n") code("1\nx\n2\n3\n")`, "src/x.py wiki:src/x.py", ""},
		{"mkdocs", "--8<-- \"none.md\"\n--8<-- \"src/x.py:two\"\n\n;--8<-- \"a.md\"", "p(--8<-- \"a.md\")", "wiki:none.md wiki:src/x.py", "1:1: included text left out: --8<-- \"none.md\"; 2:1: included text left out: --8<-- \"src/x.py:two\""},
		{"vitepress", "@[code{2-3} js](@src/x.py)\n\n@[code](./../b.txt)\n\n@[code]", "code.js(\"1\\n# [end:one]\\n\") code.txt(\"B\\n\") p(@[code])", "wiki:src/x.py wiki:b.txt", ""},
		{"jekyll", "x {% include a.html key=\"B\" -%} y", "p(x <kbd>(B) y)", "_includes/a.html", ""},
		{"jekyll", "<div>x {% include a.html key=\"B\" %}</div>", "div(t(x B))", "_includes/a.html", ""},
		{"jekyll", "x {% include_relative b.txt %} y {% include c.md key=\"V\" %}", "p(x B y K V)", "b.txt _includes/c.md", ""},
		{"jekyll", "{% include c.md key=\"V\" %}", "p(K V)", "_includes/c.md", ""},
		{"jekyll", "x {% include_relative d.md %}", "p(x)", "d.md", "1:3: included block left out of a line: {% include_relative d.md %}"},
		{"jekyll", "{% include b.html key=\"B\" %}", "", "_includes/b.html", "1:1: included text left out: {% include b.html key=\"B\" %}"},
		{"mkdocs", "--8<-- \"c/d.svg\"\n\n```\n;--8<-- \"a.md\"\n```", `@Frame:14(p(img[src=wiki:c/d.svg]<wiki:c/d.svg>())) code("--8<-- \"a.md\"\n")`, "", ""},
		{"gitbook", "{% include \"a.md\" %}\n\n```\n{% include \"a.md\" %}\n```", `h2#a(A) p(!!! tip·b) code("{% include \"a.md\" %}\n")`, "a.md", ""},
	} {
		d := Parse(c.content, Options{Dialect: c.dialect, Include: include})
		if have, names := dump(d), strings.Join(d.Included, " "); have != c.want || names != c.files || dumpNotices(d) != c.notices {
			t.Errorf("%s %q\nhave %s: %q, %s\nwant %s: %q, %s", c.dialect, c.content, have, names, dumpNotices(d), c.want, c.files, c.notices)
		}
	}
}
