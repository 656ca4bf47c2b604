package writer

import "fmt"

// Rect is a rectangle in points from the page's lower left corner.
type Rect struct{ Left, Bottom, Right, Top float64 }

func (r Rect) String() string {
	return "[" + Number(r.Left) + " " + Number(r.Bottom) + " " + Number(r.Right) + " " + Number(r.Top) + "]"
}

// LinkTo links a rectangle to a destination. contents describes it for accessibility; the element
// contains the link's text.
func (p *Page) LinkTo(r Rect, destination, contents string, e *Element) {
	p.w.dests.wanted[destination] = struct{}{}
	p.link(r, "/Subtype/Link/Dest"+bytesOf(destination), contents, e)
}

// LinkOut links a rectangle to an address.
func (p *Page) LinkOut(r Rect, uri, contents string, e *Element) {
	p.link(r, "/Subtype/Link/A<</S/URI/URI"+literal(uri)+">>", contents, e)
}

// LinkFile links a rectangle to an attached file. An empty form replaces the pin that viewers would
// draw.
func (p *Page) LinkFile(r Rect, file Ref, contents string, e *Element) {
	if p.w.noPin == 0 {
		p.w.noPin = p.w.Reserve()
		p.w.Raw(p.w.noPin, "/Type/XObject/Subtype/Form/BBox[0 0 1 1]", nil)
	}
	p.link(r, fmt.Sprintf("/Subtype/FileAttachment/FS %v/AP<</N %v>>", file, p.w.noPin), contents, e)
}

func (w *Writer) Attach(name string, data []byte) (file Ref) {
	bytes, file := w.Reserve(), w.Reserve()
	w.Stream(bytes, fmt.Sprintf("/Type/EmbeddedFile/Params<</Size %d>>", len(data)), data)
	w.Object(file, fmt.Sprintf("<</Type/Filespec/F%s/UF%s/EF<</F %v/UF %v>>>>", Text(name), Text(name), bytes, bytes))
	return file
}

func (p *Page) link(r Rect, action, contents string, e *Element) {
	contents = clip(contents, maxContents)
	ref, key := p.w.Reserve(), len(p.w.parents)
	p.w.parents = append(p.w.parents, e.ref)
	p.links = append(p.links, ref)
	e.attach()
	e.kids = fmt.Appendf(e.kids, "<</Type/OBJR/Obj %v/Pg %v>>", ref, p.ref)
	p.w.Object(ref, fmt.Sprintf("<</Type/Annot/F 4/Border[0 0 0]/Rect%v/P %v/StructParent %d/Contents%s%s>>",
		r, p.ref, key, Text(contents), action))
}

// maxContents limits the description of a link in characters, as it is repeated on each line of the
// link.
const maxContents = 300

// clip truncates a text to most characters.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for at := range text {
		if most--; most < 0 {
			return text[:at] + "…"
		}
	}
	return text
}

// literal formats a literal string.
func literal(s string) string {
	out := []byte{'('}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '(' || c == ')' || c == '\\':
			out = append(out, '\\', c)
		case c < ' ' || c >= 0x7f:
			out = fmt.Appendf(out, `\%03o`, c)
		default:
			out = append(out, c)
		}
	}
	return string(append(out, ')'))
}
