package writer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// destinations are the targets of links and the outline, by name.
type destinations struct {
	positions map[string]position
	wanted    map[string]struct{}
}

type position struct {
	page Ref
	top  float32 // in points from the lower edge
}

// Destination names a height on a page, in points from its lower edge. The first position of a name
// counts.
func (w *Writer) Destination(name string, page *Page, top float64) {
	if _, found := w.dests.positions[name]; !found {
		w.dests.positions[name] = position{page.ref, float32(top)}
	}
}

// Missing returns the sorted names of destinations that are linked but have no position.
func (w *Writer) Missing() []string {
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(w.dests.wanted)) {
		if _, found := w.dests.positions[name]; !found {
			missing = append(missing, name)
		}
	}
	return missing
}

// Alias gives a destination with a position a second name.
func (w *Writer) Alias(name, of string) {
	if p, found := w.dests.positions[of]; found {
		w.dests.positions[name] = p
	}
}

// finishDestinations writes the name tree and returns its number, 0 if it is empty.
func (w *Writer) finishDestinations() Ref {
	names := slices.Sorted(maps.Keys(w.dests.positions))
	var leaves []node
	for chunk := range slices.Chunk(names, perGroup) {
		var b strings.Builder
		for _, name := range chunk {
			p := w.dests.positions[name]
			fmt.Fprintf(&b, "%s[%v/XYZ null %s null]", bytesOf(name), p.page, Number(float64(p.top)))
		}
		leaves = append(leaves, node{"/Names[" + b.String() + "]", bytesOf(chunk[0]), bytesOf(chunk[len(chunk)-1])})
	}
	return w.tree(leaves)
}

// node is a leaf of a name or number tree with its first and last key.
type node struct{ body, first, last string }

// tree writes a name or number tree.
func (w *Writer) tree(leaves []node) Ref {
	if len(leaves) == 0 {
		return 0
	}
	root := w.Reserve()
	if len(leaves) == 1 {
		w.Object(root, "<<"+leaves[0].body+">>")
		return root
	}
	for len(leaves) > perGroup {
		var above []node
		for chunk := range slices.Chunk(leaves, perGroup) {
			above = append(above, node{"/Kids" + array(w.nodes(chunk)), chunk[0].first, chunk[len(chunk)-1].last})
		}
		leaves = above
	}
	w.Object(root, "<</Kids"+array(w.nodes(leaves))+">>")
	return root
}

func (w *Writer) nodes(all []node) []Ref {
	refs := make([]Ref, len(all))
	for i, n := range all {
		refs[i] = w.Reserve()
		w.Object(refs[i], fmt.Sprintf("<</Limits[%s %s]%s>>", n.first, n.last, n.body))
	}
	return refs
}
