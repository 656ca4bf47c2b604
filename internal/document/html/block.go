package html

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/direction"
	"github.com/octavo-docs/octavo/internal/document/words"
)

func (w *writer) blocks(blocks []document.Block) {
	for i, b := range blocks {
		if p, ok := b.(*document.Paragraph); ok && p.Tight {
			if i > 0 && isTight(blocks[i-1]) {
				w.raw("\n")
			}
			w.inlines(p.Inlines)
			if i+1 < len(blocks) && !isTight(blocks[i+1]) {
				w.raw("\n")
			}
			continue
		}
		w.block(b)
	}
}

func isTight(b document.Block) bool {
	p, ok := b.(*document.Paragraph)
	return ok && p.Tight
}

func (w *writer) block(b document.Block) {
	if w.turns {
		defer w.face(b)()
	}
	switch b := b.(type) {
	case *document.Paragraph:
		w.raw("<p", w.direction(), ">")
		w.inlines(b.Inlines)
		w.raw("</p>\n")
	case *document.Heading:
		w.heading(b)
	case *document.Rule:
		w.raw("<hr>\n")
	case *document.Quote:
		w.raw("<blockquote", w.direction(), ">\n")
		w.blocks(b.Blocks)
		w.raw("</blockquote>\n")
	case *document.Code:
		w.code(b)
	case *document.List:
		w.list(b)
	case *document.Table:
		w.table(b)
	case *document.DefinitionList:
		w.definitions(b)
	case *document.Element:
		w.element(b)
	case *document.Component:
		w.component(b)
	}
}

// face sets the direction to that of a block; the result restores it.
func (w *writer) face(b document.Block) (back func()) {
	around := w.mirrored
	if direction.ToLeft(b, around) != around {
		w.mirrored, w.turn = !around, ` dir="ltr"`
		if w.mirrored {
			w.turn = ` dir="rtl"`
		}
	}
	return func() { w.mirrored, w.turn = around, "" }
}

// direction returns the dir attribute of a block whose direction differs from its container's,
// else "".
func (w *writer) direction() string {
	turn := w.turn
	w.turn = ""
	return turn
}

func (w *writer) heading(h *document.Heading) {
	name := "h" + strconv.Itoa(h.Level)
	w.raw("<", name)
	if h.Anchor != "" {
		w.id(h.Anchor)
	}
	w.attributes(name, h.Attributes, "", "id")
	w.raw(">")
	w.inlines(h.Inlines)
	if w.options.HeadingLinks && h.Anchor != "" {
		w.raw(` <a class="oct-anchor"`)
		w.attribute("href", (&url.URL{Fragment: h.Anchor}).String())
		w.attribute("aria-label", words.With(w.words.LinkTo, h.Text))
		w.raw(">#</a>")
	}
	w.raw("</", name, ">\n")
}

func (w *writer) list(l *document.List) {
	name := "ul"
	if l.Ordered {
		name = "ol"
	}
	w.raw("<", name, w.direction())
	if l.Ordered && l.Start != 1 {
		w.attribute("start", strconv.Itoa(l.Start))
	}
	w.raw(">\n")
	for _, item := range l.Items {
		blocks := item.Blocks
		if item.Task == document.NoTask {
			w.raw("<li>")
		} else {
			w.raw(`<li class="oct-task">`)
		}
		var first *document.Paragraph
		if len(blocks) > 0 {
			first, _ = blocks[0].(*document.Paragraph)
		}
		if first != nil && !first.Tight && item.Task != document.NoTask {
			w.raw("\n<p>") // the text next to the checkbox would otherwise be below it
			w.check(item.Task)
			w.inlines(first.Inlines)
			w.raw("</p>\n")
			blocks = blocks[1:]
		} else {
			w.check(item.Task)
			if len(blocks) > 0 && !isTight(blocks[0]) {
				w.raw("\n")
			}
		}
		w.blocks(blocks)
		w.raw("</li>\n")
	}
	w.raw("</", name, ">\n")
}

func (w *writer) check(t document.Task) {
	switch t {
	case document.TaskOpen:
		w.raw(`<span class="oct-check" role="img" aria-label="`, w.words.ToDo, `"></span> `)
	case document.TaskDone:
		w.raw(`<span class="oct-check oct-done" role="img" aria-label="`, w.words.Done, `"></span> `)
	}
}

func (w *writer) table(t *document.Table) {
	w.raw(`<div class="oct-table" tabindex="0"`, w.direction(), "><table>\n<thead>\n")
	w.row(t, t.Head, "th")
	w.raw("</thead>\n")
	if len(t.Rows) > 0 {
		w.raw("<tbody>\n")
		for _, row := range t.Rows {
			w.row(t, row, "td")
		}
		w.raw("</tbody>\n")
	}
	w.raw("</table></div>\n")
}

func (w *writer) row(t *document.Table, row *document.Row, name string) {
	w.raw("<tr>\n")
	// If a row lacks several cells, header cells have a column scope.
	uneven := name == "th" && slices.ContainsFunc(t.Rows, func(r *document.Row) bool { return len(r.Cells)+1 < len(t.Align) })
	for i, cell := range row.Cells {
		w.raw("<", name)
		if uneven {
			w.raw(` scope="col"`)
		}
		if w.mirrored && !direction.Title(document.PlainText(cell.Inlines), true) {
			w.raw(` dir="ltr"`)
		}
		switch t.Align[i] {
		case document.AlignLeft:
			w.raw(` class="oct-left"`)
		case document.AlignCenter:
			w.raw(` class="oct-center"`)
		case document.AlignRight:
			w.raw(` class="oct-right"`)
		}
		w.raw(">")
		w.inlines(cell.Inlines)
		w.raw("</", name, ">\n")
	}
	if missing := len(t.Align) - len(row.Cells); missing > 0 {
		w.raw("<", name)
		if missing > 1 {
			w.attribute("colspan", strconv.Itoa(min(missing, 1000)))
		}
		w.raw("></", name, ">\n")
	}
	w.raw("</tr>\n")
}

func (w *writer) definitions(l *document.DefinitionList) {
	w.raw("<dl", w.direction(), ">\n")
	for _, item := range l.Items {
		for _, term := range item.Terms {
			w.raw("<dt>")
			w.inlines(term.Inlines)
			w.raw("</dt>\n")
		}
		for _, description := range item.Descriptions {
			w.raw("<dd>")
			w.blocks(description.Blocks)
			w.raw("</dd>\n")
		}
	}
	w.raw("</dl>\n")
}

func (w *writer) element(e *document.Element) {
	if e.Name == "a" {
		if href := e.Attributes.String("href", "to"); href != "" && !w.inLink {
			w.anchor(e, href, e.Attributes.String("title"), e.Attributes)
			w.inLink = true
			w.blocks(e.Blocks)
			w.inLink = false
			w.raw("</a>")
			return
		}
		w.blocks(e.Blocks)
		return
	}
	name := e.Name
	switch name {
	case "p":
		if slices.ContainsFunc(e.Blocks, func(b document.Block) bool { return !isTight(b) }) {
			name = "div" // a paragraph cannot contain blocks
		}
	case "h1", "h2", "h3", "h4", "h5", "h6":
		if slices.ContainsFunc(e.Blocks, func(b document.Block) bool { _, text := b.(*document.Paragraph); return !text }) {
			name = "div" // nor can a heading
		}
	}
	outermost := name == "table" && !w.inTable
	if outermost { // a wide table scrolls in its own box
		w.inTable = true
		w.raw(`<div class="oct-table" tabindex="0"`, w.direction(), ">")
	}
	w.raw("<", name)
	w.attributes(name, e.Attributes, "")
	if turn := w.direction(); e.Attributes.String("dir") == "" {
		w.raw(turn)
	}
	w.raw(">")
	switch name {
	case "h1", "h2", "h3", "h4", "h5", "h6", "summary":
		w.line(e.Blocks)
	default:
		w.blocks(e.Blocks)
	}
	w.raw("</", name, ">")
	if outermost {
		w.inTable = false
		w.raw("</div>")
	}
	w.raw("\n")
}

// line writes blocks where HTML only allows inline content.
func (w *writer) line(blocks []document.Block) {
	for _, b := range blocks {
		if p, ok := b.(*document.Paragraph); ok {
			w.inlines(p.Inlines)
		} else {
			w.block(b)
		}
	}
}

func (w *writer) footnotes() {
	if len(w.doc.Footnotes) == 0 {
		return
	}
	if w.turns {
		var all document.Quote
		for _, note := range w.doc.Footnotes {
			all.Blocks = append(all.Blocks, note.Blocks...)
		}
		defer w.face(&all)()
	}
	w.raw(`<section class="oct-footnotes" role="doc-endnotes">`+"\n<hr>\n<ol", w.direction(), ">\n")
	for _, note := range w.doc.Footnotes {
		w.raw(`<li id="fn-`)
		w.int(note.Number)
		w.raw(`">` + "\n")
		blocks, last := note.Blocks, (*document.Paragraph)(nil)
		if n := len(blocks); n > 0 {
			if p, ok := blocks[n-1].(*document.Paragraph); ok {
				blocks, last = blocks[:n-1], p
			}
		}
		w.blocks(blocks)
		w.raw("<p>")
		if last != nil {
			w.inlines(last.Inlines)
		}
		for use := 1; use <= min(note.References, maxBacklinks); use++ {
			w.raw(` <a class="oct-back" href="#`, refID(note.Number, use), `" role="doc-backlink"`)
			w.attribute("aria-label", words.With(w.words.BackTo, strconv.Itoa(use)))
			w.raw(">↩</a>")
		}
		w.raw("</p>\n</li>\n")
	}
	w.raw("</ol>\n</section>\n")
}

// maxBacklinks limits the links from a footnote to its references.
const maxBacklinks = 20

func refID(number, use int) string {
	id := "fnref-" + strconv.Itoa(number)
	if use > 1 {
		id += "-" + strconv.Itoa(use)
	}
	return id
}
