package markdown

import (
	"fmt"
	"strings"
	"testing"
)

func TestHeadings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content string
		format  Format
		want    string
	}{
		{"text\n#hashtag\n####### seven", Markdown, ""},
		{"# One\n## Two ##\n### *Three* & `four`", Markdown, "1 One #one ; 2 Two #two ; 3 Three & four #three--four"},
		{"One\n===\n\nTwo\nlines\n---\n", Markdown, "1 One #one ; 2 Two lines #two-lines"},
		{"# A\n# A\n# a-1\n# A", Markdown, "1 A #a ; 1 A #a-1 ; 1 a-1 #a-1-1 ; 1 A #a-2"},
		{"# Größe: 日本語_x!", Markdown, "1 Größe: 日本語_x! #größe-日本語_x"},
		{"# [Link](x) and ![image](y)", Markdown, "1 Link and image #link-and-image"},
		{"## Custom {#my-Id}\n## Kept {x}\n## Both {.c #d}", Markdown, "2 Custom #my-Id ; 2 Kept {x} #kept-x ; 2 Both #d"},
		{"## Custom {#my-id}\n## Value {x}", MDX, "2 Custom #my-id ; 2 Value #value"},
		{"> # Quoted\n\n- # Item\n\n```\n# code\n```\n    # code", Markdown, "1 Quoted #quoted ; 1 Item #item"},
		{"<Step>\n  # Inside\n</Step>", MDX, "1 Inside #inside"},
		{"#\n# \t\n", Markdown, "1  # ; 1  #-1"},
	} {
		var parts []string
		for _, h := range Headings([]byte(c.content), c.format) {
			parts = append(parts, fmt.Sprintf("%d %s #%s", h.Level, h.Text, h.Anchor))
		}
		if have := strings.Join(parts, " ; "); have != c.want {
			t.Errorf("Headings(%q, %v)\nhave %s\nwant %s", c.content, c.format, have, c.want)
		}
	}
}

func TestFirstHeading(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ content, want string }{
		{"no heading", ""},
		{"#\n\n## Second\n\n# Third", "Second"},
	} {
		h, found := FirstHeading([]byte(c.content), Markdown)
		if h.Text != c.want || found != (c.want != "") {
			t.Errorf("FirstHeading(%q): have %+v, %v, want %q", c.content, h, found, c.want)
		}
	}
}

// TestLeadingHeading finds it without reading on, and the same that is found by
// reading all.
func TestLeadingHeading(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content string
		alone   bool
	}{
		{"# Title\n\ntext", true},
		{"\r\n\n### *Title* of `code` & more ###\r\n> [x]: y", true},
		{"# a_b_ \\* www.a.example &copy; ![\n", false},
		{"# One\rtext", true},
		{"# One\n===", true},
		{"# Title", true},
		{"##   Two  words, 3 - And-more ", true},
		{"###### -\n- one", true},
		{"#   \n# Second", false},
		{"# a [b]\n\n[b]: c", false},
		{"# a <b>c</b>\n", false},
		{"# a {b} {#c}\n", false},
		{"#\n\n# Second", false},
		{"#one\n\n# Second", false},
		{"####### seven\n# Second", false},
		{" # Indented", false},
		{"text\n# Second", false},
		{"\ufeff# Title", false},
		{"", false},
	} {
		have, alone := LeadingHeading([]byte(c.content))
		if alone != c.alone {
			t.Errorf("LeadingHeading(%q): have %+v, %v, want %v", c.content, have, alone, c.alone)
		}
		checkLeadingHeading(t, []byte(c.content))
	}
}

// checkLeadingHeading makes sure that a heading that was told by its line is the
// first of all.
func checkLeadingHeading(t *testing.T, content []byte) {
	t.Helper()
	have, ok := LeadingHeading(content)
	for _, format := range []Format{Markdown, MDX} {
		if want, found := firstHeading(content, format); ok && (have != want || !found) {
			t.Errorf("LeadingHeading(%q): have %+v, want %+v, %v in %v", content, have, want, found, format)
		}
	}
}

func TestDetectFormat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content, declared string
		want              Format
	}{
		{"# Text", "", Markdown},
		{"# Text", "mdx", MDX},
		{"# Text", "MDX", MDX},
		{"# Text", "md", Markdown},
		{"import A from 'a'\n", "", MDX},
		{"text\n\nimport {\n  A,\n} from 'a'\n", "", MDX},
		{"import 'a.css'", "", MDX},
		{"export const a = 1", "", MDX},
		{"export default function A() {}", "", MDX},
		{"import the file from disk", "", Markdown},
		{"import duties", "", Markdown},
		{"export everything", "", Markdown},
		{"text\nimport A from 'a'\n", "", Markdown},
		{"  import A from 'a'\n", "", Markdown},
		{"text\n<Note>\n", "", MDX},
		{"  <Note title=\"x\">text</Note>", "", MDX},
		{"<My.Part/>", "", MDX},
		{"<Note\n  title=\"x\"\n>", "", MDX},
		{"text <Note>", "", Markdown},
		{"    <Note>", "", Markdown},
		{"<note>\n<BR>\n<TABLE>\n</Note>\n<!-- A -->\n<https://a.example>", "", Markdown},
		{"<T extends Object>", "", MDX},
		{"<String, Integer>", "", Markdown},
		{"```\n<Note>\n```\n~~~~\n```\nimport a from 'a'\n~~~~", "", Markdown},
		{"```\n~~~\n```\n<Note>", "", MDX},
	} {
		if have := DetectFormat(c.content, c.declared); have != c.want {
			t.Errorf("DetectFormat(%q, %q): have %v, want %v", c.content, c.declared, have, c.want)
		}
	}
}
