package markdown

import (
	"testing"

	"github.com/octavo-docs/octavo"
)

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
		if have := Title([]byte(c.content), Format{}); have != c.want {
			t.Errorf("Title(%q): have %q, want %q", c.content, have, c.want)
		}
	}
	// The name of a note is its title; a heading only above all text.
	for content, want := range map[string]string{"%% x %%\n\n# One\n\n# Two": "One", "text\n\n# One": "", "## One\n\n### Two": ""} {
		if have := Title([]byte(content), Format{Dialect: octavo.DialectObsidian}); have != want {
			t.Errorf("Title(%q) of a note: have %q, want %q", content, have, want)
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
	for _, format := range []Format{{}, {MDX: true}} {
		if want := title(string(content), format); have != "" && have != want {
			t.Errorf("LeadingTitle(%q): have %q, want %q in %v", content, have, want, format)
		}
	}
}

func TestIsMDX(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content, declared string
		want              bool
	}{
		{"# Text", "", false},
		{"# Text", "mdx", true},
		{"# Text", "MDX", true},
		{"# Text", "md", false},
		{"import A from 'a'\n", "", true},
		{"text\n\nimport {\n  A,\n} from 'a'\n", "", true},
		{"import 'a.css'", "", true},
		{"export const a = 1", "", true},
		{"export default function A() {}", "", true},
		{"import the file from disk", "", false},
		{"import duties", "", false},
		{"export everything", "", false},
		{"text\nimport A from 'a'\n", "", false},
		{"  import A from 'a'\n", "", false},
		{"text\n<Note>\n", "", true},
		{"  <Note title=\"x\">text</Note>", "", true},
		{"<My.Part/>", "", true},
		{"<Note\n  title=\"x\"\n>", "", true},
		{"text <Note>", "", false},
		{"    <Note>", "", false},
		{"<note>\n<BR>\n<TABLE>\n</Note>\n<!-- A -->\n<https://a.example>", "", false},
		{"<T extends Object>", "", true},
		{"<String, Integer>", "", false},
		{"```\n<Note>\n```\n~~~~\n```\nimport a from 'a'\n~~~~", "", false},
		{"```\n~~~\n```\n<Note>", "", true},
	} {
		if have := isMDX(c.content, c.declared); have != c.want {
			t.Errorf("isMDX(%q, %q): have %v, want %v", c.content, c.declared, have, c.want)
		}
	}
}
