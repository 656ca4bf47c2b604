package writer

import "fmt"

// Rect is a rectangle in points from the lower left corner of the page.
type Rect struct{ Left, Bottom, Right, Top float64 }

func (r Rect) String() string {
	return "[" + Number(r.Left) + " " + Number(r.Bottom) + " " + Number(r.Right) + " " + Number(r.Top) + "]"
}

// LinkTo makes a rectangle of the page lead to a destination of the file.
// Contents says in words where, for those who do not see it; the element is the
// one that holds the link's text.
func (p *Page) LinkTo(r Rect, destination, contents string, e *Element) {
	p.w.dests.wanted[destination] = struct{}{}
	p.link(r, "/Dest"+bytesOf(destination), contents, e)
}

// LinkOut makes a rectangle of the page lead to an address.
func (p *Page) LinkOut(r Rect, uri, contents string, e *Element) {
	p.link(r, "/A<</S/URI/URI"+literal(uri)+">>", contents, e)
}

func (p *Page) link(r Rect, action, contents string, e *Element) {
	contents = clip(contents, maxContents)
	ref, key := p.w.Reserve(), len(p.w.parents)
	p.w.parents = append(p.w.parents, e.ref)
	p.links = append(p.links, ref)
	e.object(ref, p.ref)
	p.w.Object(ref, fmt.Sprintf("<</Type/Annot/Subtype/Link/F 4/Border[0 0 0]/Rect%v/P %v/StructParent %d/Contents%s%s>>",
		r, p.ref, key, Text(contents), action))
}

// maxContents bounds what a link says in words, in characters: a link has it
// again on each of its lines.
const maxContents = 300

// clip returns the beginning of a text of more than that many characters.
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

// literal returns bytes in parentheses.
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
