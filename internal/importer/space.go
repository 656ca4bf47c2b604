package importer

import (
	"math"

	"github.com/octavo-docs/octavo/internal/importer/navigation"
)

// Spacing is the distance between positions that files number consecutively.
const Spacing = navigation.Spacing

// space scales positions. Siblings keep unscaled numbers if one is too large, or if all
// have them from an import by an earlier version.
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

// fits reports whether a position is in range.
func fits(position int64) bool { return math.MinInt32 <= position && position <= math.MaxInt32 }

// unspaced returns the integer part of the position as written.
func unspaced(position *int64) *int64 {
	n := *position >> 10
	return &n
}
