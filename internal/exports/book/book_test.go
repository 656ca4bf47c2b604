package book

import "testing"

func TestNextBatch(t *testing.T) {
	for _, c := range []struct{ batch, used, want int }{
		{firstBatch, 0, 2 * firstBatch},
		{firstBatch, shortTexts - 1, 2 * firstBatch},
		{firstBatch, shortTexts, firstBatch},
		{firstBatch, longTexts, firstBatch},
		{firstBatch, longTexts + 1, firstBatch / 2},
		{maxBatch, 0, maxBatch},
		{1, longTexts + 1, 1},
	} {
		if got := nextBatch(c.batch, c.used); got != c.want {
			t.Errorf("after %d texts of %d bytes there are %d, not %d", c.batch, c.used, got, c.want)
		}
	}
}
