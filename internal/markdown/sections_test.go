package markdown

import (
	"fmt"
	"strings"
	"testing"
)

func TestSections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content string
		format  Format
		want    string
	}{
		{"", Markdown, ""},
		{"Only text.", Markdown, "0   Only text.|"},
		{"# A *b* `c`\n\nOne [link](x) &amp; ![alt](y).\n\n## D {#own}\n", Markdown, "1 a-b-c A b c One link & alt.|\n2 own D |"},
		{"Lead\n\n## A\n\n## A\n\nline\nline", Markdown, "0   Lead|\n2 a A |\n2 a-1 A line line|"},
		{"- one\n- two\n\n> quoted", Markdown, "0   one/two/quoted|"},
		{"| a | b |\n|---|---|\n| c | d |\n", Markdown, "0   a b /c d|"},
		{"Text.\n\n```sh\nrun --fast\n```\n\n    indented\n", Markdown, "0   Text.|run --fast/indented"},
		{"<div class=\"x\"><b>bold</b> &lt;</div>\n\n<script>\nvar no = 1\n</script>\n", Markdown, "0   bold <|"},
		{"one<br>two <!-- never --> three <em>four</em>", Markdown, "0   one two  three four|"},
		{"import X from 'x'\n\n# T\n\n<Tabs>\n<Tab label=\"l\">\n\nInner *text* {1 + 1}.\n\n</Tab>\n</Tabs>\n", MDX, "1 t T Inner text .|"},
		{"a \xff b", Markdown, "0   a \uFFFD b|"},
	} {
		var have []string
		for _, s := range Sections([]byte(c.content), c.format) {
			have = append(have, fmt.Sprintf("%d %s %s %s|%s", s.Level, s.Anchor, s.Heading.Text, s.Text, s.Code))
		}
		for i := range have {
			have[i] = strings.ReplaceAll(have[i], "\n", "/")
		}
		if have := strings.Join(have, "\n"); have != c.want {
			t.Errorf("Sections(%q):\nhave %s\nwant %s", c.content, have, c.want)
		}
	}
}

func TestSectionsHaveTheAnchorsOfHeadings(t *testing.T) {
	t.Parallel()
	content := page()
	var have []Heading
	for _, s := range Sections(content, Markdown) {
		if s.Level > 0 {
			have = append(have, s.Heading)
		}
	}
	if want := Headings(content, Markdown); fmt.Sprint(have) != fmt.Sprint(want) {
		t.Errorf("have %v\nwant %v", have, want)
	}
}

func BenchmarkSections(b *testing.B) {
	content := page()
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		Sections(content, Markdown)
	}
}
