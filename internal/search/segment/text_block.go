package segment

import (
	"slices"
	"sort"
)

// textBlock has compressed chunks of text. It does not change once its segment is
// finished, so that a merged segment can take over the large blocks of its sources. If
// text, which is half of a segment, were copied, it would be in memory twice until the
// last query on the old segments has ended.
type textBlock struct {
	first int // the number of its first chunk in the segment
	bytes []byte
	ends  []uint64 // end of each chunk
	piece bool     // bytes is a slice of a larger array, all of which it keeps in memory
}

// Sizes of blocks in bytes: the minimum for taking one over, so that their
// number stays small; and the approximate maximum of blocks to which chunks
// are copied, so that little in one is dead at the next merge.
const (
	leastTaken = 1 << 18
	mostCopied = 1 << 20
)

// add appends a compressed chunk.
func (p *textBlock) add(packed []byte) {
	p.bytes = append(p.bytes, packed...)
	p.ends = append(p.ends, uint64(len(p.bytes)))
}

// chunk returns a compressed chunk by its number in the block.
func (p *textBlock) chunk(n int) []byte {
	from := uint64(0)
	if n > 0 {
		from = p.ends[n-1]
	}
	return p.bytes[from:p.ends[n]]
}

// after returns the number of the chunk after the last one.
func (p *textBlock) after() int { return p.first + len(p.ends) }

// chunks returns how many chunks of text the segment has.
func (s *Segment) chunks() int {
	if len(s.blocks) == 0 {
		return 0
	}
	return s.blocks[len(s.blocks)-1].after()
}

// blockOf returns the block of a chunk, or the number of blocks.
func (s *Segment) blockOf(chunk int) int {
	return sort.Search(len(s.blocks), func(i int) bool { return s.blocks[i].after() > chunk })
}

// packed returns a compressed chunk by its number in the segment.
func (s *Segment) packed(chunk int) (packed []byte, found bool) {
	n := s.blockOf(chunk)
	if n == len(s.blocks) {
		return nil, false
	}
	return s.blocks[n].chunk(chunk - s.blocks[n].first), true
}

// taker copies or takes over the text of the living documents of a source.
type taker struct {
	*merger
	source Source
	whole  []bool // by block: it is taken over unchanged
	at     int    // the block of the current document
	over   int    // number of first blocks that were taken over or skipped
	base   int    // new number of the first chunk of the last one taken over
	next   int    // new number of the chunk after the last document
}

// textOf returns a taker for the text of a source.
func (m *merger) textOf(s Source) *taker {
	t := &taker{merger: m, source: s, whole: make([]bool, len(s.blocks)), next: m.out.chunks()}
	for i, p := range s.blocks {
		t.whole[i] = !p.piece && len(p.bytes) >= leastTaken
	}
	for doc := range s.docs {
		if at := s.extent(doc); s.Dead.Has(uint32(doc)) && at.firstChunk < at.lastChunk {
			t.whole[s.blockOf(at.firstChunk)] = false
		}
	}
	return t
}

// take takes the chunks of a document, in order, and returns the new number
// of the first one, or the next free one.
func (t *taker) take(doc extent) int {
	if doc.firstChunk == doc.lastChunk {
		return t.next
	}
	first := t.chunks(doc)
	t.next = first + doc.lastChunk - doc.firstChunk
	return first
}

// chunks takes the chunks of a document that has some.
func (t *taker) chunks(doc extent) (first int) {
	for t.source.blocks[t.at].after() <= doc.firstChunk {
		t.at++
	}
	p := &t.source.blocks[t.at]
	if t.whole[t.at] {
		if t.over <= t.at {
			t.over, t.base = t.at+1, t.out.chunks()
			// Without spare capacity, which would make finish copy it.
			t.out.blocks = append(t.out.blocks, textBlock{first: t.base, bytes: slices.Clip(p.bytes), ends: slices.Clip(p.ends)})
			t.open = false
		}
		return t.base + doc.firstChunk - p.first
	}
	if n := len(t.out.blocks); !t.open || len(t.out.blocks[n-1].bytes) >= mostCopied {
		t.out.blocks = append(t.out.blocks, textBlock{first: t.out.chunks()})
		t.open = true
	}
	to := &t.out.blocks[len(t.out.blocks)-1]
	first = to.after()
	for chunk := doc.firstChunk; chunk < doc.lastChunk; chunk++ {
		to.add(p.chunk(chunk - p.first))
	}
	return first
}
