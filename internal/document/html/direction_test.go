package html

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
)

// TestBlockDirection shows that what stands beside text, such as the points
// of a list, the bar of a callout and the first column of a table, stands where
// that text begins.
func TestBlockDirection(t *testing.T) {
	t.Parallel()
	const arabic, hebrew = "مرحبا بالعالم", "שלום עולם"
	r := New(highlight.New(0))
	for _, c := range []struct {
		language, content string
		mdx               bool
		want              string // "" for no direction of a block
	}{
		{"", "- " + arabic, false, `<ul dir="rtl">`},
		{"en", "2. " + hebrew + "\n3. b", false, `<ol dir="rtl" start="2">`},
		{"", "- Docker " + arabic + "\n- `a long piece of code that says nothing`", false, `<ul dir="rtl">`},
		{"", "- abc\n- " + arabic + "\n- these are many more letters of another script, and they tell", false, ""},
		{"", "- abc", false, ""},
		{"ar", "- " + arabic, false, ""},
		{"ar", arabic + "\n\n- abc", false, `<ul dir="ltr">`},
		{"ar", "- 1\n- 2", false, ""},
		{"ar", "- `abc`", false, ""},
		{"", "- " + arabic + "\n  - " + arabic, false, `<ul dir="rtl">`},
		{"", "a[^1]\n\n[^1]: " + arabic, false, "<hr>\n<ol dir=\"rtl\">"},
		{"ar", arabic + "[^1]\n\n[^1]: a", false, "<hr>\n<ol dir=\"ltr\">"},
		{"", "<table><tr><td>" + arabic + "</td></tr></table>", false, `<div class="oct-table" tabindex="0" dir="rtl"><table>`},
		{"", "> " + arabic, false, `<blockquote dir="rtl">`},
		{"", "> [!NOTE]\n> " + arabic, false, `role="note" dir="rtl">`},
		{"ar", arabic + "\n\n> [!NOTE]\n> abc", false, `role="note" dir="ltr">`},
		{"ar", "| " + arabic + " | b |\n|--|--|\n| b " + arabic + " | 1 |", false, `<th dir="ltr">b`},
		{"ar", "<table><tr><td>" + arabic + "</td><td>b=\"c\"</td></tr></table>", false, `<td dir="ltr">b`},
		{"", "| " + arabic + " | 1 |\n|--|--|\n| " + arabic + " | 2 |", false, `<div class="oct-table" tabindex="0" dir="rtl"><table>`},
		{"", arabic + "\n: " + arabic, false, `<dl dir="rtl">`},
		{"", "<Columns>\n<Column>\n" + arabic + "\n</Column>\n</Columns>", true, `<div class="oct-columns" dir="rtl">`},
		{"", "<Steps>\n<Step title=\"" + arabic + "\">\n" + arabic + "\n</Step>\n</Steps>", true, `<ol class="oct-steps" dir="rtl">`},
		{"", "<Tabs>\n<Tab title=\"" + arabic + "\">\n" + arabic + "\n</Tab>\n</Tabs>", true, `<div class="oct-tabs" dir="rtl">`},
		{"", "<Accordion title=\"" + arabic + "\">\n" + arabic + "\n</Accordion>", true, `<details class="oct-accordion" id="مرحبا-بالعالم" dir="rtl">`},
		{"", "<Card title=\"" + arabic + "\">\n" + arabic + "\n</Card>", true, `<div class="oct-card" dir="rtl">`},
		{"", "<ParamField path=\"id\">\n" + arabic + "\n</ParamField>", true, `<div class="oct-field" id="param-id" dir="rtl">`},
		{"", "<ul><li>" + arabic + "</li></ul>", false, `<ul dir="rtl">`},
		{"", "<div dir=\"ltr\">\n\n- abc\n\n</div>\n\n" + arabic, false, `<div dir="ltr">`},
		{"", "<div dir=\"rtl\">\n\n- " + arabic + "\n\n</div>", false, `<div dir="rtl">`},
		{"", "<p>" + arabic + "</p>", false, ""}, // the browser does it
		{"", "# " + arabic, false, ""},
		{"ar", arabic + "\n\nThis is `abc`.", false, `<p dir="ltr">This`},
		{"ar", arabic + "\n\nDocker " + arabic, false, ""},
		{"ar", arabic + "\n\n`abc` 1.0", false, ""},
		{"ar", "- " + arabic + "\n- abc", false, ""},
		{"ar", "# abc\n\n" + arabic, false, ""},
		{"ar", "# Not translated\n\nIs it?\n\n- No.", false, "<div dir=\"ltr\">\n<h1 "},
		{"en", "# abc\n\n" + arabic + "\n\nabc", false, ""},
		{"", "- &#1605;&#1585;&#1581;&#1576;&#1575;", false, `<ul dir="rtl">`},
	} {
		have := string(r.Fragment(t.Context(), document.Parse(c.content, document.Options{MDX: c.mdx}), Options{Language: c.language}).HTML)
		if !strings.Contains(have, c.want) || strings.Count(have, "dir=") != min(len(c.want), 1) {
			t.Errorf("%q in %q\nhave %s\nwant %s", c.content, c.language, have, c.want)
		}
	}
}
