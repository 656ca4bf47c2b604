package site

import (
	"cmp"
	"fmt"

	"github.com/octavo-docs/octavo/internal/site/look"
)

// item is a page in the page tree.
type item struct {
	*Entry
	*look.Node     // its address is that of its file
	index      int // in page order

	description string // set when the page is written
	updated     string // set when the page is written, a date or ""
}

// plan assigns files and positions in the tree.
func (b *builder) plan() error {
	b.byKey = make(map[string]*item, len(b.book.Contents))
	b.taken = names{indexFile: 2}
	var open []*item // the last page and its ancestors
	for i := range b.book.Contents {
		entry := &b.book.Contents[i]
		if b.byKey[entry.Key] != nil {
			return fmt.Errorf("the book has the page %q twice", entry.Key)
		}
		name := cmp.Or(entry.Title, entry.Slug, entry.Key)
		it := &item{Entry: entry, index: i, Node: look.NewNode(b.taken.pageFile(entry.Slug), name)}
		for len(open) > 0 && open[len(open)-1].Level >= entry.Level {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			it.Parent = open[len(open)-1].Node
			it.Parent.Children = append(it.Parent.Children, it.Node)
		} else {
			b.site.Top = append(b.site.Top, it.Node)
		}
		open = append(open, it)
		b.items = append(b.items, it)
		b.byKey[entry.Key] = it
	}
	return nil
}

// neighbour returns the page by positions later, or nil.
func (b *builder) neighbour(it *item, by int) *look.Node {
	if i := it.index + by; 0 <= i && i < len(b.items) {
		return b.items[i].Node
	}
	return nil
}
