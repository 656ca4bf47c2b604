package markdown

import "testing"

func TestTitle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ content, want string }{
		{"no heading", ""},
		{"#\n\n## Second\n\n# Third", "Third"},
		{"\uFEFF# One\r\n", "One"},
		{"## One\n\n### Two\n\n### Three", "One"},
		{"### One\n\n## Two", "Two"},
		{"text\n\n## One\n\n## Two", ""},
		{"# One\n\n# Two", "One"},
		{"# One <Badge/>", "One"},
		{"# One <Badge type=\"tip\">new</Badge>", "One new"},
		{"# Array<T> <K extends B = C>", "Array<T> <K extends B = C>"},
		{"> # Quoted\n\n- # Item", ""},
		{"> # Quoted\n\nOne\n---", "One"},
		{"<!-- a -->\n\n![logo](x)\n\n# One\n\n## Two", "One"},
		{"<h1 align=\"center\">\n<img src=\"x\" alt=\"\"><br>\nMy *tool*\n</h1>\n\n## Two\n\n## Three", "My *tool*"},
		{"<p align=\"center\">\n<h1>One</h1>\n</p>\n\n## Two", "One"},
		{"<details>\n\n# Inside\n\n</details>", ""},
		{"## Two\n\n<h2>Three</h2>", ""},
		{"```\n# Code\n```", ""},
	} {
		if have := Title([]byte(c.content), Markdown); have != c.want {
			t.Errorf("Title(%q): have %q, want %q", c.content, have, c.want)
		}
	}
}

// TestLeadingTitle finds it without reading on, and the same that is found by
// reading all.
func TestLeadingTitle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content string
		alone   bool
	}{
		{"# Title\n\ntext", true},
		{"\r\n\n# *Title* of `code` & more ###\r\n> [x]: y", true},
		{"## Title\n\n# Second", false},
		{"# a_b_ \\* www.a.example &copy; ![\n", false},
		{"# One\rtext", true},
		{"# One\n===", true},
		{"# Title", true},
		{"# Two  words", true},
		{"#   Two  words, 3 - And-more ", true},
		{"# -\n- one", true},
		{"#   \n# Second", false},
		{"# a [b]\n\n[b]: c", false},
		{"# a <b>c</b>\n", false},
		{"# a {b} {#c}\n", false},
		{"#\n\n# Second", false},
		{"#one\n\n# Second", false},
		{"####### seven\n# Second", false},
		{" # Indented", false},
		{"text\n# Second", false},
		{"\ufeff# Title", true},
		{"", false},
	} {
		if have := LeadingTitle([]byte(c.content)); (have != "") != c.alone {
			t.Errorf("LeadingTitle(%q): have %q, want one: %v", c.content, have, c.alone)
		}
		checkLeadingTitle(t, []byte(c.content))
	}
}

// checkLeadingTitle makes sure that a heading that was told by its line is the
// first of all.
func checkLeadingTitle(t *testing.T, content []byte) {
	t.Helper()
	have := LeadingTitle(content)
	for _, format := range []Format{Markdown, MDX} {
		if want := title(string(content), format); have != "" && have != want {
			t.Errorf("LeadingTitle(%q): have %q, want %q in %v", content, have, want, format)
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
