package segment

import "bytes"

// Source is a segment with its removed documents.
type Source struct {
	*Segment
	Dead Bitmap // may be empty
}

// Merge merges segments in order, without their dead documents. Postings are copied,
// text is copied or taken over, and nothing is analysed again. For each source it also
// returns the new numbers of its documents; for dead ones it is Nowhere.
func Merge(sources []Source) (*Segment, [][]uint32) {
	m := merger{out: &Segment{tags: make(map[string][]uint32)}, sources: sources}
	m.reserve()
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

// Nowhere is the new number of a dead document.
const Nowhere = ^uint32(0)

type merger struct {
	out     *Segment
	sources []Source
	moved   [][]uint32
	open    bool // whether chunks are copied to the last pile

	postings int // approximate total bytes of the lists
}

// reserve allocates memory for the living documents, so that nothing is
// copied while it grows: a large segment would briefly take twice as much.
func (m *merger) reserve() {
	var docs, layouts, origins int
	for _, s := range m.sources {
		for doc := range s.docs {
			if s.Dead.Has(uint32(doc)) {
				continue
			}
			docs++
			at := s.extent(doc)
			layouts += at.layoutEnd - at.layout
		}
		origins += len(s.origins)
		m.postings += len(s.postings)
	}
	m.postings += m.postings / 64 // for longer distances between segments
	m.out.docs, m.out.long = make([]Info, 0, docs), make([]shortLengths, 0, docs)
	m.out.body = make([]uint32, 0, docs)
	m.out.layouts, m.out.origins = make([]byte, 0, layouts), make([]origin, 0, origins)
}

// extent is the position of the layout and the text of a document.
type extent struct{ layout, layoutEnd, firstChunk, lastChunk int }

func (s *Segment) extent(doc int) extent {
	at := extent{int(s.docs[doc].layout), len(s.layouts), int(s.docs[doc].chunk), s.chunks()}
	if doc+1 < len(s.docs) {
		at.layoutEnd, at.lastChunk = int(s.docs[doc+1].layout), int(s.docs[doc+1].chunk)
	}
	return at
}

func (m *merger) documents(s Source) []uint32 {
	moved := make([]uint32, len(s.docs))
	text := m.textOf(s)
	for doc := range s.docs {
		if s.Dead.Has(uint32(doc)) {
			moved[doc] = Nowhere
			continue
		}
		moved[doc] = uint32(len(m.out.docs))
		info, at := s.docs[doc], s.extent(doc)
		info.layout, info.chunk = uint32(len(m.out.layouts)), uint32(text.take(at))
		m.out.layouts = append(m.out.layouts, s.layouts[at.layout:at.layoutEnd]...)
		m.out.docs = append(m.out.docs, info)
		m.out.long, m.out.body = append(m.out.long, s.long[doc]), append(m.out.body, s.body[doc])
	}
	return moved
}

func (m *merger) terms() {
	w := listWriter{out: make([]byte, 0, m.postings)}
	next := make([]int, len(m.sources)) // the next term of each source
	for {
		term, found := m.smallest(next)
		if !found {
			break
		}
		spoken := stemmerSet(0)
		for i, s := range m.sources {
			if next[i] >= s.Terms() || !bytes.Equal(s.Term(next[i]), term) {
				continue
			}
			c := s.Cursor(next[i])
			for c.Next() {
				if doc := m.moved[i][c.Doc]; doc != Nowhere {
					w.add(doc, c.plain, c.tail())
					spoken.add(s.docs[c.Doc].stemmer)
				}
			}
			next[i]++
		}
		if w.count > 0 {
			df := w.finish()
			m.out.addTerm(string(term), spoken, df, len(w.out))
		}
	}
	m.out.postings = w.out
}

// smallest returns the first term that no source has passed.
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
