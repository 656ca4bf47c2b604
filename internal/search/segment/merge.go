package segment

import (
	"bytes"
	"slices"
)

// Source is a segment with the documents that have been taken out of it.
type Source struct {
	*Segment
	Dead Bitmap // may be empty
}

// Merge makes one segment of several, in their order, without their dead
// documents. Postings and text are copied, nothing is analysed again. It also
// returns for each source where its documents went; the dead went nowhere,
// which is Nowhere.
func Merge(sources []Source) (*Segment, [][]uint32) {
	m := merger{out: &Segment{tags: make(map[string][]uint32)}, sources: sources}
	for _, s := range sources {
		m.moved = append(m.moved, m.documents(s))
	}
	m.terms()
	for i, s := range sources {
		m.tags(s, m.moved[i])
		m.origins(s, m.moved[i])
	}
	m.out.finish()
	return m.out, m.moved
}

// Nowhere is where a dead document went.
const Nowhere = ^uint32(0)

type merger struct {
	out     *Segment
	sources []Source
	moved   [][]uint32
}

// documents copies what is kept by document.
func (m *merger) documents(s Source) []uint32 {
	moved := make([]uint32, len(s.docs))
	for doc := range s.docs {
		if s.Dead.Has(uint32(doc)) {
			moved[doc] = Nowhere
			continue
		}
		moved[doc] = uint32(len(m.out.docs))
		info := s.docs[doc]
		layoutEnd, firstChunk, lastChunk := len(s.layouts), int(info.chunk), len(s.chunks)
		if doc+1 < len(s.docs) {
			layoutEnd, lastChunk = int(s.docs[doc+1].layout), int(s.docs[doc+1].chunk)
		}
		layout := s.layouts[info.layout:layoutEnd]
		info.layout, info.chunk = uint32(len(m.out.layouts)), uint32(len(m.out.chunks))
		m.out.layouts = append(m.out.layouts, layout...)
		from := uint64(0)
		if firstChunk > 0 {
			from = s.chunks[firstChunk-1]
		}
		for _, end := range s.chunks[firstChunk:lastChunk] {
			m.out.text = append(m.out.text, s.text[from:end]...)
			m.out.chunks = append(m.out.chunks, uint64(len(m.out.text)))
			from = end
		}
		m.out.docs = append(m.out.docs, info)
		m.out.long = append(m.out.long, s.long[doc])
	}
	return moved
}

// terms merges the lists of all terms that are left.
func (m *merger) terms() {
	w := listWriter{}
	next := make([]int, len(m.sources)) // the next term of each source
	for {
		term, found := m.smallest(next)
		if !found {
			break
		}
		for i, s := range m.sources {
			if next[i] >= s.Terms() || !bytes.Equal(s.Term(next[i]), term) {
				continue
			}
			c := s.Cursor(next[i])
			for c.Next() {
				if doc := m.moved[i][c.Doc]; doc != Nowhere {
					w.add(doc, c.plain, c.rest())
				}
			}
			next[i]++
		}
		if w.count > 0 {
			df := w.finish()
			m.out.addTerm(string(term), df, len(w.out))
		}
	}
	m.out.postings = slices.Clip(w.out)
}

// smallest returns the first term that none of the sources has passed.
func (m *merger) smallest(next []int) (term []byte, found bool) {
	for i, s := range m.sources {
		if next[i] >= s.Terms() {
			continue
		}
		if t := s.Term(next[i]); !found || bytes.Compare(t, term) < 0 {
			term, found = t, true
		}
	}
	return term, found
}

func (m *merger) tags(s Source, moved []uint32) {
	for tag, docs := range s.tags {
		for _, doc := range docs {
			if to := moved[doc]; to != Nowhere {
				m.out.tags[tag] = append(m.out.tags[tag], to)
			}
		}
	}
}

func (m *merger) origins(s Source, moved []uint32) {
	for _, o := range s.origins {
		if to := moved[o.doc]; to != Nowhere {
			m.out.origins = append(m.out.origins, origin{o.key, to, o.state})
		}
	}
}
