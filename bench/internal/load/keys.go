package load

import (
	"math"
	"math/rand/v2"
	"sort"
)

// Picker chooses one of a number of keys. It can be shared by connections,
// each with chance of its own.
type Picker func(*rand.Rand) int

// Uniform picks each of n keys equally often.
func Uniform(n int) Picker {
	return func(r *rand.Rand) int { return r.IntN(n) }
}

// Zipf picks one of n keys, key k with a probability in proportion to
// 1/(k+1)^s. Unlike the generator of math/rand it takes s = 1, under which the
// first of 10,000 keys gets a tenth of all requests and the first hundred get
// half. The keys are to be in no order that the server knows.
func Zipf(n int, s float64) Picker {
	below := make([]float64, n) // the share of the keys up to and including each
	sum := 0.0
	for k := range below {
		sum += math.Pow(float64(k+1), -s)
		below[k] = sum
	}
	return func(r *rand.Rand) int {
		at := r.Float64() * sum
		return min(sort.Search(n, func(k int) bool { return below[k] > at }), n-1)
	}
}

// Mix makes a source that takes each request from one of several, chosen by
// weight.
func Mix(r *rand.Rand, weights []int, sources []Source) Source {
	total := 0
	for _, w := range weights {
		total += w
	}
	return func(dst []byte) []byte {
		at := r.IntN(total)
		for i, w := range weights {
			if at < w {
				return sources[i](dst)
			}
			at -= w
		}
		return dst // never: at is below the total
	}
}
