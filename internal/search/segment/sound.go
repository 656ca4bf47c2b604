package segment

import "slices"

// bounded reports whether a term lies within the text.
func (v *vocabulary) bounded(i int) bool {
	return int(v.ends[i]) <= len(v.text) && (i == 0 || v.ends[i-1] <= v.ends[i])
}

// sound reports whether every number in the segment leads to where there is
// something: reading it can then fail nowhere.
func (s *Segment) sound() bool {
	if len(s.ends) != len(s.df) || len(s.terms.ends) > 0 && int(s.terms.ends[len(s.terms.ends)-1]) != len(s.terms.text) {
		return false
	}
	layout, chunk := uint32(0), uint32(0)
	for i := range s.docs {
		d := &s.docs[i]
		if d.layout < layout || d.chunk < chunk || int(d.layout) > len(s.layouts) || int(d.chunk) > s.chunks() {
			return false
		}
		layout, chunk = d.layout, d.chunk
	}
	for _, p := range s.blocks {
		if !slices.IsSorted(p.ends) || len(p.ends) > 0 && p.ends[len(p.ends)-1] > uint64(len(p.bytes)) {
			return false
		}
	}
	for _, docs := range s.tags {
		for _, doc := range docs {
			if int(doc) >= len(s.docs) {
				return false
			}
		}
	}
	return s.soundLists()
}

// soundLists reports whether the postings name only documents that there are,
// and the tables before them tell where their blocks end.
func (s *Segment) soundLists() bool {
	for term := range s.ends {
		if s.ends[term] > uint64(len(s.postings)) || term > 0 && s.ends[term] < s.ends[term-1] {
			return false
		}
		count := uint32(0)
		last := -1
		c := s.Cursor(term)
		for c.Next() {
			if int(c.Doc) >= len(s.docs) || int(c.Doc) <= last {
				return false
			}
			last = int(c.Doc)
			count++
			if c.ahead == 0 && c.after > 0 && !c.blockEnds() {
				return false
			}
		}
		if count != s.df[term] || c.skips.blocks || len(c.skips.rest.rest) > 0 {
			return false
		}
	}
	return true
}
