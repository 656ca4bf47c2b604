package markup

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

// embedded writes a link to embedded content.
func (w *writer) embedded(n *html.Node) {
	source := Find(n, func(e *html.Node) bool { return Attr(e, "src")+Attr(e, "data") != "" })
	if source == nil {
		w.Lost(Line(n), n.Data, "what is shown in it is not known")
		return
	}
	address := w.Address(Attr(source, "src")+Attr(source, "data"), Line(n))
	w.Lost(Line(n), n.Data, fmt.Sprintf("what was shown from %s is a link", address))
	title := cmp.Or(oneLine(Attr(n, "title")), address)
	if strings.HasPrefix(strings.ToLower(address), "javascript:") || strings.HasPrefix(address, "data:") {
		return
	}
	w.block()
	w.line("[" + escapeLine(title) + "](" + Destination(address) + ")")
}

// escapeLine escapes inline text.
func escapeLine(s string) string { return escape(oneLine(s)) }

// Item returns a link as a list item.
func Item(title, address string) string {
	return "- [" + escapeLine(title) + "](" + Destination(address) + ")\n"
}
