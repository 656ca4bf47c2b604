package site

import (
	"fmt"
	stdhtml "html"
)

// item is a page in the tree of pages.
type item struct {
	*Entry
	index    int // in the order of pages
	file     string
	parent   *item // nil at the top
	children []*item
	title    string // as HTML

	description string // once the page is written
	updated     string // likewise, a date or ""
}

// plan gives each page its file and its place in the tree.
func (b *builder) plan() error {
	b.byKey = make(map[string]*item, len(b.book.Contents))
	b.taken = names{indexFile: 2}
	var open []*item // from the top to the last page
	for i := range b.book.Contents {
		entry := &b.book.Contents[i]
		if b.byKey[entry.Key] != nil {
			return fmt.Errorf("the book has the page %q twice", entry.Key)
		}
		it := &item{Entry: entry, index: i, file: b.taken.pageFile(entry.Slug)}
		it.title = stdhtml.EscapeString(it.name())
		for len(open) > 0 && open[len(open)-1].Level >= entry.Level {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			it.parent = open[len(open)-1]
			it.parent.children = append(it.parent.children, it)
		} else {
			b.top = append(b.top, it)
		}
		open = append(open, it)
		b.items = append(b.items, it)
		b.byKey[entry.Key] = it
	}
	return nil
}

// name is what people call the page.
func (it *item) name() string {
	switch {
	case it.Title != "":
		return it.Title
	case it.Slug != "":
		return it.Slug
	}
	return it.Key
}

// trail returns the pages above, from the top.
func (it *item) trail() []*item {
	if it.parent == nil {
		return nil
	}
	return append(it.parent.trail(), it.parent)
}

// neighbour returns the page that comes so many pages later, nil beyond the
// ends.
func (b *builder) neighbour(it *item, by int) *item {
	if i := it.index + by; 0 <= i && i < len(b.items) {
		return b.items[i]
	}
	return nil
}
