package pdf

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
)

// TestElementTable holds what becomes of tables that are written as HTML; nothing
// is what shows their cells below each other.
func TestElementTable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content string
		head    bool
		align   document.Alignment // of the last column
		want    string
	}{
		{"<tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr>", true, 0, "a|b\nc|d"},
		{"<thead><tr><td>a</td></tr></thead><tbody><tr><td>b</td></tr></tbody>", true, 0, "a\nb"},
		{"<tr><td>a</td><td align=\"right\">b</td></tr>", false, document.AlignRight, "a|b"},
		{"<tr><th>a</th><td>b</td></tr>", false, 0, "a|b"},
		{"<tr><td rowspan=\"2\">a</td><td>b</td></tr><tr><td>c</td></tr><tr><td>d</td><td>e</td></tr>", false, 0, "a|b\n|c\nd|e"},
		{"<tr><td>a</td><td rowspan=\"3\">b</td></tr><tr><td>c</td></tr><tr><td>d</td></tr><tr><td>e</td></tr>", false, 0, "a|b\nc|\nd|\ne"},
		{"<tr><td colspan=\"2\">a</td><td>b</td></tr><tr><td>c</td></tr>", false, 0, "a||b\nc"},
		{"<tr>\n<td>\n\n```go\nif x {\n  y  z\n}\n```\n\n</td>\n<td>\n\n- a\n- b\n\nc\n\n</td>\n</tr>", false, 0, "if x {/\u00a0\u00a0y\u00a0\u00a0z/}|• a/• b/c"},
		{"<tr><td><ul><li>a</li><li>b<ol start=\"3\"><li>c</li><li>d</li></ol></li></ul></td><td>e</td></tr>", false, 0, "• a/• b/\u00a0\u00a0\u00a0\u00a03. c/\u00a0\u00a0\u00a0\u00a04. d|e"},
		{"<tr><td><pre><code>a\n  b\n</code></pre></td><td><h4>c</h4><p>d</p></td></tr>", false, 0, "a/\u00a0\u00a0b|c/d"},
		{"<tr><td><dl><dt>a</dt><dd>b</dd></dl></td><td><blockquote>c</blockquote><details><summary>d</summary>e</details></td></tr>", false, 0, "a/b|c/d/e"},
		{"<caption>c</caption><tr><td>a<hr>b</td><td>\n\n> c\n\n</td></tr>", false, 0, "a/b|c"},
		{"<tr><td>\n\n- a\n  - b\n\n</td></tr>", false, 0, "• a/\u00a0\u00a0\u00a0\u00a0• b"},
		{"<tr><td><table><tr><td>a</td></tr></table></td></tr>", false, 0, ""},
		{"<tr><td colspan=\"1000000000\">a</td></tr>", false, 0, ""},
		{"", false, 0, ""},
	} {
		d := document.Parse("<table>\n"+c.content+"\n</table>\n", document.Options{})
		e, ok := d.Blocks[0].(*document.Element)
		if !ok {
			t.Fatalf("%q: have %T", c.content, d.Blocks[0])
		}
		table := elementTable(e)
		if have := dumpTable(table); have != c.want {
			t.Errorf("%q: have %q, want %q", c.content, have, c.want)
		}
		if table == nil {
			continue
		}
		if head, align := len(table.Head.Cells) > 0, table.Align[len(table.Align)-1]; head != c.head || align != c.align {
			t.Errorf("%q: have head %v and alignment %v, want %v and %v", c.content, head, align, c.head, c.align)
		}
	}
}

// dumpTable returns the text of a table, a slash for each end of a line in it.
func dumpTable(t *document.Table) string {
	if t == nil {
		return ""
	}
	var rows []string
	for _, r := range append([]*document.Row{t.Head}, t.Rows...) {
		var cells []string
		for _, c := range r.Cells {
			text := ""
			for _, n := range c.Inlines {
				if b, ok := n.(*document.Break); ok && b.Hard {
					text += "/"
				} else {
					text += document.PlainText([]document.Inline{n})
				}
			}
			cells = append(cells, strings.TrimSpace(text))
		}
		if r != t.Head || len(cells) > 0 {
			rows = append(rows, strings.Join(cells, "|"))
		}
	}
	return strings.Join(rows, "\n")
}

// TestElementsInCells checks that lists and other elements of HTML in the cells of
// Markdown stand on lines of their own.
func TestElementsInCells(t *testing.T) {
	t.Parallel()
	const table = "| a | b |\n|---|---|\n| x | lead <ul><li>uno</li> <li>due<ol start=\"3\"><li>tre</li><li>quattro</li></ol></li></ul>cinque |\n| y | <p>sei</p><p>sette</p><details><summary>otto</summary>nove</details> |\n"
	words := strings.Fields("lead uno due tre quattro cinque sei sette otto nove")
	have := boxes(t, one(table), "en", append(words, "3.", "4.")...)
	for i, word := range words[1:] {
		if have[word][1] <= have[words[i]][1] {
			t.Errorf("%s stands at %v, %s before it at %v", word, have[word], words[i], have[words[i]])
		}
	}
	if have["3."][1] != have["tre"][1] || have["tre"][0] <= have["due"][0] {
		t.Errorf("a list in a list: have %v below %v", have["tre"], have["due"])
	}
	d := document.Parse(table, document.Options{})
	if have := document.Beginning(d.Blocks, 1000); !strings.Contains(have, "lead uno due tre quattro") {
		t.Errorf("as text: have %q", have)
	}
}
