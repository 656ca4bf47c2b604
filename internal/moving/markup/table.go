package markup

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// table writes a Markdown table if possible, else an HTML table with Markdown in its cells.
func (w *writer) table(n *html.Node) {
	var rows [][]*html.Node
	simple, width := true, 0
	for c := range n.Descendants() {
		if c.Type != html.ElementNode || owner(c, "table") != n {
			continue
		}
		switch c.Data {
		case "caption":
			if strings.TrimSpace(RawText(c)) != "" {
				w.paragraph(slices.Collect(c.ChildNodes())...)
			}
		case "tr":
			rows = append(rows, nil)
		case "td", "th":
			if len(rows) == 0 {
				rows = append(rows, nil)
			}
			last := len(rows) - 1
			rows[last] = append(rows[last], c)
			width = max(width, len(rows[last]))
			simple = simple && spans(c) == "" && w.flat(c)
		}
	}
	rows = slices.DeleteFunc(rows, func(r []*html.Node) bool { return len(r) == 0 })
	switch {
	case len(rows) == 0:
	case width == 1 && len(rows) == 1 && !simple: // a box
		w.blocks(rows[0][0])
	case simple:
		w.pipes(rows, width)
	default:
		w.cells(rows)
	}
}

// flat reports whether a cell contains only text.
func (w *writer) flat(cell *html.Node) bool {
	return Find(cell, func(e *html.Node) bool {
		return e != cell && blockElements[e.Data] && e.Data != "p" && e.Data != "div"
	}) == nil
}

// spans returns the colspan and rowspan of a cell.
func spans(cell *html.Node) (attributes string) {
	for _, name := range []string{"colspan", "rowspan"} {
		if v := Attr(cell, name); v != "" && v != "1" && strings.Trim(v, "0123456789") == "" && len(v) < 5 {
			attributes += " " + name + `="` + v + `"`
		}
	}
	return attributes
}

func (w *writer) pipes(rows [][]*html.Node, width int) {
	w.block()
	head := rows[0]
	if !slices.ContainsFunc(head, func(c *html.Node) bool { return c.Data == "td" }) {
		rows = rows[1:]
	} else {
		head = nil
	}
	w.row(head, width, true)
	marks := strings.Repeat(" --- |", width)
	w.line("|" + marks)
	for _, row := range rows {
		w.row(row, width, false)
	}
}

func (w *writer) row(cells []*html.Node, width int, head bool) {
	var b strings.Builder
	for i := range width {
		text := ""
		if i < len(cells) {
			text = w.cell(cells[i])
			if cells[i].Data == "th" && !head && text != "" && !strings.Contains(text, "*") {
				text = "**" + text + "**"
			}
		}
		if text != "" {
			text += " "
		}
		b.WriteString(" " + text + "|")
	}
	w.line("|" + b.String())
}

// cell returns a cell on one line, with breaks between paragraphs.
func (w *writer) cell(n *html.Node) string {
	var parts []string
	var run []*html.Node
	flush := func() {
		if text := w.inline(true, run...); strings.Trim(text, "\u00A0 ") != "" {
			parts = append(parts, text)
		}
		run = run[:0]
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := range n.ChildNodes() {
			if c.Type == html.ElementNode && w.blocky[c] && !dropsAway(c) {
				flush()
				walk(c)
				flush()
			} else {
				run = append(run, c)
			}
		}
	}
	walk(n)
	flush()
	return strings.Join(parts, "<br>")
}

func dropsAway(n *html.Node) bool { _, ok := dropped[n.Data]; return ok }

// cells writes an HTML table.
func (w *writer) cells(rows [][]*html.Node) {
	w.block()
	w.line("<table>")
	for _, row := range rows {
		w.line("<tr>")
		for _, cell := range row {
			w.line("<" + cell.Data + spans(cell) + ">")
			w.line("")
			w.due = false
			w.depth++
			w.blocks(cell)
			w.depth--
			if w.due {
				w.line("")
			}
			w.line("</" + cell.Data + ">")
		}
		w.line("</tr>")
	}
	w.line("</table>")
	w.due = true
}
