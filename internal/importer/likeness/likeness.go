// Package likeness estimates the similarity of texts by samples of word pairs. Callers
// choose the threshold.
package likeness

import (
	"hash/crc32"
	"slices"
	"strings"
	"unicode"
)

const sketchSize = 128

// Sample is a short sketch of a text for comparison.
type Sample []uint32

// Sketch returns the smallest hashes of the word pairs in a text.
func Sketch(s string) Sample {
	var pairs []uint32
	before := uint32(0)
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		h := crc32.ChecksumIEEE([]byte(word))
		pairs = append(pairs, h+before*0x9E3779B1)
		before = h
	}
	slices.Sort(pairs)
	pairs = slices.Compact(pairs)
	return slices.Clone(pairs[:min(len(pairs), sketchSize)])
}

// Of estimates the share of word pairs that two texts have in common. If half of the
// words are replaced, it is a third.
func Of(a, b Sample) float64 {
	both, all := 0, 0
	for ; all < sketchSize && len(a) > 0 && len(b) > 0; all++ {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			both, a, b = both+1, a[1:], b[1:]
		}
	}
	return float64(both) / float64(max(1, min(sketchSize, all+len(a)+len(b))))
}
