package segment

import "math/bits"

// Bitmap is a set of documents of one segment.
type Bitmap []uint64

// NewBitmap returns an empty set for n documents.
func NewBitmap(n int) Bitmap { return make(Bitmap, (n+63)/64) }

// Full returns the set of n documents.
func Full(n int) Bitmap {
	b := NewBitmap(n)
	for i := range b {
		b[i] = ^uint64(0)
	}
	if n%64 != 0 {
		b[len(b)-1] = 1<<(n%64) - 1
	}
	return b
}

// Has reports whether a document is in the set. An empty bitmap has none.
func (b Bitmap) Has(doc uint32) bool {
	return int(doc>>6) < len(b) && b[doc>>6]&(1<<(doc&63)) != 0
}

// Set adds a document.
func (b Bitmap) Set(doc uint32) { b[doc>>6] |= 1 << (doc & 63) }

// Clear removes a document.
func (b Bitmap) Clear(doc uint32) { b[doc>>6] &^= 1 << (doc & 63) }

// And keeps what is also in other. Both are sets of one segment.
func (b Bitmap) And(other Bitmap) {
	for i := range b {
		b[i] &= other[i]
	}
}

// AndNot removes what is in other, which may be empty.
func (b Bitmap) AndNot(other Bitmap) {
	for i := range other {
		b[i] &^= other[i]
	}
}

// Each calls visit for each document in rising order.
func (b Bitmap) Each(visit func(doc uint32)) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			visit(uint32(64*i + bits.TrailingZeros64(w)))
		}
	}
}

// Count returns how many documents the set holds.
func (b Bitmap) Count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}
