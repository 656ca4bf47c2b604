package site

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/document/html"
	"github.com/octavo-docs/octavo/internal/testenv/chromium"
)

// TestSpacingOfLists looks at lists in a real Chromium: the item behind a list
// within a list is as near as any other, code below a title fills its frame, and
// the lines of a task begin below its text, not below its box, which stands
// beside the text also where items are apart. Code in Hebrew runs from left to
// right, there is space below a card, and a wide table of HTML is
// moved in its own box.
func TestSpacingOfLists(t *testing.T) {
	t.Parallel()
	const content = "- a\n- b\n  - c\n- d\n\n```go title=\"x.go\"\nx\n```\n\n- [x] a task of many words that fill more than the only line that it has in a narrow window\n\n1. e\n\n   - [ ] f\n\n   - [ ] g\n\n<div dir=\"rtl\">\n\nאב `f()` גד\n\n</div>\n\n:::card\nh\n:::\n\n:::cards\n:::card\ni\n:::\n:::\n\n<table><tr><td><pre>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</pre></td><td>b</td></tr></table>\n"
	d := document.Parse(content, document.Options{})
	fragment := html.New(highlight.New(0)).Fragment(t.Context(), d, html.Options{}).HTML
	page, _, err := html.Page{Title: "T", Fragment: fragment}.HTML()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	w := chromium.Open(t, "file://"+file)
	w.Do(chromedp.EmulateViewport(390, 800))
	w.Go("")
	for _, c := range []struct{ what, expression string }{
		{"space below a list in a list", `getComputedStyle(document.querySelector("li ul")).marginBottom`},
		{"space below code in its frame", `getComputedStyle(document.querySelector(".oct-code pre")).marginBottom`},
		{"how far the first line of a task is from the second", `(() => {
			const r = document.createRange();
			r.selectNodeContents(document.querySelector(".oct-task").lastChild);
			const lines = [...r.getClientRects()].filter((box) => box.width > 1);
			return (lines.length > 1 ? Math.abs(lines[0].left - lines[1].left) > 5 ? "far" : "0" : "one line") + "px";
		})()`},
		{"space below a card alone", `(parseFloat(getComputedStyle(document.querySelector(".oct-card")).marginBottom) > 8 ? "0" : "too little") + "px"`},
		{"space below a card among cards", `getComputedStyle(document.querySelector(".oct-cards > .oct-card")).marginBottom`},
		{"how far a box is above its text where items are apart", `(() => {
			const r = document.createRange(), item = document.querySelector("ol .oct-task p");
			r.selectNodeContents(item.lastChild);
			const text = r.getBoundingClientRect(), box = item.querySelector(".oct-check").getBoundingClientRect();
			return (box.bottom > text.top && text.bottom > box.top ? "0" : text.top - box.bottom) + "px";
		})()`},
		{"how far the parentheses of a call stand before it in Hebrew", `(() => {
			const r = document.createRange(), text = [...document.querySelectorAll("p code")].at(-1).firstChild;
			r.setStart(text, 0); r.setEnd(text, 1);
			const name = r.getBoundingClientRect();
			r.setStart(text, 1); r.setEnd(text, 2);
			return Math.max(0, name.left - r.getBoundingClientRect().left) + "px";
		})()`},
		{"how far the page is wider than the window", `Math.max(0, document.documentElement.scrollWidth - innerWidth) + "px"`},
	} {
		if have := w.Text(c.expression); have != "0px" {
			t.Errorf("%s: have %s, want 0px", c.what, have)
		}
	}
}
