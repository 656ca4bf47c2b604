package segment

import (
	"bytes"
	"math/bits"
	"slices"
	"sort"
	"unicode/utf8"
)

type vocabulary struct {
	text []byte   // all terms, one after the other
	ends []uint32 // where each ends
	sets []letterSet

	spoken []stemmerSet // until stems are made of them
	stems  []stemList

	// The beginnings of every headEvery-th term. A search starts in them, for they
	// lie close together.
	heads []uint64
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

func (v *vocabulary) add(term string, spoken stemmerSet) {
	v.spoken = append(v.spoken, spoken)
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

// derive notes the letters of the terms and where they begin to be others.
func (v *vocabulary) derive() {
	v.sets, v.heads = make([]letterSet, len(v.ends)), make([]uint64, 0, len(v.ends)/headEvery+1)
	for i := range v.sets {
		v.sets[i] = lettersOf(v.at(i))
		if i%headEvery == 0 {
			v.heads = append(v.heads, headOf(v.at(i)))
		}
	}
	v.deriveStems()
}

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

func (v *vocabulary) size() int {
	size := len(v.text) + 8*len(v.ends) + 8*len(v.heads)
	for i := range v.stems {
		size += 4*len(v.stems[i].terms) + 8*len(v.stems[i].heads)
	}
	return size
}
