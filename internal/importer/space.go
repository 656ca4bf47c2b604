package importer

import (
	"math"

	"github.com/octavo-docs/octavo/internal/importer/navigation"
)

// Spacing is how far apart the positions of pages are whose files say 1 and 2.
const Spacing = navigation.Spacing

// space makes positions of what files say. Pages below one parent keep the numbers as
// they are written where one is too large, and where all are there already with these:
// an earlier version imported them.
func (p *plan) space() {
	type group struct{ large, other bool }
	groups := map[*file]group{}
	for _, f := range p.files {
		if f.position == nil {
			continue
		}
		g := groups[f.parent]
		g.large = g.large || !fits(*f.position)
		g.other = g.other || f.known == nil || !samePosition(f.known.last.Position, unspaced(f.position))
		groups[f.parent] = g
	}
	for _, f := range p.files {
		if g := groups[f.parent]; f.position != nil && (g.large || !g.other) {
			f.position = unspaced(f.position)
		}
	}
}

// fits reports whether a position is one.
func fits(position int64) bool { return math.MinInt32 <= position && position <= math.MaxInt32 }

// unspaced is the number as it is written, without what is behind the point.
func unspaced(position *int64) *int64 {
	n := *position >> 10
	return &n
}
