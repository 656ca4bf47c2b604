package document

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document/element"
)

func TestMDX(t *testing.T) {
	t.Parallel()
	checkTrees(t, Options{MDX: true, Frontmatter: []byte(`{"title":"Front"}`)}, []treeCase{
		{"<Note>\ntext\n</Note>", fmt.Sprintf("@Note:%dnote(p(text))", element.Callout)},
		{"<Note>text</Note>", fmt.Sprintf("@Note:%dnote(p(text))", element.Callout)},
		{"<Note>text\n\nmore</Note>\nend", fmt.Sprintf("@Note:%dnote(p(text) p(more)) p(end)", element.Callout)},
		{
			"<Tabs>\n  <Tab title=\"x\">\n    [a](b)\n\n        - c\n          d\n  </Tab><Tab title=\"y\">\n    ```js\n    e\n   f\n    ```\n  </Tab>\n</Tabs>",
			fmt.Sprintf("@Tabs:%d(@Tab:%d“x”(p(a<b>(a)) ul(li(t(c·d)))) @Tab:%d“y”(code.js(\"e\\nf\\n\")))", element.Tabs, element.Tab, element.Tab),
		},
		{"<Card\n  title=\"T &amp; U\"\n  href={\"/x\"}\n\n  cols={2}\n/>", fmt.Sprintf("@Card:%d“T & U”()", element.Card)},
		{"<Tabs items={['npm', \"yarn\"]}>\n<Tabs.Tab>\na\n</Tabs.Tab>\n<Tabs.Tab>\nb\n</Tabs.Tab>\n</Tabs>", fmt.Sprintf("@Tabs:%d(@Tabs.Tab:%d“npm”(p(a)) @Tabs.Tab:%d“yarn”(p(b)))", element.Tabs, element.Tab, element.Tab)},
		{"- item\n\n  <Note>\n  a\n  </Note>\n- b", fmt.Sprintf("ul(li(p(item) @Note:%dnote(p(a))) li(p(b)))", element.Callout)},
		{"| a |\n|---|\n| <Badge>[c](d)</Badge> <Unknown>e</Unknown> |", "table[0](a / <Badge>(a<d>(c)) e)"},
		{"see <Link to='/x'>the <b>text</b></Link>, <Icon icon=\"x\" name=\"x\" /> and <Tooltip tip=\"y\">z</Tooltip>", "p(see a[to=/x]</x>(the <b>(text)), <Icon[icon=x][name=x]>() and <Tooltip[tip=y]>(z))"},
		{"<>\na <>b</>\n</>", "p(a b)"},
		{"<Unknown a={b}>\n# Title\n</Unknown>", "h1#title(Title)"},
		{"<Run npm=\"go\" port={80} on={['a', 'b']} wide className=\"x\" {...y} />", "p(npm: go) p(port: 80) p(on: a, b)"},
		{"<Sample number=\"4\" caption=\"Giving back\">\ntext\n</Sample>", "p(strong(Giving back)) p(number: 4) p(text)"},
		{"<Box title=\"T\" note=\"N\" href=\"/x\" />", "a[href=/x](p(strong(T)) p(note: N))"},
		{"a <Term means=\"M\">b</Term> <Term label=\"L\" /> <motion.div x=\"y\" />", "p(a b (means: M) L)"},
		{"export default settings are kept\n\nimport of goods", "p(export default settings are kept) p(import of goods)"},
		{"export const a = `\n\nb }\n`\n\n{a}c", "p(b }\nc)"},
		{"a {// b }\n}c\n\n{\n  // it's d\n  /* e */\n}\n\nf", "p(a c) p(f)"},
		{"import A from './a'\nimport {B} from \"b\"\n\nexport const name = 'World', x = 1\nexport const greeting = \"Hello\"\n\n{greeting} {frontmatter.title} {\"s\"} {`t`} {1.5} {true} {x} {a.b} {/* c */}end", "p(Hello Front s t 1.5    end)"},
		{"{/* a\n\nb */}\n\ntext {' '}\n{'x'}", "p(text) p(x)"},
		{"<style>{`\na {}\n`}</style>\n\ntext", "p(text)"},
		{"    not code\n\n        nor this", "p(not code) p(nor this)"},
		{"a\n    # b\n\n    > c\n    - d\n      - e", "p(a) h1#b(b) quote(p(c)) ul(li(t(d) ul(li(t(e)))))"},
		{":::note\nimport a from 'b'\n:::\n- c\nimport d from 'e'\n\n- f\n\nimport g from 'h'", fmt.Sprintf("@note:%dnote(p(import a from 'b')) ul(li(p(c·import d from 'e')) li(p(f)))", element.Callout)},
		{"a < b, {never closed and <Broken attr", "p(a < b, {never closed and <Broken attr)"},
		{"Map<String, List<X>> and Set<T> end", "p(Map<String, List<X>> and Set<T> end)"},
		{"<Steps>\n\n1. a\n2. b\n\n</Steps>", fmt.Sprintf("@Steps:%d(ol1(li(t(a)) li(t(b))))", element.Steps)},
		{"<details>\n<summary>More *x*</summary>\n\ntext\n</details>", "details(summary(p(More em(x))) p(text))"},
		{"<Frame caption=\"C [d](e)\">\n  <img src=\"/i.png\" alt=\"I\" />\n</Frame>", fmt.Sprintf("@Frame:%d“C a<e>(d)”(p(img[src=/i.png][alt=I]</i.png>(I)))", element.Frame)},
		{"<Listing number=\"4-2\" file-name=\"src/a.rs\" caption=\"B `c`\">\n\nd\n\n</Listing>\n\n<Listing file-name=\"e.rs\">\n\nf\n\n</Listing>", fmt.Sprintf("@Listing:%d“Listing 4-2: B `c`”(p(src/a.rs) p(d)) @Listing:%d(p(e.rs) p(f))", element.Frame, element.Frame)},
		{"<Card title=\"A\" img=\"/i.png\">\n  b\n</Card>\n\n<Frame hint=\"c *d*\">\n  e\n</Frame>", fmt.Sprintf("@Card:%d“A”(p(img</i.png>()) p(b)) @Frame:%d(p(c em(d)) p(e))", element.Card, element.Frame)},
		{"`true{:js}` `{:js}` `a{:.js}`", "p(`true` `{:js}` `a{:.js}`)"},
		{"## Heading {/*own*/}\n\n## Other {#custom}", "h2#own(Heading) h2#custom[id=custom](Other)"},
		{"<!-- gone\n\nall of it -->\ntext", "p(text)"},
		{"<Math>\nx^2\n</Math>", `code.math.Math("x^2\n")`},
		{"1. a\n   <Info>b</Info>\n2. c", fmt.Sprintf("ol1(li(t(a) @Info:%dinfo(t(b))) li(t(c)))", element.Callout)},
		{"<div style={{a: 1}} className=\"c\">**x**</div>", "div[style=map[a:1]][className=c](p(strong(x)))"},
		{"<A1>\n   ```js\n    x\n    ```\n</A1>\n\n## y", "code.js(\" x\\n\") h2#y(y)"},
		{"a <Tooltip tip=\"b\" href=\"/c\">d</Tooltip> <Fragment>e</Fragment>", "p(a a[tip=b][href=/c]</c b>(d) e)"},
		{"<Icon icon=\"circle-check\" /> <img src=\"a.png\" className=\"block dark:hidden\" /><img src=\"b.png\" className=\"hidden dark:block\" />", "p(<Icon[icon=circle-check]>(✓)img[src=a.png][className=block dark:hidden]<a.png>()img[src=b.png][className=hidden dark:block]<b.png>())"},
		{"<Video src=\"v.mp4\"></Video><video src=\"w.mp4\" />", "p(a<v.mp4>(v.mp4)) p(a<w.mp4>(w.mp4))"},
		{"<video controls>\n  <source src=\"v.mp4\" type=\"video/mp4\" />\n  No films here.\n</video>\n\n<picture><source srcSet=\"d.png\" /><img src=\"l.png\" /></picture>", "p(a<v.mp4>(v.mp4)) p(No films here.) p(img[src=l.png]<l.png>())"},
		{"<LiteYouTubeEmbed id=\"a-B\" title=\"C\" />\n\n<YouTubeVideo videoId=\"d?e=f\" />\n\n<YouTube id=\"https://youtu.be/g\" />", "p(a<https://www.youtube.com/watch?v=a-B>(C)) p(a<https://www.youtube.com/watch?v=d>(https://www.youtube.com/watch?v=d)) p(a<https://www.youtube.com/watch?v=g>(https://www.youtube.com/watch?v=g))"},
	})
}

func TestMDXNotices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ content, want string }{
		{"<Note title=\"x\" icon={y}>\n{z}\n</Note>", "1:17: attribute left out: icon={y}; 2:1: expression left out: {z}"},
		{"export const a = `\nimport b from 'c'\nexport const d = 1\n`\nexport const e = [\n  1,\n]\nexport const f = g()", "8:1: export left out: export const f = g()"},
		{"export default settings are kept\n\n{// a\n}\n\nimport of goods", ""},
		{"import a from 'a'\nimport A, {\n  B,\n} from 'a'\nimport {C, d} from 'a'\nimport 'a.css'\nexport const f = () => 1\n\n<Foo {...p}/>", "1:1: import left out: import a from 'a'; 5:1: import left out: import {C, d} from 'a'; 6:1: import left out: import 'a.css'; 7:1: export left out: export const f = () => 1; 9:1: unknown component shown as its content: <Foo {...p}/>"},
		{"<Note>\ntext", "1:1: never closed: <Note>"},
		{"a\n\n<Note>\ntext\n\n# B", "3:1: never closed: <Note>"},
		{"text\n\n  </Note>", "3:3: closes nothing: </Note>"},
		{"a <Foo> b", "1:3: never closed: <Foo>"},
		{"<Tip>\n<Note>\n</Tip>", "2:1: never closed: <Note>"},
		{"<Note>{/* fine */}</Note>\n\n<></>", ""},
		{"a\n<script src=\"x\" />\n", "2:1: element left out: <script src=\"x\" />"},
	} {
		if have := dumpNotices(Parse(c.content, Options{MDX: true})); have != c.want {
			t.Errorf("Parse(%q)\nhave %s\nwant %s", c.content, have, c.want)
		}
	}
}

// TestMDXTextKept checks that what nobody understands is shown, not dropped.
// Each word of a content stands for text.
func TestMDXTextKept(t *testing.T) {
	t.Parallel()
	for _, content := range []string{
		"<Note>k1\n\n<Tabs>k2 <Foo>k3 <b>k4\n\n</Bar>k5\n\n{k6 <7 </Note> k8 `k9",
		"<Tabs>\n<Tab>\nk1\n</Tabs>\nk2\n</Tab>\nk3",
		"- k1\n  <Note>\n- k2\n  </Note> k3\n\n> <Tip>\n> k4\n\nk5\n</Tip>",
		"k1 <Card title=\"k2\">k3\nk4 </Card> k5 <Card\n\nk6",
		"| k1 |\n|---|\n| <Note>k2 | k9\n| k3 </Note> |\n\n</Note> k4",
		"# k1 <Badge>k2\n\n## k3 </Badge>\n\n*k4 <i>k5* k6</i>",
		"<style>\n\nk1\n\n# k2",
		"<a href={x}>k1\n\nk2</a> [k3 <Foo>](b) k4",
		"<Foo.Bar>k1</Foo> k2 <>k3\n\n</> k4 <Foo>k5</Foo.Bar>",
		"export k1\n\nimport k2 from k3\n\n<import>k4",
		"<Frame><Note><Foo>k1</Note></Frame>k2<Note/>k3<Foo />k4",
		":::note k1\nk2\n::::\nk3\n\n<Note>\n:::tip\nk4\n</Note>\nk5\n:::\nk6",
		"<details><summary>k1</summary>k2</details>\n\n<ul><li>k3<li>k4 <p>k5</ul>\n<select><option>k6</select>",
	} {
		for _, mdx := range []bool{false, true} {
			if !mdx && strings.HasPrefix(content, "<style>") {
				continue // in HTML the rest of the page is a style sheet
			}
			d := Parse(content, Options{MDX: mdx})
			shown := dump(d)
			for _, word := range regexp.MustCompile(`k\d`).FindAllString(content, -1) {
				// In a table, what is past the last column is dropped as GitHub does.
				if word != "k9" && !strings.Contains(shown, word) {
					t.Errorf("Parse(%q, MDX %v): %s is lost\n%s", content, mdx, word, shown)
				}
			}
		}
	}
}

func TestDepthLimit(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"components": strings.Repeat("<A>\n", 1000) + "text\n" + strings.Repeat("</A>\n", 1000),
		"known":      strings.Repeat("<Note>\n", 1000) + "text\n" + strings.Repeat("</Note>\n", 1000),
		"quotes":     strings.Repeat("> ", 1000) + "text",
		"lists":      strings.Repeat("- ", 1000) + "text",
		"emphasis":   strings.Repeat("*a **b ", 1000) + "text" + strings.Repeat("** *", 1000),
		"links":      strings.Repeat("![", 1000) + "text" + strings.Repeat("](x)", 1000),
		"inline":     "x " + strings.Repeat("<b>", 1000) + "text" + strings.Repeat("</b>", 1000),
		"colons":     strings.Repeat(":::note\n", 1000) + "text",
		"indents":    indentedLines(200),
	} {
		for _, mdx := range []bool{false, true} {
			d := Parse(content, Options{MDX: mdx})
			depth, deepest := 0, 0
			s := dump(d)
			for i := range len(s) {
				switch s[i] {
				case '(':
					depth++
				case ')':
					depth--
				}
				deepest = max(deepest, depth)
			}
			if deepest > 3*maxDepth {
				t.Errorf("%s, MDX %v: have depth %d", name, mdx, deepest)
			}
			if !strings.Contains(s, "text") {
				t.Errorf("%s, MDX %v: the text is lost", name, mdx)
			}
		}
	}
}

// indentedLines makes a text of which each line is indented further.
func indentedLines(lines int) string {
	var b strings.Builder
	for i := range lines {
		b.WriteString(strings.Repeat("    ", i) + "text\n\n")
	}
	return b.String()
}

// TestUnclosedInSection: what is never closed in MDX does not hold the sections
// that follow, nor what is closed around it.
func TestUnclosedInSection(t *testing.T) {
	t.Parallel()
	checkTrees(t, Options{MDX: true}, []treeCase{
		{"<Note>\na\n\n# B\n\nc", fmt.Sprintf("@Note:%dnote(p(a)) h1#b(B) p(c)", element.Callout)},
		{"<Note>\n<Tip>\na\n\n# B\n\n## C", fmt.Sprintf("@Note:%dnote(@Tip:%dtip(p(a))) h1#b(B) h2#c(C)", element.Callout, element.Callout)},
		{"<Tip>\n<Note>\na\n\n# B\n</Tip>\n\n# C", fmt.Sprintf("@Tip:%dtip(@Note:%dnote(p(a)) h1#b(B)) h1#c(C)", element.Callout, element.Callout)},
		{"<Note>\n\n# B\n</Note>\n\nc", fmt.Sprintf("@Note:%dnote(h1#b(B)) p(c)", element.Callout)},
		{"<Note>\n<Tip>\n# B\n</Tip>\na", fmt.Sprintf("@Note:%dnote(@Tip:%dtip(h1#b(B)) p(a))", element.Callout, element.Callout)},
		{"<details>\na\n\n# B", "details(p(a)) h1#b(B)"},
		{"<Note>\na\n\n- # B\n\nc", fmt.Sprintf("@Note:%dnote(p(a) ul(li(h1#b(B))) p(c))", element.Callout)},
	})
	checkTrees(t, Options{}, []treeCase{{"<div>\n\n# B", "div(h1#b(B))"}}) // as browsers have it
}
