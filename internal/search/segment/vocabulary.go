package segment

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// vocabulary is a sorted list of terms.
type vocabulary struct {
	text []byte   // all terms, one after the other
	ends []uint32 // where each ends
	stem []uint32 // the terms that have a stem, by stem, then by term
	sets []letterSet

	// The beginnings of every headEvery-th term, and of every stemEvery-th stem in
	// the order of stem. A search starts in them: they lie close together, and a
	// stem has to be made anew whenever it is looked at.
	heads, stems []uint64
}

const (
	headEvery = 64
	stemEvery = 16
)

// headOf returns the first bytes of a term as a number of the same order.
func headOf[T string | []byte](term T) (head uint64) {
	for i := range 8 {
		head <<= 8
		if i < len(term) {
			head |= uint64(term[i])
		}
	}
	return head
}

// letterSet is the set of the letters of a word, each as one of 32 bits.
type letterSet uint32

func lettersOf(word []byte) (set letterSet) {
	for len(word) > 0 {
		r, width := rune(word[0]), 1
		if r >= utf8.RuneSelf {
			r, width = utf8.DecodeRune(word)
		}
		set |= 1 << (r & 31)
		word = word[width:]
	}
	return set
}

// without returns how many letters of a set are not in another, at least.
func (set letterSet) without(other letterSet) int { return bits.OnesCount32(uint32(set &^ other)) }

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

// derive notes the letters of the terms and where they begin to be others.
func (v *vocabulary) derive() {
	v.sets, v.heads = make([]letterSet, len(v.ends)), make([]uint64, 0, len(v.ends)/headEvery+1)
	for i := range v.sets {
		v.sets[i] = lettersOf(v.at(i))
		if i%headEvery == 0 {
			v.heads = append(v.heads, headOf(v.at(i)))
		}
	}
	v.stems = make([]uint64, 0, len(v.stem)/stemEvery+1)
	for i := 0; i < len(v.stem); i += stemEvery {
		v.stems = append(v.stems, headOf(v.stemAt(i)))
	}
}

// stemAt returns a stem by its place in order.
func (v *vocabulary) stemAt(i int) string { return analysis.Stem(string(v.at(int(v.stem[i])))) }

// within returns between which of n items in order the first one lies that is
// not before one with a given beginning, by the beginnings of every so many.
func within(heads []uint64, head uint64, every, n int) (from, to int) {
	low, _ := slices.BinarySearch(heads, head)
	high := low
	for high < len(heads) && heads[high] == head {
		high++
	}
	return max(low-1, 0) * every, min(high*every, n)
}

func (v *vocabulary) find(term string) (int, bool) {
	i := v.from(term)
	return i, i < len(v.ends) && string(v.at(i)) == term
}

// from returns the first term that is not before the given one.
func (v *vocabulary) from(term string) int {
	first, last := within(v.heads, headOf(term), headEvery, len(v.ends))
	return first + sort.Search(last-first, func(i int) bool { return string(v.at(first+i)) >= term })
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
	first, last := within(v.stems, headOf(stem), stemEvery, len(v.stem))
	from := first + sort.Search(last-first, func(i int) bool { return v.stemAt(first+i) >= stem })
	to := from
	for to < len(v.stem) && v.stemAt(to) == stem {
		to++
	}
	return v.stem[from:to]
}

func (v *vocabulary) size() int {
	return len(v.text) + 8*len(v.ends) + 4*len(v.stem) + 8*(len(v.heads)+len(v.stems))
}
