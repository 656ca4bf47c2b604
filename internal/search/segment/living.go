package segment

import "encoding/binary"

// Living returns the number of living documents with a term. It reads only
// which documents the list has, a fraction of a walk with Next: in a segment
// with dead documents, queries need this for each of their words.
func (s *Segment) Living(term int, dead Bitmap) int {
	if len(dead) == 0 {
		return s.Frequency(term)
	}
	c := s.Cursor(term)
	return c.living(dead)
}

// living counts the living documents of a list, from a cursor before the first.
func (c *Cursor) living(dead Bitmap) (n int) {
	for c.open() {
		n += c.livingOfBlock(dead)
		t := &c.skips
		if !t.blocks {
			break
		}
		t.at += t.width
		c.end = t.at
		t.next(len(c.list))
	}
	return n
}

// livingOfBlock counts those of the current block, and leaves the cursor at
// its last document.
func (c *Cursor) livingOfBlock(dead Bitmap) (n int) {
	doc, heads := c.Doc, c.list[c.head:c.end]
	if len(heads) == c.ahead { // each has one byte, as most do
		n = len(heads)
		for _, head := range heads {
			doc += uint32(head >> 1)
			if word := int(doc >> 6); word < len(dead) {
				n -= int(dead[word] >> (doc & 63) & 1)
			}
		}
	} else {
		for len(heads) > 0 {
			head, width := binary.Uvarint(heads)
			if width <= 0 {
				break
			}
			doc += uint32(head >> 1)
			if !dead.Has(doc) {
				n++
			}
			heads = heads[width:]
		}
	}
	c.Doc, c.ahead = doc, 0
	return n
}
