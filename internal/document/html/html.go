// Package html renders the tree of a page as an HTML fragment or, with Page, as a whole page in
// a theme. The fragment uses only allowed elements, attributes and URL schemes, and
// bluemonday sanitises it again; only highlighted code, made of escaped text, bypasses
// that. The output has no scripts, inline styles or requests to other sites of its own.
//
// Options resolve addresses, as the package knows no pages and assets. style.css defines all
// classes; those of Octavo begin with "oct-".
package html

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/microcosm-cc/bluemonday"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/direction"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/document/words"
)

// Options configure a rendering.
type Options struct {
	// Link resolves a written link: by slug, path or identifier to a page, or elsewhere. It is not
	// called for fragments of the page itself, or for schemes other than http and https. If
	// found is false, the link stays as written, with a notice. If nil, all links stay.
	Link func(href string) (to string, found bool)

	// Image is Link for images.
	Image func(src string) (to string, found bool)

	// DropUnresolved renders unresolved links and images as plain text, since their addresses
	// may lead nowhere or to another server. An image on another server becomes a link.
	DropUnresolved bool

	// Size returns the size of an image in pixels by its written address, 0 if unknown. It may
	// be nil.
	Size func(src string) (width, height int)

	// LinkImage reports whether to render an image as a link. Nil means false.
	LinkImage func(address string) bool

	// Lines wraps each top-level block in an element with its source line as data-line.
	Lines bool

	// Language is the BCP 47 language of generated labels; "" is English.
	Language string

	// HeadingLinks adds a link to itself after each heading.
	HeadingLinks bool

	// Space is memory for the fragment, reused by callers that render many pages.
	Space []byte

	// Taken are the ids used around the fragment.
	Taken []string
}

// Result is a fragment with the notices of the document and those of the rendering.
type Result struct {
	HTML    []byte
	Notices []document.Notice
}

// Renderer renders HTML. It is safe for concurrent use.
type Renderer struct {
	highlighter *highlight.Highlighter
	policy      *bluemonday.Policy
}

func New(h *highlight.Highlighter) *Renderer {
	return &Renderer{highlighter: h, policy: policy()}
}

// NewKeeping returns a renderer that keeps up to size bytes of highlighted code.
func NewKeeping(size int) *Renderer { return New(highlight.New(size)) }

// maxColoured limits the highlighted code per page in bytes.
const maxColoured = 1 << 20

// Fragment renders a document. When ctx ends, the remaining code is not highlighted.
func (r *Renderer) Fragment(ctx context.Context, d *document.Document, o Options) Result {
	w := writer{ctx: ctx, renderer: r, doc: d, options: o, words: words.In(o.Language), colourable: maxColoured, out: o.Space[:0]}
	w.mirrored = direction.Page(d, o.Language)
	turned := !w.mirrored && direction.RightToLeft(o.Language)
	w.turns = w.mirrored || direction.Turns(d)
	w.takeIDs()
	if turned {
		w.raw("<div dir=\"ltr\">\n")
	}
	if o.Lines {
		w.linesOf(d.Blocks)
	} else {
		w.blocks(d.Blocks)
	}
	w.footnotes()
	if turned {
		w.raw("</div>\n")
	}
	w.sanitise()
	return Result{HTML: w.out, Notices: append(append([]document.Notice(nil), d.Notices...), w.notices...)}
}

type writer struct {
	ctx      context.Context
	renderer *Renderer
	doc      *document.Document
	options  Options
	words    words.Words
	notices  []document.Notice

	out        []byte       // sanitised output
	buf        bytes.Buffer // further output to sanitise
	tabs       int          // number of tab groups so far
	colourable int          // remaining bytes of code to highlight
	inLink     bool
	inTable    bool                // in an HTML table
	turns      bool                // the document has right-to-left text
	mirrored   bool                // the current block runs from right to left
	turn       string              // dir attribute of its element, if it differs from the container's
	ids        map[string]struct{} // used ids

	unsanitised bool // for tests: skips bluemonday
}

// linesOf writes blocks wrapped with their lines.
func (w *writer) linesOf(blocks []document.Block) {
	for _, b := range blocks {
		w.sanitise()
		w.out = fmt.Appendf(w.out, "<div data-line=\"%d\">\n", w.doc.Position(b.Pos()).Line)
		w.block(b)
		w.sanitise()
		w.out = append(w.out, "</div>\n"...)
	}
}

// takeIDs reserves the ids of generated elements.
func (w *writer) takeIDs() {
	w.ids = map[string]struct{}{}
	for _, id := range w.options.Taken {
		w.ids[id] = struct{}{}
	}
	for _, note := range w.doc.Footnotes {
		w.ids["fn-"+strconv.Itoa(note.Number)] = struct{}{}
		for use := range note.References {
			w.ids[refID(note.Number, use+1)] = struct{}{}
		}
	}
}

// id writes an id attribute, unless a previous element has it: links lead there anyway.
func (w *writer) id(id string) {
	if _, taken := w.ids[id]; !taken {
		w.ids[id] = struct{}{}
		w.attribute("id", id)
	}
}

// sanitise appends the buffer to the output. Escaped text can be appended directly after it.
func (w *writer) sanitise() {
	if w.unsanitised || len(bytes.TrimSpace(w.buf.Bytes())) == 0 {
		w.out = append(w.out, w.buf.Bytes()...)
		w.buf.Reset()
		return
	}
	before := len(w.out)
	if err := w.renderer.policy.SanitizeReaderToWriter(&w.buf, (*appender)(&w.out)); err != nil {
		w.out = w.out[:before] // drop output that cannot be parsed
	}
	w.buf.Reset()
}

type appender []byte

func (a *appender) Write(text []byte) (int, error) {
	*a = append(*a, text...)
	return len(text), nil
}

func (a *appender) WriteString(text string) (int, error) {
	*a = append(*a, text...)
	return len(text), nil
}

// notice records a notice, except about an address of an embedded page, which has it itself.
func (w *writer) notice(kind document.NoticeKind, n document.Node, text string) {
	const most = 200
	if on, _ := reference.Off(text); on == "" && len(w.notices) < most {
		w.notices = append(w.notices, document.Notice{Kind: kind, Position: w.doc.Position(n.Pos()), Text: shorten(text)})
	}
}

func shorten(s string) string {
	const most = 80
	if runes := []rune(s[:min(len(s), 4*most)]); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

func (w *writer) raw(parts ...string) {
	for _, part := range parts {
		w.buf.WriteString(part)
	}
}

func (w *writer) int(n int) { w.raw(strconv.Itoa(n)) }

func (w *writer) text(s string) {
	w.buf.Write(appendEscaped(w.buf.AvailableBuffer(), s))
}

func appendEscaped(to []byte, s string) []byte {
	from := 0
	for i := 0; i < len(s); i++ {
		if escaped := escapeByte(s[i]); escaped != "" {
			to = append(append(to, s[from:i]...), escaped...)
			from = i + 1
		}
	}
	return append(to, s[from:]...)
}

// attribute writes an escaped attribute with a trusted name.
func (w *writer) attribute(name, value string) {
	w.raw(" ", name, `="`)
	w.text(value)
	w.raw(`"`)
}

func escapeByte(c byte) string {
	switch c {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '"':
		return "&#34;"
	case '\'':
		return "&#39;"
	case 0:
		return "\uFFFD"
	}
	return ""
}
