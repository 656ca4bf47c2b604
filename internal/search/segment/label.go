package segment

import (
	"slices"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// Label is a hash of the words of a text: 28 bits, which are enough to
// distinguish a query from the few labels of one document.
type Label uint32

// With returns the hash of a label and one more word, in any form. The zero
// Label has no words.
func (l Label) With(word string) Label {
	sum := uint32(l) ^ 0x811C9DC5
	for _, c := range []byte(analysis.Stem(word)) {
		sum = (sum ^ uint32(c)) * 0x01000193
	}
	return Label(sum>>4 ^ sum&0xF)
}

// labels returns the hashes of the link texts with several words, in order.
func (b *Builder) labels(texts []string) []Label {
	var sums []Label
	for _, text := range texts {
		sum, words := Label(0), 0
		b.scanner.Scan(analysis.Clean(text), 0, func(t analysis.Token) {
			if word := string(t.Text); t.Kind == analysis.Word && !analysis.StopWord(word) {
				sum, words = sum.With(word), words+1
			}
		})
		if words > 1 {
			sums = append(sums, sum)
		}
	}
	slices.Sort(sums)
	return slices.Compact(sums)
}
