package query

import "math"

// countWords notes whether there are several words that can be near each other,
// and whether there is one that is no stop word, or several: the nearness of
// stop words then says nothing.
func (s *search) countWords() {
	words, content, stops := 0, 0, 0
	for i := range s.units {
		if u := &s.units[i]; s.counted(u) {
			words++
			if u.stop {
				stops++
			} else {
				content++
			}
		}
	}
	s.words = content
	s.pairs, s.contentOnly, s.content = words > 1, content > 1, content > 0
	s.sentence = content > 1 && stops > 0
}

// counted reports whether a unit is one of the words whose nearness counts.
func (s *search) counted(u *unit) bool {
	return u.kind != compoundUnit && u.kind != neighbourUnit && u.kind != flagUnit && u.kind != begunUnit && u.kind != otherUnit && !u.missing
}

// proximity tells how near neighbouring words of the query stand in the
// document, 0 to 1: near rates a pair of units, and pairs are weighed by idf.
func (s *search) proximity(near func(a, b int) float64) float64 {
	sum, total := 0.0, 0.0
	before := -1
	for i := range s.units {
		u := &s.units[i]
		if !s.counted(u) || u.stop && s.contentOnly {
			continue
		}
		if before >= 0 {
			weight := s.units[before].idf*min(s.units[before].weight, 1) + u.idf*min(u.weight, 1)
			total += weight
			sum += weight * near(before, i)
		}
		before = i
	}
	if total == 0 {
		return 0
	}
	return sum / total
}

// verbatim tells how far the document says what the query says, in its order
// and in a row, and of a query of one word whether it says that and not only
// what begins with it; has tells whether a unit stands there at all. Of scripts
// without spaces a row of characters may be one word and says nothing.
func (s *search) verbatim(proximity float64, has func(unit int) bool) float64 {
	itself := 0.0
	for i := range s.units {
		u := &s.units[i]
		if u.kind == gramUnit {
			return 0
		}
		if u.kind == begunUnit && has(u.from) {
			itself = s.params.Itself
		}
	}
	if s.contentOnly || s.pairs && !s.content {
		return inARow(proximity)
	}
	return itself
}

// inARow tells how far words stand in a row that are so near each other.
func inARow(proximity float64) float64 { return math.Pow(proximity, 3.4) }

// mostVerbatim returns what verbatim returns at most.
func (s *search) mostVerbatim() float64 {
	if s.contentOnly {
		return 1
	}
	return max(1, s.params.Itself)
}

// nearness rates the least distance between the places of two words, of which
// the second stands apart places after the first in the query.
func nearness(a, b []uint32, apart int) float64 {
	best := 1 << 30
	for i, j := 0, 0; i < len(a) && j < len(b); {
		d := int(b[j]) - int(a[i])
		off := d - apart
		if off < 0 {
			off = -off
		}
		if d < 0 {
			d = -d
		}
		if off == 0 || d == 0 { // parts of one word are next to each other
			return 1
		}
		best = min(best, max(d, 2))
		if int(b[j]) < int(a[i])+apart {
			j++
		} else {
			i++
		}
	}
	switch {
	case best <= 3:
		return .7
	case best <= 8:
		return .4
	case best <= 60:
		return .15
	}
	return 0
}
