package writer

import "fmt"

// OutlineItem is a bookmark. Level counts from 0; an item is nested in the previous one with a lower
// level.
type OutlineItem struct {
	Level       int
	Title       string
	Destination string
}

func (w *Writer) Bookmark(item OutlineItem) { w.outline = append(w.outline, item) }

// branch has the neighbours of an outline item as indexes in the outline plus one; 0 is the root.
type branch struct{ parent, first, last, previous, next, count int }

// branches links the items of an outline.
func branches(items []OutlineItem) []branch {
	all := make([]branch, len(items)+1)
	path := []int{0}    // from the root to the last item
	levels := []int{-1} // their levels
	for i, item := range items {
		for levels[len(levels)-1] >= item.Level {
			path, levels = path[:len(path)-1], levels[:len(levels)-1]
		}
		self, parent := i+1, path[len(path)-1]
		all[self].parent = parent
		if last := all[parent].last; last != 0 {
			all[self].previous, all[last].next = last, self
		} else {
			all[parent].first = self
		}
		all[parent].last = self
		all[parent].count++
		path, levels = append(path, self), append(levels, item.Level)
	}
	return all
}

// finishOutline writes the outline, collapsed to the first level, and returns its number, 0 if empty.
func (w *Writer) finishOutline() Ref {
	if len(w.outline) == 0 {
		return 0
	}
	all := branches(w.outline)
	refs := make([]Ref, len(all))
	for i := range refs {
		refs[i] = w.Reserve()
	}
	top := all[0]
	w.Object(refs[0], fmt.Sprintf("<</Type/Outlines/First %v/Last %v/Count %d>>", refs[top.first], refs[top.last], top.count))
	for i, b := range all[1:] {
		item := w.outline[i]
		body := fmt.Sprintf("<</Title%s/Parent %v", Text(item.Title), refs[b.parent])
		if b.previous != 0 {
			body += "/Prev " + refs[b.previous].String()
		}
		if b.next != 0 {
			body += "/Next " + refs[b.next].String()
		}
		if b.count > 0 {
			body += fmt.Sprintf("/First %v/Last %v/Count %d", refs[b.first], refs[b.last], -b.count)
		}
		if _, found := w.dests.positions[item.Destination]; found {
			body += "/Dest" + bytesOf(item.Destination)
		}
		w.Object(refs[i+1], body+">>")
	}
	return refs[0]
}
