package writer

import (
	"fmt"
	"strings"
)

// Element is a structure element of tagged content. It is written when its last holder releases it, and
// added to its parent when its first content is marked; both keep the reading order. An
// element without content is not written.
type Element struct {
	w          *Writer
	parent     *Element
	ref        Ref
	role       string
	properties string
	page       Ref // of the first content
	kids       []byte
	holds      int
	attached   bool
}

// Properties are optional properties of an Element.
type Properties struct {
	Title      string
	Alt        string // alternative text of a picture
	Language   string
	Attributes string // dictionaries in PDF syntax
}

// Root returns the root element.
func (w *Writer) Root() *Element { return w.root }

// Child returns a new child, held once by the caller. Role is a standard structure type.
func (e *Element) Child(role string, p Properties) *Element {
	var b strings.Builder
	for _, entry := range []struct{ key, value string }{{"/T", p.Title}, {"/Alt", p.Alt}, {"/Lang", p.Language}} {
		if entry.value != "" {
			b.WriteString(entry.key + Text(entry.value))
		}
	}
	if p.Attributes != "" {
		b.WriteString("/A" + p.Attributes)
	}
	e.holds++
	return &Element{w: e.w, parent: e, role: role, properties: b.String(), holds: 1}
}

// Hold prevents the element from being written until another Release.
func (e *Element) Hold() { e.holds++ }

// Release undoes a Hold. The last one writes the element.
func (e *Element) Release() {
	if e.holds--; e.holds > 0 {
		return
	}
	if len(e.kids) > 0 || e.parent == nil {
		body := "<</Type/StructElem/S/" + e.role + e.properties
		if e.parent == nil {
			body += "/P " + e.w.treeRoot.String()
		} else {
			body += "/P " + e.parent.ref.String()
		}
		if e.page != 0 {
			body += "/Pg " + e.page.String()
		}
		e.w.Object(e.ref, body+"/K["+string(e.kids)+"]>>")
	}
	e.kids = nil
	if e.parent != nil {
		e.parent.Release()
	}
}

// attach adds the element to its parent.
func (e *Element) attach() {
	if e.attached || e.parent == nil {
		return
	}
	e.attached = true
	e.ref = e.w.Reserve()
	e.parent.attach()
	e.parent.kids = append(append(e.parent.kids, e.ref.String()...), ' ')
}

// Mark returns the marked content identifier for the element's next content on the page.
func (p *Page) Mark(e *Element) int {
	e.attach()
	id := len(p.elements)
	p.elements = append(p.elements, e.ref)
	if e.page == 0 {
		e.page = p.ref
	}
	if e.page == p.ref {
		e.kids = fmt.Appendf(e.kids, "%d ", id)
	} else {
		e.kids = fmt.Appendf(e.kids, "<</Type/MCR/Pg %v/MCID %d>>", p.ref, id)
	}
	p.marked = len(e.kids)
	return id
}

// Continues reports whether the element has the last content marked on the page and no later child, so
// that its next content can be part of the same piece.
func (p *Page) Continues(e *Element) bool {
	n := len(p.elements)
	return n > 0 && p.elements[n-1] == e.ref && len(e.kids) == p.marked
}

// finishStructure writes the structure tree root and the parent tree.
func (w *Writer) finishStructure() {
	var leaves []node
	for from := 0; from < len(w.parents); from += perGroup {
		to := min(from+perGroup, len(w.parents))
		var b strings.Builder
		for key := from; key < to; key++ {
			fmt.Fprintf(&b, "%d %v ", key, w.parents[key])
		}
		leaves = append(leaves, node{"/Nums[" + b.String() + "]", fmt.Sprint(from), fmt.Sprint(to - 1)})
	}
	body := fmt.Sprintf("<</Type/StructTreeRoot/K[%v]/ParentTreeNextKey %d", w.root.ref, len(w.parents))
	if tree := w.tree(leaves); tree != 0 {
		body += "/ParentTree " + tree.String()
	}
	w.Object(w.treeRoot, body+">>")
}

// Role returns the structure type.
func (e *Element) Role() string { return e.role }
