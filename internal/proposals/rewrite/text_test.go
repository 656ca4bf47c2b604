package rewrite

import (
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/markdown"
)

// FuzzText checks that what is not changed stays, on any text.
func FuzzText(f *testing.F) {
	for _, text := range []string{"# A\r\n\r\nB\n---\n[x](y) [a] [^1]\n\n[a]: b\n[^1]: c\n", "> - A\n>   ===\n", "\uFEFF\x00\xff A\n=\n", "<a id=x>\n\n## {#y}\n"} {
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, content string, mdx bool) {
		text := Read(content, markdown.Format{MDX: mdx})
		whole := text.Whole()
		if have := Join([]Piece{whole}, nil); have != text.Content {
			t.Fatalf("have %q of %q", have, content)
		}
		whole.Edits = text.Shift(text.Headings, 2)
		Join([]Piece{whole}, nil)
		for _, h := range text.Headings {
			if end := text.HeadingEnd(h); end <= h.At || end > len(text.Content) {
				t.Fatalf("heading %q of %q ends at %d", h.Text, content, end)
			}
			text.Definitions(Piece{Text: text, From: h.At, To: len(text.Content)})
		}
		text.Shared(text)
	})
}

// TestHugeText checks that time grows with the text and not with its square.
func TestHugeText(t *testing.T) {
	start := time.Now()
	for _, unit := range []string{"[^%] [%]\n\n[%]: x\n\n[^%]: y\n\n", "## % {#a}\n\n", "%\n---\n\n", "a <i id=%>[x](y)</i>\n\n"} {
		var b strings.Builder
		for n := 0; b.Len() < 1<<20; n++ {
			b.WriteString(strings.ReplaceAll(unit, "%", "n"+strings.Repeat("i", n%7)+time.Duration(n).String()))
		}
		text := Read(b.String(), markdown.Format{})
		half := Piece{Text: text, To: len(text.Content) / 2}
		half.Edits = text.Shift(text.Headings, 2)
		Join(append(text.Definitions(half), half), func(p Piece) []Edit { text.rangesIn(p.From, p.To); return nil })
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("4 MiB took %v", took)
	}
}

// TestRestore: an edit leaves the bytes of all other lines as they were.
func TestRestore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ raw, from, to, want string }{
		{"a\nb\n", "b", "x", "a\nx\n"},
		{"a\r\nb\r\nc", "b", "x", "a\r\nx\r\nc"},
		{"a\r\nb\nc\r\n", "c", "x", "a\r\nb\nx\r\n"},
		{"\uFEFFa\r\nb\n", "b", "x", "\uFEFFa\r\nx\n"},
		{"\uFEFFa\nb\x00\n", "a", "x", "\uFEFFx\nb\x00\n"},
		{"a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n"},
	} {
		text := Read(c.raw, markdown.Format{})
		if have := text.Restore(strings.Replace(text.Content, c.from, c.to, 1)); have != c.want {
			t.Errorf("%q with %q for %q: have %q, want %q", c.raw, c.to, c.from, have, c.want)
		}
	}
}
