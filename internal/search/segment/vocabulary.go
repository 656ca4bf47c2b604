package segment

import (
	"bytes"
	"cmp"
	"slices"
	"sort"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// vocabulary is a sorted list of terms.
type vocabulary struct {
	text []byte   // all terms, one after the other
	ends []uint32 // where each ends
	stem []uint32 // the terms that have a stem, by stem, then by term
}

func (v *vocabulary) add(term string) {
	v.text = append(v.text, term...)
	v.ends = append(v.ends, uint32(len(v.text)))
}

func (v *vocabulary) at(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = v.ends[i-1]
	}
	return v.text[from:v.ends[i]:v.ends[i]]
}

// finish sorts the terms by their stems.
func (v *vocabulary) finish() {
	v.text, v.ends = fit(v.text), fit(v.ends)
	type stemmed struct {
		stem string
		term uint32
	}
	var all []stemmed
	for i := range v.ends {
		if term := string(v.at(i)); analysis.Stemmable(term) {
			all = append(all, stemmed{analysis.Stem(term), uint32(i)})
		}
	}
	slices.SortStableFunc(all, func(a, b stemmed) int { return cmp.Compare(a.stem, b.stem) })
	v.stem = make([]uint32, len(all))
	for i := range all {
		v.stem[i] = all[i].term
	}
}

func (v *vocabulary) find(term string) (int, bool) {
	i := v.from(term)
	return i, i < len(v.ends) && string(v.at(i)) == term
}

// from returns the first term that is not before the given one.
func (v *vocabulary) from(term string) int {
	return sort.Search(len(v.ends), func(i int) bool { return string(v.at(i)) >= term })
}

func (v *vocabulary) prefixed(prefix string) (from, to int) {
	from = v.from(prefix)
	return from, from + v.run(from, []byte(prefix))
}

// run returns how many terms from one on start with a prefix.
func (v *vocabulary) run(from int, prefix []byte) int {
	step := 1
	for from+step < len(v.ends) && bytes.HasPrefix(v.at(from+step), prefix) {
		step *= 2
	}
	return sort.Search(min(step, len(v.ends)-from), func(i int) bool { return !bytes.HasPrefix(v.at(from+i), prefix) })
}

func (v *vocabulary) sameStem(stem string) []uint32 {
	stemAt := func(i int) string { return analysis.Stem(string(v.at(int(v.stem[i])))) }
	from := sort.Search(len(v.stem), func(i int) bool { return stemAt(i) >= stem })
	to := from
	for to < len(v.stem) && stemAt(to) == stem {
		to++
	}
	return v.stem[from:to]
}

func (v *vocabulary) size() int { return len(v.text) + 4*len(v.ends) + 4*len(v.stem) }
