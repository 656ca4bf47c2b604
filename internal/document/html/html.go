// Package html makes HTML of the tree of a page: a fragment for answers and
// previews, and with Page a whole page in a theme. The fragment is built from
// typed nodes alone, with elements, attributes and schemes of addresses from
// lists of those allowed, and goes through bluemonday besides; only coloured
// code, which is made here from escaped text, passes it by. Neither has scripts,
// inline styles or requests to other sites of its own.
//
// Package html finds no pages and no assets: Options resolve addresses. The
// styles in style.css name every class; those of Octavo start with "oct-".
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
	"github.com/octavo-docs/octavo/internal/document/words"
)

// Options tell how a page is shown.
type Options struct {
	// Link returns where a link leads, given what was written: by slug, path
	// or identifier to a page, or elsewhere. It gets neither fragments of the
	// page itself nor addresses of schemes other than http and https. When
	// found is false the link is shown as written, with a notice. Nil keeps
	// every link as it is.
	Link func(href string) (to string, found bool)

	// Image does the same for images.
	Image func(src string) (to string, found bool)

	// DropUnresolved shows the text alone of links and images that are not
	// found. What was written may lead nowhere, or to another server. An image
	// on another server is a link to it.
	DropUnresolved bool

	// Size returns the width and height of an image in pixels, 0 where they are not
	// known, by what was written. nil knows none.
	Size func(src string) (width, height int)

	// LinkImage reports whether an image is a link to its address instead. nil is
	// false.
	LinkImage func(address string) bool

	// Lines has each block at the top stand in an element that says on which line of
	// the source it begins, as data-line.
	Lines bool

	// Language is that of the page, a tag of BCP 47, in which the fragment names
	// boxes and links that have no name of their own; "" is English.
	Language string

	// HeadingLinks puts behind each heading a link to itself.
	HeadingLinks bool

	// Space is memory for the fragment, used as far as it suffices. It saves callers
	// that make many pages from clearing memory each time.
	Space []byte

	// Taken are identifiers that the page around the fragment has.
	Taken []string
}

// Result is a fragment and what in it is not as its author meant it: the notices
// of the document, then those of rendering.
type Result struct {
	HTML    []byte
	Notices []document.Notice
}

// Renderer makes HTML. It is safe for use by many goroutines.
type Renderer struct {
	highlighter *highlight.Highlighter
	policy      *bluemonday.Policy
}

// New returns a Renderer that colours code with a highlighter.
func New(h *highlight.Highlighter) *Renderer {
	return &Renderer{highlighter: h, policy: policy()}
}

// maxColoured bounds the bytes of code that are coloured on one page.
const maxColoured = 1 << 20

// Fragment returns the HTML of a document. When ctx ends before, the rest of
// its code is not coloured.
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

// writer writes one document.
type writer struct {
	ctx      context.Context
	renderer *Renderer
	doc      *document.Document
	options  Options
	words    words.Words
	notices  []document.Notice

	out        []byte       // what is safe
	buf        bytes.Buffer // what follows it and is not sanitised yet
	tabs       int          // how many groups of tabs have come
	colourable int          // bytes of code that may still be coloured
	inLink     bool
	inTable    bool                // one that was written as HTML
	turns      bool                // blocks are asked for their direction
	mirrored   bool                // the block at hand runs from right to left
	turn       string              // the attribute of its element, where it runs otherwise than what is around it
	ids        map[string]struct{} // that elements have

	unsanitised bool // for a test: what is written is safe without bluemonday
}

// linesOf writes blocks, each with its line.
func (w *writer) linesOf(blocks []document.Block) {
	for _, b := range blocks {
		w.sanitise()
		w.out = fmt.Appendf(w.out, "<div data-line=\"%d\">\n", w.doc.Position(b.Pos()).Line)
		w.block(b)
		w.sanitise()
		w.out = append(w.out, "</div>\n"...)
	}
}

// takeIDs takes the identifiers that elements have which no author has written.
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

// id writes an identifier, unless an element before has it, which a link leads
// to in any case.
func (w *writer) id(id string) {
	if _, taken := w.ids[id]; !taken {
		w.ids[id] = struct{}{}
		w.attribute("id", id)
	}
}

// sanitise moves what was written to what is safe. Behind it comes what is made
// here of escaped text, and needs no sanitising.
func (w *writer) sanitise() {
	if w.unsanitised || len(bytes.TrimSpace(w.buf.Bytes())) == 0 {
		w.out = append(w.out, w.buf.Bytes()...)
		w.buf.Reset()
		return
	}
	before := len(w.out)
	if err := w.renderer.policy.SanitizeReaderToWriter(&w.buf, (*appender)(&w.out)); err != nil {
		w.out = w.out[:before] // what cannot be read is not shown
	}
	w.buf.Reset()
}

// appender is bytes that are written to.
type appender []byte

// Write implements io.Writer.
func (a *appender) Write(text []byte) (int, error) {
	*a = append(*a, text...)
	return len(text), nil
}

// WriteString implements io.StringWriter.
func (a *appender) WriteString(text string) (int, error) {
	*a = append(*a, text...)
	return len(text), nil
}

// notice tells of something that is not shown as it was meant.
func (w *writer) notice(kind document.NoticeKind, n document.Node, text string) {
	const most = 200
	if len(w.notices) < most {
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

// raw writes markup.
func (w *writer) raw(parts ...string) {
	for _, part := range parts {
		w.buf.WriteString(part)
	}
}

func (w *writer) int(n int) { w.raw(strconv.Itoa(n)) }

// text writes text, escaped.
func (w *writer) text(s string) {
	from := 0
	for i := 0; i < len(s); i++ {
		escaped := escapeByte(s[i])
		if escaped == "" {
			continue
		}
		w.raw(s[from:i], escaped)
		from = i + 1
	}
	w.raw(s[from:])
}

// attribute writes an attribute, escaped; the name is ours.
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
