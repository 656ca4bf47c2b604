package writer

import (
	"fmt"
	"strings"
)

// pageTree is a balanced tree of pages. Pages at the front may be written last.
type pageTree struct {
	root        Ref
	front, body []group
	sizes       [2]int // numbers of pages at the front and in the body
}

// group is a node with up to perGroup pages.
type group struct {
	ref  Ref
	kids []Ref
}

const perGroup = 64

// Page is a page under construction.
type Page struct {
	w        *Writer
	ref      Ref
	key      int   // in the parent tree
	elements []Ref // by marked content identifier
	marked   int   // number of kids of the last element at that time
	links    []Ref
	front    bool
}

// Begin starts a page. Pages at the front come first and have Roman page numbers.
func (w *Writer) Begin(front bool) *Page {
	p := &Page{w: w, ref: w.Reserve(), key: len(w.parents), front: front}
	w.parents = append(w.parents, w.Reserve())
	return p
}

// End writes a page with its size in points and its content.
func (p *Page) End(width, height float64, content []byte) {
	w := p.w
	stream := w.Reserve()
	w.Stream(stream, "", content)
	groups := &w.pages.body
	if p.front {
		groups = &w.pages.front
		w.pages.sizes[0]++
	} else {
		w.pages.sizes[1]++
	}
	if n := len(*groups); n == 0 || len((*groups)[n-1].kids) == perGroup {
		*groups = append(*groups, group{ref: w.Reserve()})
	}
	last := &(*groups)[len(*groups)-1]
	last.kids = append(last.kids, p.ref)
	body := fmt.Sprintf("<</Type/Page/Parent %v/MediaBox[0 0 %s %s]/Resources %v/Contents %v/StructParents %d/Tabs/S",
		last.ref, AppendPrecise(nil, width), AppendPrecise(nil, height), w.resources, stream, p.key)
	if len(p.links) > 0 {
		body += "/Annots" + array(p.links)
	}
	w.Object(p.ref, body+">>")
	w.Object(w.parents[p.key], array(p.elements))
}

func array(refs []Ref) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, r := range refs {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(r.String())
	}
	b.WriteByte(']')
	return b.String()
}

// finishPages writes the page tree and returns its entries for the catalog.
func (w *Writer) finishPages() string {
	t := &w.pages
	t.root = w.Reserve()
	var kids []Ref
	for _, groups := range [][]group{t.front, t.body} {
		for _, g := range groups {
			w.Object(g.ref, fmt.Sprintf("<</Type/Pages/Parent %v/Count %d/Kids%s>>", t.root, len(g.kids), array(g.kids)))
			kids = append(kids, g.ref)
		}
	}
	w.Object(t.root, fmt.Sprintf("<</Type/Pages/Count %d/Kids%s>>", t.sizes[0]+t.sizes[1], array(kids)))
	labels := "0<</S/D>>"
	if t.sizes[0] > 0 {
		labels = fmt.Sprintf("0<</S/r>>%d<</S/D>>", t.sizes[0])
	}
	return fmt.Sprintf("/Pages %v/PageLabels<</Nums[%s]>>", t.root, labels)
}
