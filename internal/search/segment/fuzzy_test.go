package segment

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// distance is the Damerau-Levenshtein distance where no piece is edited twice,
// computed as the definition says.
func distance(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

func TestSimilarFindsAllAndOnlyNearTerms(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 9))
	word := func() string {
		var w strings.Builder
		for range 1 + r.IntN(7) {
			w.WriteRune([]rune("abcdé")[r.IntN(5)])
		}
		return w.String()
	}
	var words []string
	for range 300 {
		words = append(words, word())
	}
	s := new(Builder).Build([]Document{{ID: "a", Title: strings.Join(words, " ")}})
	for range 60 {
		text := word()
		for _, most := range []int{1, 2} {
			for _, prefix := range []bool{false, true} {
				have := map[string]int{}
				s.Similar(text, most, prefix, false, func(m Match) bool {
					have[string(s.Term(m.Term))] = m.Distance
					return true
				})
				want := map[string]int{}
				for term := range s.Terms() {
					letters := []rune(string(s.Term(term)))
					best := distance([]rune(text), letters)
					for n := 1; prefix && n < len(letters); n++ {
						best = min(best, distance([]rune(text), letters[:n]))
					}
					if best > 0 && best <= most {
						want[string(letters)] = best
					}
				}
				if fmt.Sprint(have) != fmt.Sprint(want) {
					t.Fatalf("terms like %q, distance %d, prefix %t:\nhave %v\nwant %v", text, most, prefix, have, want)
				}
			}
		}
	}
}
