package book

import "github.com/octavo-docs/octavo"

// arrange puts pages, which come in sibling order, into the order of a book, and sets
// their levels: each page comes after its parent and its earlier siblings with all
// pages below those. A page whose parent is missing is a root.
func arrange(pages []*Page) []*Page {
	there := make(map[octavo.ID]bool, len(pages))
	for _, p := range pages {
		there[p.ID] = true
	}
	var roots []*Page
	children := map[octavo.ID][]*Page{}
	for _, p := range pages {
		if there[p.ParentID] {
			children[p.ParentID] = append(children[p.ParentID], p)
		} else {
			roots = append(roots, p)
		}
	}
	book := make([]*Page, 0, len(pages))
	var add func(list []*Page, level int)
	add = func(list []*Page, level int) { // as deep as the tree, at most octavo.MaxDepth
		for _, p := range list {
			p.Level = level
			book = append(book, p)
			add(children[p.ID], level+1)
		}
	}
	add(roots, 0)
	if len(book) == len(pages) {
		return book
	}
	// Pages that were read at different moments may form a cycle. Then there
	// is no tree.
	for _, p := range pages {
		p.Level = 0
	}
	return pages
}

// tie links the pages of a book, in order, to their parents and returns
// those without one.
func tie(book []*Page) (roots []*Page) {
	var branch []*Page // the last page and its ancestors
	for _, p := range book {
		branch = append(branch[:min(p.Level, len(branch))], p)
		if len(branch) == 1 {
			roots = append(roots, p)
			continue
		}
		p.Parent = branch[len(branch)-2]
		p.Parent.Children = append(p.Parent.Children, p)
	}
	return roots
}
