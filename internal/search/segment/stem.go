package segment

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// stemList has the terms of the documents of one stemmer, by stem, then by term.
type stemList struct {
	stemmer analysis.Stemmer
	terms   []uint32

	// The beginnings of every stemEvery-th stem. A search starts in them, for a
	// stem has to be made anew whenever it is looked at.
	heads []uint64
}

type stemmerSet uint32

func (set *stemmerSet) add(s analysis.Stemmer) { *set |= 1 << s }

// finish sorts the terms by their stems.
func (v *vocabulary) finish() {
	v.text, v.ends = fit(v.text), fit(v.ends)
	type stemmed struct {
		stem string
		term uint32
	}
	var all []stemmed
	for stemmer := range analysis.Stemmers {
		all = all[:0]
		for i := range v.ends {
			if v.spoken[i]>>stemmer&1 == 0 {
				continue
			}
			if term := string(v.at(i)); stemmer.Takes(term) {
				all = append(all, stemmed{stemmer.Stem(term), uint32(i)})
			}
		}
		if len(all) == 0 {
			continue
		}
		slices.SortStableFunc(all, func(a, b stemmed) int { return cmp.Compare(a.stem, b.stem) })
		list := stemList{stemmer: stemmer, terms: make([]uint32, len(all))}
		for i := range all {
			list.terms[i] = all[i].term
		}
		v.stems = append(v.stems, list)
	}
	v.spoken = nil
}

// deriveStems notes where the stems begin to be others.
func (v *vocabulary) deriveStems() {
	for n := range v.stems {
		l := &v.stems[n]
		l.heads = make([]uint64, 0, len(l.terms)/stemEvery+1)
		for i := 0; i < len(l.terms); i += stemEvery {
			l.heads = append(l.heads, headOf(v.stemAt(l, i)))
		}
	}
}

func (v *vocabulary) stemAt(l *stemList, i int) string {
	return l.stemmer.Stem(string(v.at(int(l.terms[i]))))
}

func (v *vocabulary) sameStem(l *stemList, stem string) []uint32 {
	first, last := within(l.heads, headOf(stem), stemEvery, len(l.terms))
	from := first + sort.Search(last-first, func(i int) bool { return v.stemAt(l, first+i) >= stem })
	to := from
	for to < len(l.terms) && v.stemAt(l, to) == stem {
		to++
	}
	return l.terms[from:to]
}

// appendStems appends the order of the terms by stem. It is stored because
// sorting would be most of the work of a start.
func (s *Segment) appendStems(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s.terms.stems)))
	for _, l := range s.terms.stems {
		dst = binary.AppendUvarint(append(dst, byte(l.stemmer)), uint64(len(l.terms)))
		for _, term := range l.terms {
			dst = binary.LittleEndian.AppendUint32(dst, term)
		}
	}
	return dst
}

func (s *Segment) decodeStems(r *reader) {
	for i := range s.terms.ends {
		if !s.terms.bounded(i) {
			r.bad = true
			return
		}
	}
	for n := r.count(2); n > 0 && !r.bad; n-- {
		l := stemList{stemmer: r.stemmer(r.uint32())}
		l.terms = make([]uint32, r.count(4))
		for i := range l.terms {
			if raw := r.bytes(4); !r.bad {
				l.terms[i] = binary.LittleEndian.Uint32(raw)
			}
			r.bad = r.bad || int(l.terms[i]) >= len(s.terms.ends)
		}
		s.terms.stems = append(s.terms.stems, l)
	}
}

// stemmer takes the number of a stemmer that there is.
func (r *reader) stemmer(n uint32) analysis.Stemmer {
	if n >= uint32(analysis.Stemmers) {
		r.bad = true
		return 0
	}
	return analysis.Stemmer(n)
}
