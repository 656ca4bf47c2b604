package segment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
)

// TestTermsAreFoundAmongMany: a search that starts from the beginnings of some
// terms ends where one over all of them does, though many begin alike.
func TestTermsAreFoundAmongMany(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 63, 64, 65, 128, 3000} {
		var terms []string
		for len(terms) < n {
			terms = append(terms, strings.Repeat("a", r.IntN(12))+fmt.Sprint(r.IntN(3000))+strings.Repeat("é\x00"[:r.IntN(4)], r.IntN(2)))
		}
		slices.Sort(terms)
		terms = slices.Compact(terms)
		var v vocabulary
		for _, term := range terms {
			v.add(term)
		}
		v.derive()
		for _, term := range append(slices.Clone(terms), "", "a", "aaaaaaaa", "aaaaaaaaaaaaaaaa", "aaaaaaa1", "zz", "é") {
			for _, sought := range []string{term, term + "0", strings.TrimSuffix(term, "0")} {
				if have, want := v.from(sought), sort.SearchStrings(terms, sought); have != want {
					t.Fatalf("%q among %d: have %d, want %d", sought, len(terms), have, want)
				}
			}
		}
	}
}
