package markdown

import "testing"

func TestFirstHeading(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ content, want string }{
		{"no heading", ""},
		{"#\n\n## Second\n\n# Third", "Second"},
	} {
		if have := FirstHeading([]byte(c.content), Markdown); have != c.want {
			t.Errorf("FirstHeading(%q): have %q, want %q", c.content, have, c.want)
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
		if have := LeadingHeading([]byte(c.content)); (have != "") != c.alone {
			t.Errorf("LeadingHeading(%q): have %q, want one: %v", c.content, have, c.alone)
		}
		checkLeadingHeading(t, []byte(c.content))
	}
}

// checkLeadingHeading makes sure that a heading that was told by its line is the
// first of all.
func checkLeadingHeading(t *testing.T, content []byte) {
	t.Helper()
	have := LeadingHeading(content)
	for _, format := range []Format{Markdown, MDX} {
		if want := firstHeading(string(content), format); have != "" && have != want {
			t.Errorf("LeadingHeading(%q): have %q, want %q in %v", content, have, want, format)
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
