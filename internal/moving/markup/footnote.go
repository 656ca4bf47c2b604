package markup

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// findNotes collects the footnotes of a list.
func (w *writer) findNotes(list *html.Node) {
	for n := range list.Descendants() {
		if id := Attr(n, "id"); id != "" && n.Type == html.ElementNode && (n.Data == "li" || n.Data == "p" || n.Data == "div") && w.notes[id] == nil {
			w.notes[id] = n
			w.order = append(w.order, id)
		}
	}
}

// note returns the footnote reference for a link, or "".
func (w *writer) note(a *html.Node) string {
	id, ok := strings.CutPrefix(Attr(a, "href"), "#")
	if n := w.notes[id]; !ok || n == nil || strings.ContainsAny(id, "[]^ ") {
		return ""
	}
	return "[^" + id + "]"
}

// backLink reports whether a link leads from a footnote to its reference.
func (w *writer) backLink(a *html.Node) bool {
	if len(w.notes) == 0 || !strings.HasPrefix(Attr(a, "href"), "#") {
		return false
	}
	for n := a.Parent; n != nil; n = n.Parent {
		if id := Attr(n, "id"); id != "" && w.notes[id] == n {
			return HasClass(a, "footnote-backref", "footnote-back", "reversefootnote") || strings.HasPrefix(Attr(a, "href"), "#fnref")
		}
	}
	return false
}

// docutilsNote reports whether an element is a footnote as Sphinx writes them.
func docutilsNote(n *html.Node) bool {
	return n.Type == html.ElementNode && n.Data == "aside" && HasClass(n, "footnote") && Attr(n, "id") != ""
}

func (w *writer) footnotes() {
	for _, id := range w.order {
		if w.linked[id] {
			for _, n := range slices.Collect(w.notes[id].ChildNodes()) { // its number, and where it is used
				if docutilsNote(w.notes[id]) && HasClass(n, "label", "backrefs") {
					w.notes[id].RemoveChild(n)
				}
			}
			w.block()
			w.inside("[^"+id+"]: ", "    ", w.notes[id])
		}
	}
}
