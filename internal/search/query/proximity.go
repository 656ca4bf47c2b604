package query

import "math"

// countWords records whether several words can be near each other, and whether one or
// several of them are not stop words: the nearness of stop words says nothing.
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
	s.sentence, s.long = content > 1 && stops > 0, 0
	if s.sentence {
		s.long = min(max(float64(content-shortSentence)/shortSentence, 0), 1)
	}
}

// shortSentence is how many words a sentence has of which a title may say all. With
// twice as many it is long.
const shortSentence = 3

// counted reports whether a unit is a word whose nearness counts.
func (s *search) counted(u *unit) bool {
	return u.kind != compoundUnit && u.kind != neighbourUnit && u.kind != flagUnit && u.kind != begunUnit && u.kind != otherUnit && !u.missing
}

// proximity returns how near neighbouring words of the query are in the document, 0 to
// 1. near rates a pair of units, and pairs are weighed by idf.
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

// verbatim returns how far the document contains the query in order and in a
// row. For a single word, it says whether the document has that word and not
// only a completion. has says whether a unit occurs at all. In scripts
// without spaces, a row of characters may be one word and does not count.
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

// inARow returns how far words with that proximity are in a row.
func inARow(proximity float64) float64 { return math.Pow(proximity, 3.4) }

// mostVerbatim returns the maximum of verbatim.
func (s *search) mostVerbatim() float64 {
	if s.contentOnly {
		return 1
	}
	return max(1, s.params.Itself)
}

// nearness rates the smallest distance between the positions of two words.
// In the query, the second is apart positions after the first.
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
		if off == 0 || d == 0 { // parts of one word are adjacent
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
