package markdown

import (
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// repeated are pieces which, one after the other, make some parsers of
// Markdown take quadratic time, exhaust the stack or fill the memory.
var repeated = []string{
	// brackets and targets
	"[", "![", "]", "](", "[a](", "[a](<b", "[a](b \"", "[a](b '", "[a](b (", "[](((", "[[]()", "![[]()", "![a](b",
	"[![a](b)](c)", "[a][", "[a]: b\n", "[a]: b \"\n", "[a]\n", "[^1]", "[^a]: ", "[a]({{< ", "*[a](",
	// emphasis
	"*a **a ", "a**b c* ", "a_", "*a_", "~a~~", "***a", "**",
	// code, references, addresses
	"`", "`a``a```a", "``` \n", "~~~", "&", "&a", "&#", "\\", "http://", "http://a", "www.", "www.a.b ", "a@", "a@b.c ", "<a@b", "<a:",
	// HTML and MDX
	"<", "</", "<a ", "<a x=\"", "<a x='\"", "<!--", "<?", "<!A", "<![CDATA[", "<div>\n", "<script>\n", "<a href=x>", "<a href=\"x\">\n\n",
	"<A>", "<A>\n", "<A\n", "</A>\n", "<A x={", "<Card href=x>\n", "{", "{/*", "{\"", "{'", "import a\n", "import {\n\n", "export const a = {\n\n",
	// blocks
	"> ", ">", "> \n", "- ", "1. ", "- a\n", "-\n", "- a\n\n", "    - a\n", "* * * ", "#", "# ", "a\n=\n", "|", "|a", "|a|\n|-|\n", "\t", "\n", "\r", "a\r", "\x00",
}

// TestHostileContent gives every content many times the time that it needs,
// and less than quadratic time would take. The best of three tries counts, since
// the machine may be busy.
func TestHostileContent(t *testing.T) {
	t.Parallel()
	const size, limit = 128 << 10, 500 * time.Millisecond
	contents := map[string]string{
		"wide table, many short rows": strings.Repeat("|a", 1000) + "|\n" + strings.Repeat("|-", 1000) + "|\n" + strings.Repeat("|\n", size/2),
		"deep list, blank lines":      strings.Repeat("- ", 200) + "a" + strings.Repeat("\n", size),
		"deep list, code in it":       strings.Repeat("- ", 30) + "```\n" + strings.Repeat("\n", size),
		"one reference, many uses":    "[a]: b\n\n" + strings.Repeat("[a]", size/3),
		"nested labels":               "[a]: b\n\n" + strings.Repeat("[a ", size/6) + strings.Repeat("]", size/6),
		"long labels":                 "[a]: b\n\n" + strings.Repeat("["+strings.Repeat("x", 990)+"]", size/992),
		"many anchors, much text":     strings.Repeat("<a href=x>", 20) + strings.Repeat("*a* ", size/4),
	}
	for _, piece := range repeated {
		contents[piece] = strings.Repeat(piece, size/len(piece))
	}
	for name, content := range contents {
		for _, format := range []Format{Markdown, MDX} {
			best := time.Hour
			for try := 0; try < 3 && best > limit; try++ {
				start := time.Now()
				Links([]byte(content), format)
				best = min(best, time.Since(start))
			}
			if best > limit {
				t.Errorf("%q %d times over, %v: took %v, want far less than %v", name, size/len(name), format, best, limit)
			}
		}
	}
}

// TestReferencesExpandWithinBounds holds that a short content with a long
// destination and many uses of it stays short.
func TestReferencesExpandWithinBounds(t *testing.T) {
	for name, content := range map[string]string{
		"one label":       "[a]: /" + strings.Repeat("u", 50_000) + "\n\n" + strings.Repeat("[a] ", 20_000),
		"distinct labels": "[a]: /" + strings.Repeat("u", 50_000) + "\n\n" + strings.Repeat("[x][a] [y][a] [z][a] ", 5_000),
	} {
		total := 0
		for _, link := range Links([]byte(content), Markdown) {
			total += len(link.Href)
		}
		if total == 0 || total > 2*len(content) {
			t.Errorf("%s: %d bytes of content have %d bytes of links", name, len(content), total)
		}
	}
}

func FuzzLinks(f *testing.F) {
	for _, seed := range []string{
		"[a](b) ![c](d \"e\") <https://f.example> www.g.example h@i.example", "[a]: b 'c'\n\n[a][] [^1]\n\n[^1]: x", "| a | b |\n|--|--|\n| \\| | `c|d` |",
		"- a\n\n  > b\n  1. c\n\t\td\n```x\n[y](z)\n```", "<div>\n<a href='x'>y</a>\n</div>\n\n<!-- z -->", "import A from 'a'\n\n<A b={c} d=\"e\">\n## F {#g}\n</A> {/* h */}",
		"***a** b*_c_~~d~~\\* &amp; `e` ``f`g``  \nh\\\ni", "a\n===\n\n    code\n\n***\n\r\n\x00\xff",
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, content []byte, mdx bool) {
		format := Markdown
		if mdx {
			format = MDX
		}
		seen := map[Link]bool{}
		for _, l := range Links(content, format) {
			if again, ok := uriReference(l.Href); !ok || again != l.Href {
				t.Fatalf("Links(%q, %v): href %q is no URI reference; it would be %q, %v", content, format, l.Href, again, ok)
			}
			if label := plainLabel([]byte(l.Label)); label != l.Label {
				t.Fatalf("Links(%q, %v): label %q is not plain; it would be %q", content, format, l.Label, label)
			}
			if seen[l] {
				t.Fatalf("Links(%q, %v): %+v comes twice", content, format, l)
			}
			seen[l] = true
		}
		for _, h := range Headings(content, format) {
			if h.Level < 1 || h.Level > 6 {
				t.Fatalf("Headings(%q, %v): have level %d", content, format, h.Level)
			}
		}
		checkLeadingHeading(t, content)
		checkPairs(t, content, format)
	})
}

// checkPairs makes sure that tokens which open and close pair up.
func checkPairs(t *testing.T, content []byte, format Format) {
	t.Helper()
	doc := parse(content, format)
	p := doc.tokenizer()
	var walk func(b *block)
	walk = func(b *block) {
		if b.hasInlines() {
			var open []inline.Kind
			for _, token := range p.Parse(b.text) {
				switch token.Kind {
				case inline.Link, inline.Image, inline.Emphasis, inline.Strong, inline.Deleted:
					open = append(open, token.Kind)
				case inline.LinkEnd, inline.ImageEnd, inline.EmphasisEnd, inline.StrongEnd, inline.DeletedEnd:
					if len(open) == 0 || open[len(open)-1] != token.Kind-1 {
						t.Fatalf("tokens of %q in %q (%v) do not pair up", b.text, content, format)
					}
					open = open[:len(open)-1]
				}
			}
			if len(open) > 0 {
				t.Fatalf("tokens of %q in %q (%v) are left open", b.text, content, format)
			}
		}
		for child := b.first; child != nil; child = child.next {
			walk(child)
		}
	}
	walk(doc.root)
}
