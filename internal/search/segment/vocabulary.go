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

	heads []uint64 // the beginnings of every headEvery-th term, in which a search starts: they lie close together
}

const headEvery = 64

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
}

func (v *vocabulary) find(term string) (int, bool) {
	i := v.from(term)
	return i, i < len(v.ends) && string(v.at(i)) == term
}

// from returns the first term that is not before the given one.
func (v *vocabulary) from(term string) int {
	head := headOf(term)
	low, _ := slices.BinarySearch(v.heads, head)
	high := low
	for high < len(v.heads) && v.heads[high] == head {
		high++
	}
	first := max(low-1, 0) * headEvery
	return first + sort.Search(min(high*headEvery, len(v.ends))-first, func(i int) bool { return string(v.at(first+i)) >= term })
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

func (v *vocabulary) size() int { return len(v.text) + 8*len(v.ends) + 4*len(v.stem) + 8*len(v.heads) }
