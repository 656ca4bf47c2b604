package segment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// TestFindTerms: a search that starts from the beginnings of some
// terms ends where one over all of them does, though many begin alike.
func TestFindTerms(t *testing.T) {
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
			v.add(term, 1)
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

// TestFindForms: a search for a stem that starts from the beginnings
// of some stems finds all words that have it, and no others.
func TestFindForms(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 15, 16, 17, 33, 400, 3000} {
		var terms []string
		for len(terms) < n {
			word := strings.Repeat("configur", r.IntN(2)) + strings.Repeat("xyzw"[:1+r.IntN(3)], 1+r.IntN(5)) + string(rune('a'+r.IntN(26)))
			terms = append(terms, word+[]string{"", "s", "ing", "ed", "ation", "ations", "es", "7"}[r.IntN(8)])
		}
		slices.Sort(terms)
		terms = slices.Compact(terms)
		var v vocabulary
		want := map[string][]string{}
		for _, term := range terms {
			v.add(term, 1)
			if analysis.Stemmable(term) {
				want[analysis.Stem(term)] = append(want[analysis.Stem(term)], term)
			}
		}
		v.finish()
		v.derive()
		for _, none := range []string{"", "a", "configur", "configurzz", "~"} {
			want[none] = append([]string{}, want[none]...)
		}
		for stem, forms := range want {
			have := []string{}
			for n := range v.stems {
				for _, id := range v.sameStem(&v.stems[n], stem) {
					have = append(have, string(v.at(int(id))))
				}
			}
			if !slices.Equal(have, forms) {
				t.Fatalf("%q among %d: have %q, want %q", stem, len(terms), have, forms)
			}
		}
	}
}
