package html

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/token"
)

// code writes a code block. It consists of escaped text, so it bypasses the sanitiser, which
// would take as long as tokenising.
func (w *writer) code(c *document.Code) {
	w.sanitise()
	b := codeWriter{out: w.out}
	head := cmp.Or(c.Title, c.Label)
	if head != "" {
		b.raw(`<figure class="oct-code"><figcaption>`)
		b.text(head)
		b.raw("</figcaption>")
	}
	b.raw(`<pre tabindex="0"><code`)
	if c.Language != "" {
		b.raw(` class="language-`)
		b.text(c.Language)
		b.raw(`"`)
	}
	b.raw(">")
	if len(c.Marks) > 0 || c.Numbered {
		b.numbered = c.Numbered
		b.lines(c, w.tokens(c))
	} else {
		for _, t := range w.tokens(c) {
			b.token(t.Class, t.Text)
		}
	}
	b.raw("</code></pre>")
	if head != "" {
		b.raw("</figure>")
	}
	b.raw("\n")
	w.out = b.out
}

// tokens tokenises the code within the limit of the page.
func (w *writer) tokens(c *document.Code) []token.Token {
	plain := []token.Token{{Text: c.Text}}
	if !c.Colored() {
		return plain
	}
	if w.colourable -= len(c.Text); w.colourable < 0 {
		w.notice(document.NotHighlighted, c, c.Language)
		return plain
	}
	tokens, err := w.renderer.highlighter.Tokens(w.ctx, c.Language, c.Text)
	if err != nil {
		w.notice(document.NotHighlighted, c, err.Error())
		w.colourable -= maxColoured / 4 // few blocks per page may be this slow
	}
	return tokens
}

type codeWriter struct {
	out      []byte
	numbered bool
}

func (b *codeWriter) raw(s string) { b.out = append(b.out, s...) }

func (b *codeWriter) text(s string) { b.out = appendEscaped(b.out, s) }

func (b *codeWriter) token(class token.Class, text string) {
	if class == token.Plain {
		b.text(text)
		return
	}
	b.raw(`<span class="oct-`)
	b.raw(class.String())
	b.raw(`">`)
	b.text(text)
	b.raw("</span>")
}

// lines writes each line as an element.
func (b *codeWriter) lines(c *document.Code, tokens []token.Token) {
	line, open := 0, false
	for _, t := range tokens {
		for text := t.Text; text != ""; {
			if !open {
				line++
				b.openLine(c, line)
				open = true
			}
			piece, rest, more := strings.Cut(text, "\n")
			if piece != "" {
				b.token(t.Class, piece)
			}
			if more {
				b.raw("\n</span>")
				open = false
			}
			text = rest
		}
	}
	if open {
		b.raw("</span>")
	}
}

func (b *codeWriter) openLine(c *document.Code, line int) {
	b.raw(`<span class="oct-line`)
	if class := c.MarkOf(line); class != "" {
		b.raw(" oct-line-" + class)
	}
	b.raw(`"`)
	if b.numbered {
		b.raw(` data-line="` + strconv.Itoa(c.First+line-1) + `"`)
	}
	b.raw(">")
}
