package document

import (
	"strings"
	"testing"
)

// TestLabels holds which links lead to a label of another page, what stands in for
// their text, and which labels a page has for others.
func TestLabels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ content, want, labels string }{
		{"(A b)=\n# H\n\n[](#A-b) [](#a-b) [x](#h) {ref}`a b` [](#other) [y](#Other)", "div[id=A-b]() h1#h(H) p(a<#A-b>(H) a<#A-b>(H) a<#h>(x) a[href=#a b]<label:#a b>(a b) a<label:#other>(other) a<label:#Other>(y))", "///a-b"},
		{"(one)=\n(two)=\n\n## H {#three}", "div[id=one]() div[id=two]() h2#three[id=three](H)", "///one ///two ///three"},
		{"```{figure} a.png\n:name: fig-1\n\nA *b*\n```\n{numref}`Figure %s <fig-1>` {numref}`fig-1` [](#fig-1)", "div[id=fig-1]() @Figure:14“A em(b)”(p(img[src=a.png][name=fig-1]<a.png>())) p(a[href=#fig-1]<#fig-1>(Figure) a[href=#fig-1]<#fig-1>(A b) a<#fig-1>(A b))", "///fig-1"},
		{"$$\na\n$$ (eq-1)\n\n```{math}\n:label: eq-2\nb\n```\n{eq}`eq-1` {eq}`eq-2` {eq}`eq-3`", "div[id=eq-1]() code.math.Math(\"a\\n\") div[id=eq-2]() code.math.Math(\"b\\n\") p(a[href=#eq-1]<#eq-1>(eq-1) a[href=#eq-2]<#eq-2>(eq-2) a[href=#eq-3]<label:#eq-3>(eq-3))", "///eq-1 ///eq-2"},
		{"$$\n\\label{a}\n$$\n\n+++ {\"b\": 1, \"label\": \"C\"}\n[](#a) ![](#c)\n```{embed} #d\n```\n![e](#f)", "div[id=a]() code.math.Math(\"\\\\label{a}\\n\") div[id=C]() p(a<#a>(a) a[!=true]<#C>(C)) p(a[href=#d][!=true]<label:#d>(d)) p(a[!=true]<label:#f>(e))", "///a ///c"},
		{"(a)=\n## A\n\n[{name}](#a) [Part %s](#b) [{name}](c)", "div[id=a]() h2#a(A) p(a<#a>(A) a<label:#b>(Part) a<label:c>({name}))", "///a"},
		{"[a](b/c) [](b.md) [](b.md#c) [](/b) [](./b) {doc}`b` <project:#d> [](wiki:E) [f](https://f.example) [g](inv:h)", "p(a<label:b/c>(a) a<b.md>(b.md) a<b.md#c>(b.md#c) a</b>(/b) a<./b>(./b) a[href=b]<label:b>(b) a<label:#d>(d) a<https://en.wikipedia.org/wiki/E>(https://en.wikipedia.org/wiki/E) a<https://f.example>(f) a<inv:h>(g))", ""},
		{"::::{tab-set}\n:::{tab-item} A\n:name: t\nb\n:::\n::::\n:::{card} C\n:link: l\n:link-type: ref\nd\n:::\n```{figure-md} f\n![e](e.png)\n```", "@Tabs:2(@Tab:3“A”(p(b))) @Card:8“C”(p(d)) div[id=f]() p(img<e.png>(e))", "///f"},
	} {
		d := Parse(c.content, Options{Dialect: "myst"})
		if have, labels := dump(d), strings.Join(d.Anchors().Labels(), " "); have != c.want || labels != c.labels {
			t.Errorf("%q\nhave %s, %s\nwant %s, %s", c.content, have, labels, c.want, c.labels)
		}
	}
	d := Parse("# H\n[](#p)", Options{Dialect: "myst", Frontmatter: []byte(`{"label": "P"}`)})
	if have := dump(d) + strings.Join(d.Anchors().Labels(), " "); have != "div[id=P]() h1#h(H) p(a<#P>(H))///p" {
		t.Errorf("a label in front matter: have %s", have)
	}
	d = Parse("(a)=\n# H\n[](#b)", Options{})
	if have := dump(d) + strings.Join(d.Anchors().Labels(), " "); have != "p((a)=) h1#h(H) p(a<#b>())" {
		t.Errorf("without a dialect: have %s", have)
	}
}

// TestNameLinks checks that only links without a text get one.
func TestNameLinks(t *testing.T) {
	t.Parallel()
	d := Parse("[](#a) [b](#b) [](c.md) [](#d)\n\n(d)=\n## D", Options{Dialect: "myst"})
	d.NameLinks(func(href string) string { return map[string]string{"label:#a": "A", "label:#b": "B", "#d": "E"}[href] })
	if have, want := dump(d), "p(a<label:#a>(A) a<label:#b>(b) a<c.md>(c.md) a<#d>(D)) div[id=d]() h2#d(D)"; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}

// TestMentions holds that links of GitBook that only have the name of a file show the title.
func TestMentions(t *testing.T) {
	t.Parallel()
	const text = "[b.md](a/b.md) [.](./) [c](c.md) [d](d/ \"mention\") <a data-mention href=\"e/\">e</a> [f.md](f.md)\n\n{% content-ref url=\"d/\" %}\n[d](d/)\n{% endcontent-ref %} [d](d/)"
	title := func(href string) string {
		return map[string]string{"a/b.md": "B", "./": "Here", "c.md": "No", "d/": "D", "e/": "E"}[href]
	}
	for dialect, want := range map[string]string{
		"gitbook": "p(a<a/b.md>(B) a<./>(Here) a<c.md>(c) a<d/>(D) a[data-mention=true][href=e/]<e/>(E) a<f.md>(f.md)) p(a<d/>(D)) p(a<d/>(d))",
		"":        "p(a<a/b.md>(b.md) a<./>(.) a<c.md>(c) a<d/ mention>(d) a[data-mention=true][href=e/]<e/>(e) a<f.md>(f.md)) p({% content-ref url=\"d/\" %}·a<d/>(d)·{% endcontent-ref %} a<d/>(d))",
	} {
		d := Parse(text, Options{Dialect: dialect})
		d.NameLinks(title)
		if have := dump(d); have != want {
			t.Errorf("%q\nhave %s\nwant %s", dialect, have, want)
		}
	}
}
