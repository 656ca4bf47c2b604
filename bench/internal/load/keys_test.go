package load_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octavo-docs/octavo/bench/internal/load"
)

// shares counts how often each key is picked, as a share of all picks.
func shares(pick load.Picker, n, picks int) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	found := make([]float64, n)
	for range picks {
		found[pick(r)] += 1 / float64(picks)
	}
	return found
}

func TestZipf(t *testing.T) {
	const n, picks = 10_000, 2_000_000
	for _, s := range []float64{0.8, 1, 1.5} {
		harmonic := 0.0
		for k := range n {
			harmonic += math.Pow(float64(k+1), -s)
		}
		have := shares(load.Zipf(n, s), n, picks)
		for _, k := range []int{0, 1, 2, 9, 99} {
			want := math.Pow(float64(k+1), -s) / harmonic
			deviation := math.Sqrt(want / picks)
			if math.Abs(have[k]-want) > 5*deviation {
				t.Errorf("s = %g, key %d: have a share of %.5f, want %.5f", s, k, have[k], want)
			}
		}
	}
}

func TestZipfOfOneConcentratesAsTold(t *testing.T) {
	have := shares(load.Zipf(10_000, 1), 10_000, 1_000_000)
	first, hundred := have[0], 0.0
	for _, share := range have[:100] {
		hundred += share
	}
	if math.Abs(first-0.102) > 0.002 || math.Abs(hundred-0.530) > 0.003 {
		t.Errorf("have %.3f for the first key and %.3f for the first hundred, want 0.102 and 0.530", first, hundred)
	}
}

func TestPickersStayInRange(t *testing.T) {
	for _, n := range []int{1, 2, 1000} {
		for name, pick := range map[string]load.Picker{"zipf": load.Zipf(n, 1), "uniform": load.Uniform(n)} {
			r := rand.New(rand.NewPCG(3, 4))
			for range 10_000 {
				if k := pick(r); k < 0 || k >= n {
					t.Fatalf("%s of %d: have key %d", name, n, k)
				}
			}
		}
	}
}

func TestMixWeights(t *testing.T) {
	source := func(text string) load.Source { return func(dst []byte) []byte { return append(dst, text...) } }
	mixed := load.Mix(rand.New(rand.NewPCG(5, 6)), []int{90, 8, 2}, []load.Source{source("a"), source("b"), source("c")})
	found := map[string]int{}
	for range 100_000 {
		found[string(mixed(nil))]++
	}
	for text, want := range map[string]int{"a": 90_000, "b": 8_000, "c": 2_000} {
		if have := found[text]; math.Abs(float64(have-want)) > 600 {
			t.Errorf("%s: have %d of 100000, want about %d", text, have, want)
		}
	}
}
