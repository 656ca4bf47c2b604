package document

import (
	"strings"
	"testing"
	"time"
)

// repeated are pieces which, one after the other, make some parsers of
// Markdown take quadratic time, exhaust the stack or fill the memory.
var repeated = []string{
	// brackets and targets
	"[", "![", "]", "](", "[a](", "[a](<b", "[a](b \"", "[a](b '", "[a](b (", "[](((", "[[]()", "![[]()", "![a](b",
	"[![a](b)](c)", "[a][", "[a]: b\n", "[a]: b \"\n", "[a]: b \"c\n\n", "[a]\n", "[^1]", "[^a]: ", "[^a]: b\n\n", "[a]({{< ", "*[a](", "[a](b){.c",
	// emphasis
	"*a **a ", "a**b c* ", "a_", "*a_", "~a~~", "***a", "**", "*a_b~c",
	// code, references, addresses
	"`", "`a``a```a", "``` \n", "~~~", "&", "&a", "&#", "\\", "$", "$a", "$a$", "$\\$", "$$a", "{:", "{:a}", "*a*{:", "`a`{:b}", "**（", "**中", "http://", "http://a", "www.", "www.a.b ", "a@", "a@b.c ", "<a@b", "<a:",
	// HTML and MDX
	"<", "</", "<a ", "<a x=\"", "<a x='\"", "<!--", "<?", "<!A", "<![CDATA[", "<div>\n", "<script>\n", "<svg>\n", "<a href=x>", "<a href=\"x\">\n\n", "<b>", "</b>",
	"<Aa>", "<Aa/>", "<Aa>b</Aa>", "</Aa>", "<Aa>\n\n", "- <Aa>\n", "<a b={", "<a b={}c ", "<A b={{c: 1}}/>",
	"<p>", "<li>", "<td>", "<A>", "<A>\n", "<A\n", "</A>\n", "<A x={", "<a {\"", "<Note>", "</Note>", "<Note>a ", "<Card href=x>\n", "<Tabs>\n<Tab>\n", "{", "{/*", "{\"", "{'", "{a}",
	"import a\n", "import {\n\n", "export const a = {\n\n", "export const a = [", "<A b={[[",
	// blocks
	"> ", ">", "> \n", "- ", "1. ", "- a\n", "-\n", "- a\n\n", "    - a\n", "    a\n\n", "* * * ", "#", "# ", "# a\n", "a\n=\n", "|", "|a", "|a|\n|-|\n", "\t", "\n", "\r", "a\r", "\x00",
	":::note\n", ":::", ":::note\n# a\n", ":::a b:::\n", ":::a\n:::a-end\n", ":::a {b", "::: v-pre\n", "> [!a", "{: .a}\n", "a\n{: #b}\n\n", "{::comment}\n", "{:/}\n", "{::nomarkdown}", "{:/}", "{::comment}", "a^[b ", "{~~a", "~>b~~}", "{% @a/b c=\"\n", "{% @a/b content=\"x\" %}\n", "{% math %}", "{% highlight a %}\n", "{% endhighlight %}\n", "{% comment %}\n", "{% endcomment %}\n", "{% raw %}\n", "- {: a}", "{%", "{% raw %}{% endraw %}", "{% endraw %}", "\\(", "\\(^", "\\(^\\)", "\\[", "\\\\[^", "\\[^\n", "<Note>\n# a\n", "> [!div]\n",
	"!!! note\n", "!!! note\n    ", "!!! note \"", "??? a\n\n", "=== \"a\"\n", "=== \"a\"\n    === \"b\"\n", "++a++", "++a", "==a", "==a==", "==a ", "==", "^^a", "^a^", "~a", "{++", "{++a", "{--a--}", "{>>", "{ .a }", "{ .a }\n", ":a:", ":smile:", ":a",
	"--8<--\n", "--8<-- \"a\"\n", "{!a!}\n", "<div markdown>\n", "{% hint %}\n", "{% hint %}", "{% endhint %}", "{% endhint %}\n", "{% tabs %}\n{% tab %}\n", "{% embed %}\n", "{% code %}\n```\n",
	"{{<", "{{< a >}}", "{{< a >}}\n", "{{< /a >}}\n", "{{% note %}}\n", "{{< highlight a >}}\n", "{{< tab lang=a >}}\n", "{{< highlight a >}}b", "{{< a \"", "{% raw %}", "{% raw %}{{ a }}", "{% for a %}\n", "{% comment %}", "{% if a %}",
	"{{ a }}", "{{ a", "{{#include a}}\n", "{{#", "<<< a\n", "<!--@include: a-->\n", "```{note}\n", ":::{note}\n:a: b\n", "```{code} a\n", "```{a}\n---\n", "{a}`", "{a}`b`", "{ref}``a", "(a)=\n", "% a\n", "::a\n", "::a\n::\n", "::a\n---\n", ":a[", ":a[b]{c}", ":a{",
	"[[a", "[[a]]", "![[a.png]]", "[[a|b", "%%", "%%\n", "%% a\n", " ^a", "^a\n\n",
	"[[toc]]\n", "[toc]\n", "*[a]: b\n", "*[a b]: c\na b ", "- TOC\n{:toc}\n", "*[a]: b\n\na ", ":\n", "a\n: b\n\n", "a\n: ", "$$", "$$\n", "> [!NOTE]\n", "- [ ] a\n", "```a {1} b=\"\n```\n", "// [!code ++]\n",
}

// hostileContents are contents of about a size.
func hostileContents(size int) map[string]string {
	contents := map[string]string{
		"wide table, many short rows": strings.Repeat("|a", 1000) + "|\n" + strings.Repeat("|-", 1000) + "|\n" + strings.Repeat("|\n", size/2),
		"deep list, blank lines":      strings.Repeat("- ", 200) + "a" + strings.Repeat("\n", size),
		"deep list, code in it":       strings.Repeat("- ", 30) + "```\n" + strings.Repeat("\n", size),
		"one reference, many uses":    "[a]: b\n\n" + strings.Repeat("[a]", size/3),
		"one long reference":          "[a]: /" + strings.Repeat("u", size/2) + "\n\n" + strings.Repeat("[a] ", size/8),
		"nested labels":               "[a]: b\n\n" + strings.Repeat("[a ", size/6) + strings.Repeat("]", size/6),
		"long labels":                 "[a]: b\n\n" + strings.Repeat("["+strings.Repeat("x", 990)+"]", size/992),
		"many anchors, much text":     strings.Repeat("<a href=x>", 20) + strings.Repeat("*a* ", size/4),
		"deep components":             strings.Repeat("<A>\n", size/9) + strings.Repeat("</A>\n", size/9),
		"deep quotes":                 strings.Repeat(strings.Repeat("> ", 100)+"a\n", size/201),
		"many footnotes":              strings.Repeat("[^a] ", size/10) + "\n\n" + strings.Repeat("[^a]: b\n", size/16),
		"code with many marks":        "```a {" + strings.Repeat("1,", 500) + "1}\n" + strings.Repeat("\n", size) + "```",
		"same headings":               strings.Repeat("# a\n", size/4),
		"indents":                     indentedLines(200),
		"deep list, much white space": strings.Repeat("- ", 30) + "a\n" + strings.Repeat("\t", size) + "b",
		"deep quotes, lazy lines":     strings.Repeat("> ", 60) + strings.Repeat("a\n", size/2),
		"one long paragraph":          strings.Repeat("a\n", size/2) + "===",
		"long head, many delimiters":  strings.Repeat("|a", size/4) + "|\n" + strings.Repeat("|-|\n", size/8),
		"deep fences of colons":       strings.Repeat("::a\n", 60) + strings.Repeat("::\n", size/4),
		"deep admonitions":            strings.Repeat(":::::a\n", 60) + strings.Repeat(":::\n", size/4),
		"many commands":               "```sh npm2yarn\n" + strings.Repeat("npm i a\n", size/8) + "```",
		"one option, many lines":      "```{code} a\n:b: c\n" + strings.Repeat(":  d\n", size/5) + "```",
		"a wide table of commas":      "```{csv-table}\n" + strings.Repeat(",", size/2) + "\n" + strings.Repeat("a,\n", size/6) + "```",
		"cards around all":            strings.Repeat("<Card href=x>\n", 60) + strings.Repeat("a\n\n", size/3),
	}
	for _, piece := range repeated {
		contents[piece] = strings.Repeat(piece, size/len(piece))
	}
	return contents
}

// hostileOptions are how contents are read that shall take time: every dialect.
var hostileOptions = []Options{{}, {MDX: true}, {Dialect: "mkdocs"}, {Dialect: "gitbook"}, {Dialect: "obsidian"}, {Dialect: "hugo"}, {Dialect: "jekyll"}, {Dialect: "mdbook"}, {Dialect: "myst"}, {Dialect: "vitepress"}}

// TestHostileContent gives every content many times the time that it needs,
// and less than quadratic time would take. The best of three tries counts, since
// the machine may be busy.
func TestHostileContent(t *testing.T) {
	t.Parallel()
	const size, limit = 128 << 10, 1500 * time.Millisecond
	for name, content := range hostileContents(size) {
		for _, o := range hostileOptions {
			content := content
			if o.Dialect != "" { // whose marks take the time of a line each
				content = content[:len(content)/4]
			}
			best := time.Hour
			for try := 0; try < 3 && best > limit; try++ {
				start := time.Now()
				Parse(content, o)
				best = min(best, time.Since(start))
			}
			if best > limit {
				t.Errorf("%.40q %d times over, MDX %v, %s: took %v, want far less than %v", name, size/len(name), o.MDX, o.Dialect, best, limit)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, content := range []string{
		"# A *b* `c` [d](e) ![f](g) <b>h</b> &amp; i\n\n## T {#y .z}\n\nS\n-\n",
		"- [a](b)\n  1. [c](d)\n\n> [e](f)\nlazy [g](h)\n\n| [i](j) | k |\n|---|---|\n| [l\\|m](n) | `[no](no)` |\n",
		"text[^1] and [^none](x)\n\n[^1]: [a](b)\n\n    [c](d)\n\ng\n: [h](i)\n",
		"<div>\n<a href=\"x\">y</a>\n</div>\n\n<Card title=\"T\" href=\"/c\">\n\n[in](side)\n\n</Card>\n",
		"<Tabs>\n  <Tab>\n    ## In a tab\n\n    - [c](d)\n  </Tab>\n</Tabs>\n\nimport X from 'x'\n\n{/* [a](b) */}\n",
		"::card\n---\ntitle: a\nto: /b\n---\nc :d[e]{f=g}\n:::h{i}\n:::\n::\n",
		":::note\n## In a note\n:::\n\n> [!TIP]\n> [c](d)\n\n$$\nx\n$$\n",
	} {
		for i := range hostileOptions {
			f.Add(content, byte(i))
		}
	}
	for i, piece := range repeated {
		f.Add(strings.Repeat(piece, 3)+"a\n\n"+piece, byte(i%len(hostileOptions)))
	}
	f.Fuzz(func(t *testing.T, content string, how byte) {
		o := hostileOptions[int(how)%len(hostileOptions)]
		d := Parse(content, o)
		d.Walk(func(n Node) bool {
			if p := int(n.Pos()); p < 0 || p > len(d.source) {
				t.Fatalf("Parse(%q, %v): %T is at %d of %d", content, o, n, p, len(d.source))
			}
			return true
		})
		d.Contents(1, 6)
		for _, n := range d.Notices {
			if n.Line < 1 || n.Column < 1 {
				t.Fatalf("Parse(%q, %v): notice %v", content, o, n)
			}
		}
	})
}
