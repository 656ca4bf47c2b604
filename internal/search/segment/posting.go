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
//	uvarint  bytes of the rest
//	uvarint  set of fields
//	uvarint… how often the term occurs in each
//	uvarint… places, each as the distance to the one before
//
// A list of more than skipEvery postings is preceded by the length of a table
// and the table: for each skipEvery postings the distance to the last document
// among them and their length in bytes.
const skipEvery = 16

// Cursor walks a list of postings. Next must be called before the first.
type Cursor struct {
	Doc   uint32
	plain bool // the posting is of the short form

	// Of the list: where the present posting starts after its document, and after
	// its length, and where the next one starts. No slices, for a query walks over
	// very many postings.
	list             []byte
	tail, start, end int
	found            bool // there is a present posting

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
	c.tail = i
	if c.plain = head&1 == 1; c.plain {
		c.start = i
		for i < len(b) && b[i] >= 0x80 {
			i++
		}
		i++
	} else {
		width, n := uvarint(b[i:])
		if n <= 0 || width > uint64(len(b)-i-n) {
			return c.stop()
		}
		c.start = i + n
		i = c.start + int(width)
	}
	if i > len(b) {
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

// rest returns the present posting without its document.
func (c *Cursor) rest() []byte { return c.list[c.tail:c.end] }

// Posting tells where in a document a term occurs. It can be kept while its
// cursor goes on.
type Posting struct {
	bytes []byte // without the document and the length
	plain bool   // it is of the short form
}

// Fields returns in which fields of the document the term occurs, as a set of
// bits.
func (p Posting) Fields() uint16 {
	if p.plain {
		return 1 << Body
	}
	set, n := uvarint(p.bytes)
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
	r := reader{rest: p.bytes}
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
	r := reader{rest: p.bytes}
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
