package exports

import "github.com/octavo-docs/octavo"

// arrange puts pages, which come in the order that siblings have, into the
// order of a book: each behind its parent and the siblings before it, with all
// below them. A page whose parent is not there is a root.
func arrange(pages []*Page) []*Page {
	roots := grow(pages)
	book := make([]*Page, 0, len(pages))
	var add func(list []*Page, level int)
	add = func(list []*Page, level int) { // as deep as the tree, at most octavo.MaxDepth
		for _, p := range list {
			p.Level = level
			book = append(book, p)
			add(p.Children, level+1)
		}
	}
	add(roots, 0)
	if len(book) == len(pages) {
		return book
	}
	// Pages that were read at different moments are in a circle: no tree then.
	for _, p := range pages {
		p.Parent, p.Children, p.Level = nil, nil, 0
	}
	return pages
}

// grow ties pages to their parents and returns those without one.
func grow(pages []*Page) (roots []*Page) {
	byID := make(map[octavo.ID]*Page, len(pages))
	for _, p := range pages {
		byID[p.ID] = p
	}
	for _, p := range pages {
		if p.Parent = byID[p.ParentID]; p.Parent == nil {
			roots = append(roots, p)
			continue
		}
		p.Parent.Children = append(p.Parent.Children, p)
	}
	return roots
}
