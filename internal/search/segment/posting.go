package segment

import (
	"encoding/binary"
	"math/bits"
)

// A list of postings tells in which documents a term occurs, in rising order.
// A posting is
//
//	uvarint  distance to the document before, times two, plus one if the term
//	         occurs once, in the body; then only its place follows
//	uvarint  set of fields
//	uvarint… how often the term occurs in each
//	uvarint  bytes of the places, if there are two or more
//	uvarint… places, each as the distance to the one before
//
// A list of more than skipEvery postings is preceded by the length of a table
// and the table: for each skipEvery postings the distance to the last document
// among them and their length in bytes.
const skipEvery = 16

// Cursor walks a list of postings. Next must be called before the first.
type Cursor struct {
	Doc    uint32
	Fields uint16         // the set of fields, a bit each
	Count  [Fields]uint32 // occurrences in the fields of the set
	plain  bool           // the posting is of the short form

	// Of the list: the present posting without its document, its places, and the
	// next posting. No slices, for a query walks over millions of postings.
	list               []byte
	start, places, end int
	found              bool // there is a present posting

	skips   reader
	block   uint32 // the last document before the block that skips leads to
	blockAt int    // where that block starts
}

// newCursor returns a cursor over a list of df postings.
func newCursor(list []byte, df uint32) Cursor {
	c := Cursor{list: list}
	if df > skipEvery {
		r := reader{rest: list}
		c.skips.rest = r.bytes(r.uvarint())
		c.list = r.rest
	}
	return c
}

// Next goes to the next posting and reports whether there is one.
func (c *Cursor) Next() bool {
	b, i := c.list, c.end
	if i >= len(b) {
		c.found = false
		return false
	}
	head := uint64(b[i])
	i++
	if head >= 0x80 {
		v, n := binary.Uvarint(b[i-1:])
		if n <= 0 {
			return c.stop()
		}
		head = v
		i += n - 1
	}
	c.Doc += uint32(head >> 1)
	c.start = i
	if c.plain = head&1 == 1; c.plain {
		c.Fields, c.Count[Body], c.places = 1<<Body, 1, i
		for i < len(b) && b[i] >= 0x80 {
			i++
		}
		i++
	} else {
		i = c.long(b, i)
	}
	if i < 0 || i > len(b) {
		return c.stop()
	}
	c.end, c.found = i, true
	return true
}

// stop ends a list that is damaged.
func (c *Cursor) stop() bool {
	c.end, c.found = len(c.list), false
	return false
}

// long takes a posting that is not of the short form and returns where it
// ends, or a negative number if it does not.
func (c *Cursor) long(b []byte, i int) int {
	set, n := uvarint(b[i:])
	if n <= 0 || set >= 1<<Fields {
		return -1
	}
	i += n
	c.Fields = uint16(set)
	var places uint64
	for s := c.Fields; s != 0; s &= s - 1 {
		f := Field(bits.TrailingZeros16(s))
		count, n := uvarint(b[i:])
		if n <= 0 {
			return -1
		}
		i += n
		c.Count[f] = uint32(min(count, 1<<32-1))
		if f.Positional() {
			places += count
		}
	}
	width := uint64(0)
	switch places {
	case 0:
	case 1:
		for i+int(width) < len(b) && b[i+int(width)] >= 0x80 {
			width++
		}
		width++
	default:
		if width, n = uvarint(b[i:]); n <= 0 {
			return -1
		}
		i += n
	}
	if width > uint64(len(b)-i) {
		return -1
	}
	c.places = i
	return i + int(width)
}

// Seek goes to the posting of doc and reports whether there is one. Documents
// must be sought in rising order, and not mixed with calls of Next.
func (c *Cursor) Seek(doc uint32) bool {
	for len(c.skips.rest) > 0 && c.block < doc {
		ahead := c.skips
		last, width := c.block+ahead.uint32(), ahead.uvarint()
		if last >= doc || ahead.bad || width > uint64(len(c.list)-c.blockAt) {
			break
		}
		c.skips, c.block = ahead, last
		c.blockAt += int(width)
		if c.Doc < last {
			c.Doc, c.end, c.found = last, c.blockAt, false
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

// Plain reports whether the term occurs in the document once, in the body, and
// nowhere else, as most do.
func (c *Cursor) Plain() bool { return c.plain }

// Places appends the places of the term in the present document to dst, in
// rising order, but no more than limit.
func (c *Cursor) Places(dst []uint32, limit int) []uint32 {
	r := reader{rest: c.list[c.places:c.end]}
	place := uint32(0)
	for n := 0; n < limit && len(r.rest) > 0; n++ {
		place += r.uint32()
		dst = append(dst, place)
	}
	return dst
}

// tail returns the present posting without its document.
func (c *Cursor) tail() []byte { return c.list[c.start:c.end] }

// listWriter writes lists of postings, one after the other.
type listWriter struct {
	out    []byte
	list   []byte
	skips  []byte
	count  uint32
	last   uint32 // document
	from   int    // where the block at hand starts in list
	before uint32 // the last document of the block before
}

// add takes a posting of a document after all others of the list. Tail is what
// follows the document in it.
func (w *listWriter) add(doc uint32, plain bool, tail []byte) {
	if w.count > 0 && w.count%skipEvery == 0 {
		w.endBlock()
	}
	head := uint64(doc-w.last) << 1
	if plain {
		head |= 1
	}
	w.list = append(binary.AppendUvarint(w.list, head), tail...)
	w.last = doc
	w.count++
}

func (w *listWriter) endBlock() {
	w.skips = binary.AppendUvarint(w.skips, uint64(w.last-w.before))
	w.skips = binary.AppendUvarint(w.skips, uint64(len(w.list)-w.from))
	w.before, w.from = w.last, len(w.list)
}

// finish ends the list and returns how many postings it has.
func (w *listWriter) finish() uint32 {
	count := w.count
	if count > skipEvery {
		w.out = binary.AppendUvarint(w.out, uint64(len(w.skips)))
		w.out = append(w.out, w.skips...)
	}
	w.out = append(w.out, w.list...)
	w.list, w.skips = w.list[:0], w.skips[:0]
	w.count, w.last, w.from, w.before = 0, 0, 0, 0
	return count
}
