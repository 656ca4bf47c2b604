// Package markup converts HTML of other systems to Markdown for Octavo.
//
// Callers mark components as plain elements with data-octavo: note, tip, info, warning,
// danger, columns and column. A pre may have data-language and data-title.
//
// The HTML is untrusted. Conversion takes linear time, bounded depth and memory
// proportional to the text; it reports what Markdown cannot express and runs nothing.
package markup

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// MaxSource limits the HTML of a page in bytes.
const MaxSource = 16 << 20

// maxDepth limits the nesting of lists, quotations, boxes and tables. Deeper ones become
// text.
const maxDepth = 20

// lineMark is the attribute with the source line of an element.
const lineMark = "octavo-line"

// Options supply what the converter does not know. Each may be nil.
type Options struct {
	Address func(address string, line int) string   // converts an address
	Keep    func(id string) bool                    // reports whether another page links to an id
	Lost    func(line int, construct, words string) // records a loss
}

// emptyElements are those that hold nothing if their tag ends with a slash.
var emptyElements = setOf(`a b button code div em h1 h2 h3 h4 h5 h6 i iframe label li object ol option p pre script select span strong style td
	textarea th title u ul`)

// Parse parses HTML and records the line of each element. If the bytes are not UTF-8, the
// encoding is the one that the HTML Standard determines without HTTP headers.
func Parse(source []byte) (*html.Node, error) {
	if len(source) > MaxSource {
		return nil, fmt.Errorf("the page has more than %d MiB of HTML", MaxSource>>20)
	}
	if !utf8.Valid(source) || bytes.IndexByte(source, 0) >= 0 {
		encoding, _, _ := charset.DetermineEncoding(source, "")
		decoded, err := encoding.NewDecoder().Bytes(source)
		if err != nil {
			return nil, fmt.Errorf("decode the HTML: %w", err)
		}
		source = decoded
	}
	source = bytes.TrimPrefix(source, []byte("\ufeff"))
	var marked bytes.Buffer
	line := 1
	z := html.NewTokenizer(bytes.NewReader(source))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		raw := z.Raw()
		end := 0
		if t := raw[:min(len(raw), 2)]; len(t) == 2 && t[0] == '<' && (t[1]|0x20 >= 'a' && t[1]|0x20 <= 'z') {
			if end = bytes.IndexAny(raw, " \t\r\n\f/>"); end > 0 {
				fmt.Fprintf(&marked, `%s %s="%d"`, raw[:end], lineMark, line)
			}
		}
		marked.Write(raw[max(end, 0):])
		if kind == html.SelfClosingTagToken { // of XHTML, where it holds nothing
			z.NextIsNotRawText()
			if name := strings.ToLower(string(raw[1:max(end, 1)])); emptyElements[name] {
				marked.WriteString("</" + name + ">")
			}
		}
		line += bytes.Count(raw, []byte("\n"))
	}
	root, err := html.Parse(&marked)
	if err != nil {
		return nil, fmt.Errorf("read the HTML: %w", err)
	}
	return root, nil
}

// Convert returns the content of a node as Markdown.
func Convert(root *html.Node, o Options) string {
	if o.Address == nil {
		o.Address = func(address string, _ int) string { return address }
	}
	if o.Keep == nil {
		o.Keep = func(string) bool { return false }
	}
	if o.Lost == nil {
		o.Lost = func(int, string, string) {}
	}
	w := &writer{Options: o, blocky: map[*html.Node]bool{}, linked: map[string]bool{}, notes: map[string]*html.Node{}, height: map[*html.Node]int{}}
	w.survey(root)
	w.blocks(root)
	w.footnotes()
	return w.out.String()
}

// survey determines nesting, linked ids and footnotes.
func (w *writer) survey(n *html.Node) (blocky bool, height int) {
	if n.Type == html.ElementNode && n.Data == "a" {
		if id, ok := strings.CutPrefix(Attr(n, "href"), "#"); ok {
			w.linked[id] = true
		}
	}
	switch id := Attr(n, "id"); {
	case HasClass(n, "footnotes"):
		w.findNotes(n)
	case docutilsNote(n) && w.notes[id] == nil:
		w.notes[id], w.order = n, append(w.order, id)
	}
	for c := range n.ChildNodes() {
		b, h := w.survey(c)
		blocky, height = blocky || b, max(height, h)
	}
	if fenced(n) {
		height++
	}
	if blocky || blockElements[n.Data] && n.Type == html.ElementNode {
		w.blocky[n], blocky = true, true
	}
	if height > 0 {
		w.height[n] = height
	}
	return blocky, height
}

// fenced reports whether an element becomes a colon container.
func fenced(n *html.Node) bool {
	return n.Type == html.ElementNode && (n.Data == "details" || Attr(n, "data-octavo") != "")
}

// Line returns the source line of an element, or of the parent of a text.
func Line(n *html.Node) int {
	for ; n != nil; n = n.Parent {
		if line, err := strconv.Atoi(Attr(n, lineMark)); err == nil {
			return line
		}
	}
	return 1
}

// Attr returns the value of an attribute, or "".
func Attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func HasClass(n *html.Node, names ...string) bool {
	for class := range strings.FieldsSeq(Attr(n, "class")) {
		for _, name := range names {
			if class == name {
				return true
			}
		}
	}
	return false
}

// Find returns the first match among n and its descendants.
func Find(n *html.Node, fits func(*html.Node) bool) *html.Node {
	if n.Type == html.ElementNode && fits(n) {
		return n
	}
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && fits(d) {
			return d
		}
	}
	return nil
}

// Text returns the text in a node on one line, without scripts.
func Text(n *html.Node) string {
	return strings.Join(strings.Fields(RawText(n)), " ")
}

// RawText returns the unchanged text in a node, with line feeds for breaks.
func RawText(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case n.Type == html.ElementNode && n.Data == "br":
			b.WriteByte('\n')
		case n.Type == html.ElementNode && (n.Data == "script" || n.Data == "style"):
		default:
			for c := range n.ChildNodes() {
				walk(c)
			}
		}
	}
	walk(n)
	return b.String()
}
