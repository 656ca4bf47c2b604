package segment

import (
	"encoding/binary"
	"math/bits"
)

// A list of postings has the documents of a term, in rising order. It
// consists of blocks of blockSize postings, of which the last may have
// fewer. A block has, for each posting,
//
//	half a byte  length of its tail in bytes, or 15, if that is longer
//	uvarint      distance to the document before, times two, plus one if the
//	             term occurs once, in the body
//	             the tail
//
// first all lengths, then all documents, then all tails, because a query
// reads very many postings but few of their tails. The tail of a posting
// with one occurrence in the body is its position. That of any other is
//
//	uvarint  set of fields
//	uvarint… how often the term occurs in each
//	uvarint… places, each as the distance to the one before
//
// A tail of more than 14 bytes is preceded by its length as a uvarint. A
// block of one posting has no length: its tail is the rest of the list.
//
// A list of more than one block is preceded by the length of a table and the table: for
// each block but the last, the distance to its last document and its length in bytes.
const blockSize = 16

// longTail replaces the length of a tail with at least that many bytes.
const longTail = 15

// Cursor walks a list of postings. Call Next before the first one.
type Cursor struct {
	Doc   uint32
	plain bool // the current posting is one occurrence in the body
	found bool // there is a current posting

	list       []byte
	start, end int // of the tail of the current posting

	// State of the rest of the current block.
	ahead  int    // postings
	head   int    // position of the next one's document
	widths uint64 // of the tails
	alone  bool   // there is only one
	after  int    // postings in the blocks after it

	skips table
}

// table is the table before a list, with the ends of blocks.
type table struct {
	rest    reader
	blocks  bool   // there is a further block that may be skipped
	last    uint32 // its last document
	width   int    // its length
	at      int    // its start
	passed  int    // number of skipped ones
	posting int    // number of postings
}

// newCursor returns a cursor over a list of df postings.
func newCursor(list []byte, df uint32) Cursor {
	c := Cursor{list: list, after: int(df)}
	if df > blockSize {
		r := reader{rest: list}
		c.skips.rest.rest = r.bytes(r.uvarint())
		c.list = r.rest
		c.skips.posting = int(df)
		c.skips.next(len(c.list))
	}
	return c
}

// next reads an entry of a table before a list of some length.
func (t *table) next(length int) {
	if t.blocks = len(t.rest.rest) > 0; !t.blocks {
		return
	}
	t.last += t.rest.uint32()
	width := t.rest.uvarint()
	if t.rest.bad || width > uint64(length-t.at) {
		t.blocks = false
		return
	}
	t.width = int(width)
}

// Next goes to the next posting and reports whether there is one.
func (c *Cursor) Next() bool {
	if c.ahead == 0 && !c.open() {
		return c.stop()
	}
	b := c.list
	head := uint64(b[c.head])
	c.head++
	if head >= 0x80 {
		v, n := binary.Uvarint(b[c.head-1:])
		if n <= 0 {
			return c.stop()
		}
		head = v
		c.head += n - 1
	}
	c.Doc += uint32(head >> 1)
	c.plain = head&1 == 1
	width := int(c.widths & longTail)
	c.widths >>= 4
	c.start = c.end
	if width == longTail && !c.long(&width) || width > len(b)-c.start {
		return c.stop()
	}
	c.end = c.start + width
	c.ahead--
	c.found = true
	return true
}

// open goes to the next block and reports whether there is one.
func (c *Cursor) open() bool {
	n := min(c.after, blockSize)
	c.after -= n
	b, i := c.list, c.end
	size := (n + 1) / 2
	switch {
	case n == 0:
		return false
	case n == 1:
		c.widths, size = longTail, 0
	case len(b)-i >= 8:
		c.widths = binary.LittleEndian.Uint64(b[i:])
	case len(b)-i >= size:
		var widths [8]byte
		copy(widths[:], b[i:])
		c.widths = binary.LittleEndian.Uint64(widths[:])
	default:
		return false
	}
	i += size
	c.ahead, c.alone, c.head = n, n == 1, i
	const more = 0x8080808080808080 // the bits that tell that a number goes on
	if n == blockSize && len(b)-i >= blockSize && (binary.LittleEndian.Uint64(b[i:])|binary.LittleEndian.Uint64(b[i+8:]))&more == 0 {
		c.end = i + blockSize
		return true
	}
	for ; n > 0; i++ {
		if i == len(b) {
			return false
		}
		if b[i] < 0x80 {
			n--
		}
	}
	c.end = i
	return true
}

// long takes the length of a long tail and reports whether there is one.
func (c *Cursor) long(width *int) bool {
	if c.alone {
		*width = len(c.list) - c.start
		return true
	}
	v, n := uvarint(c.list[c.start:])
	if n <= 0 || v > uint64(len(c.list)) {
		return false
	}
	*width = int(v)
	c.start += n
	return true
}

// stop ends a list, or one that is damaged.
func (c *Cursor) stop() bool {
	c.ahead, c.after, c.found = 0, 0, false
	return false
}

// Posting returns the present posting.
func (c *Cursor) Posting() Posting { return Posting{c.list[c.start:c.end], c.plain} }

// Fields is Posting.Fields of the present posting.
func (c *Cursor) Fields() uint16 { return c.Posting().Fields() }

// Counts is Posting.Counts of the present posting.
func (c *Cursor) Counts(counts *Lengths) (fields uint16) { return c.Posting().Counts(counts) }

// Places is Posting.Places of the present posting.
func (c *Cursor) Places(dst []uint32, limit int) []uint32 { return c.Posting().Places(dst, limit) }

// Seek goes to the posting of doc and reports whether there is one. Documents
// must be sought in rising order, and not mixed with calls of Next.
func (c *Cursor) Seek(doc uint32) bool {
	for t := &c.skips; t.blocks && t.last < doc; t.next(len(c.list)) {
		t.at += t.width
		t.passed++
		if c.Doc < t.last {
			c.Doc, c.end, c.found = t.last, t.at, false
			c.ahead, c.after = 0, max(t.posting-t.passed*blockSize, 0)
		}
	}
	if c.found && c.Doc >= doc {
		return c.Doc == doc
	}
	for c.Next() {
		if c.Doc >= doc {
			return c.Doc == doc
		}
	}
	return false
}

// blockEnds reports whether the table says of the block that ends with the
// present posting where it does, and goes on to the next entry.
func (c *Cursor) blockEnds() bool {
	t := &c.skips
	right := t.blocks && t.last == c.Doc && t.at+t.width == c.end
	t.at += t.width
	t.next(len(c.list))
	return right
}

// tail returns the present posting without its document.
func (c *Cursor) tail() []byte { return c.list[c.start:c.end] }

// Posting tells where in a document a term occurs. It can be kept while its
// cursor goes on.
type Posting struct {
	tail  []byte
	plain bool // it is of one occurrence in the body
}

// Fields returns in which fields of the document the term occurs, as a set of
// bits.
func (p Posting) Fields() uint16 {
	if p.plain {
		return 1 << Body
	}
	set, n := uvarint(p.tail)
	if n <= 0 || set >= 1<<Fields {
		return 0
	}
	return uint16(set)
}

// Counts returns what Fields does, and fills in how often the term occurs in
// each; the counts of other fields stay as they are.
func (p Posting) Counts(counts *Lengths) (fields uint16) {
	if fields = p.Fields(); p.plain {
		counts[Body] = 1
		return fields
	}
	r := reader{rest: p.tail}
	r.uvarint()
	for set := fields; set != 0; set &= set - 1 {
		counts[bits.TrailingZeros16(set)] = uint32(min(r.uvarint(), 1<<32-1))
	}
	if r.bad {
		return 0
	}
	return fields
}

// Places appends the places of the term to dst, in rising order, but no more
// than limit.
func (p Posting) Places(dst []uint32, limit int) []uint32 {
	r := reader{rest: p.tail}
	if !p.plain {
		r.uvarint()
		for range bits.OnesCount16(p.Fields()) {
			r.uvarint()
		}
	}
	place := uint32(0)
	for n := 0; n < limit && len(r.rest) > 0; n++ {
		place += r.uint32()
		dst = append(dst, place)
	}
	return dst
}

// listWriter writes lists of postings, one after the other.
type listWriter struct {
	out    []byte
	list   []byte
	skips  []byte
	count  uint32
	last   uint32 // document
	from   int    // where the block before the one at hand ends in list
	before uint32 // the last document of that block

	// The block at hand.
	postings int
	widths   [blockSize / 2]byte
	heads    []byte
	tails    []byte
	single   int // bytes before the tail of the first posting, which it has not if it stays alone
}

// add takes a posting of a document after all others of the list.
func (w *listWriter) add(doc uint32, plain bool, tail []byte) {
	if w.postings == blockSize {
		w.endBlock()
		w.skips = binary.AppendUvarint(w.skips, uint64(w.last-w.before))
		w.skips = binary.AppendUvarint(w.skips, uint64(len(w.list)-w.from))
		w.before, w.from = w.last, len(w.list)
	}
	head := uint64(doc-w.last) << 1
	if plain {
		head |= 1
	}
	w.heads = binary.AppendUvarint(w.heads, head)
	w.widths[w.postings/2] |= byte(min(len(tail), longTail)) << (4 * (w.postings % 2))
	if len(tail) >= longTail {
		w.tails = binary.AppendUvarint(w.tails, uint64(len(tail)))
	}
	if w.postings == 0 {
		w.single = len(w.tails)
	}
	w.tails = append(w.tails, tail...)
	w.postings++
	w.last = doc
	w.count++
}

// endBlock adds the block at hand to the list.
func (w *listWriter) endBlock() {
	if w.postings == 1 {
		w.list = append(append(w.list, w.heads...), w.tails[w.single:]...)
	} else {
		w.list = append(w.list, w.widths[:(w.postings+1)/2]...)
		w.list = append(append(w.list, w.heads...), w.tails...)
	}
	w.postings, w.widths, w.heads, w.tails = 0, [blockSize / 2]byte{}, w.heads[:0], w.tails[:0]
}

// finish ends the list and returns how many postings it has.
func (w *listWriter) finish() uint32 {
	w.endBlock()
	count := w.count
	if count > blockSize {
		w.out = binary.AppendUvarint(w.out, uint64(len(w.skips)))
		w.out = append(w.out, w.skips...)
	}
	w.out = append(w.out, w.list...)
	w.list, w.skips = w.list[:0], w.skips[:0]
	w.count, w.last, w.from, w.before = 0, 0, 0, 0
	return count
}
