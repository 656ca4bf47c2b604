package document

import "testing"

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
		// GitBook
		{"gitbook", "{% hint style=\"warning\" %}\nTake *care*.\n{% endhint %}\nb", "@warning:1warning(p(Take em(care).)) p(b)"},
		{"gitbook", "{% tabs %}\n{% tab title=\"One\" %}\na\n\n- b\n{% endtab %}\n\n{% tab title=\"Two\" %}\nc\n{% endtab %}\n{% endtabs %}", "@Tabs:2(@Tab:3“One”(p(a) ul(li(t(b)))) @Tab:3“Two”(p(c)))"},
		{"gitbook", "{% code title=\"a.js\" lineNumbers=\"true\" %}\n```js\na\n```\n{% endcode %}", "code.js.a.js#1(\"a\\n\")"},
		{"gitbook", "- a\n\n  {% hint style=\"info\" %}\n  b\n  {% endhint %}\n- c", "ul(li(p(a) @info:1info(p(b))) li(p(c)))"},
		{"gitbook", "{% hint %}\n# a\n\n{% endtab %}\nb", "h1#a(a) p(b)"},
		{"gitbook", "a {% hint %} b {% endhint %} c", "p(a) @info:1info(p(b)) p(c)"},
		{"gitbook", "{% none %}", "p({% none %})"},
	} {
		if have := dump(Parse(c.content, Options{Dialect: c.dialect})); have != c.want {
			t.Errorf("%s %q\nhave %s\nwant %s", c.dialect, c.content, have, c.want)
		}
	}
}
