package query

import "github.com/octavo-docs/octavo/internal/search/segment"

// Limits of words that are cut into known ones.
const (
	minPiece  = 3 // bytes of a piece
	maxPieces = 4
)

// split cuts an unknown word into as few known ones as possible, at most
// maxPieces. Among equal numbers of pieces, it prefers the cut whose rarest
// piece is most frequent.
func (s *search) split(word string) []string {
	known := make(map[string]int) // the frequency of a piece
	frequency := func(piece string) int {
		n, asked := known[piece]
		if !asked {
			if ids, alive := s.resolve(piece); alive {
				n = s.count(ids)
			}
			known[piece] = n
		}
		return n
	}
	for pieces := 2; pieces <= maxPieces; pieces++ {
		if cut, _ := cutInto(word, pieces, frequency); cut != nil {
			return cut
		}
	}
	return nil
}

// cutInto cuts a word into a number of known pieces and returns the
// frequency of the rarest.
func cutInto(word string, pieces int, frequency func(string) int) (best []string, rarest int) {
	if pieces == 1 {
		if n := frequency(word); n > 0 {
			return []string{word}, n
		}
		return nil, 0
	}
	for at := minPiece; at <= len(word)-minPiece*(pieces-1); at++ {
		n := frequency(word[:at])
		if n <= rarest {
			continue
		}
		rest, m := cutInto(word[at:], pieces-1, frequency)
		if rest != nil && min(n, m) > rarest {
			best, rarest = append([]string{word[:at]}, rest...), min(n, m)
		}
	}
	return best, rarest
}

// minNamed is the minimum length of a word that may be two words of a title.
const minNamed = 8

// named cuts a known word into two that a title has next to each other: a
// query for cartservice means the page Cart service as well. It returns
// nothing if there is no such title.
func (s *search) named(word string) []string {
	if len(word) < minNamed {
		return nil
	}
	for at := minPiece; at <= len(word)-minPiece; at++ {
		if s.titled(word[:at], word[at:]) {
			return []string{word[:at], word[at:]}
		}
	}
	return nil
}

// titled reports whether the title of a document has one word directly after another.
func (s *search) titled(first, second string) bool {
	const title = 1 << segment.Title
	for i := range s.sources {
		src := &s.sources[i]
		a, known := src.Find(first)
		if !known {
			continue
		}
		b, known := src.Find(second)
		if !known {
			continue
		}
		x, y := src.Cursor(a), src.Cursor(b)
		lead, other := &x, &y
		if src.Frequency(b) < src.Frequency(a) {
			lead, other = other, lead
		}
		var before, behind []uint32
		for lead.Next() && s.tick(1) == nil {
			if lead.Fields()&title == 0 || src.Dead.Has(lead.Doc) || !other.Seek(lead.Doc) || other.Fields()&title == 0 {
				continue
			}
			before, behind = inTitle(before[:0], &x), inTitle(behind[:0], &y)
			if len(follow(before, behind, 1, false)) > 0 { // humps of a single word are that word
				return true
			}
		}
	}
	return false
}

// inTitle appends the positions of a term in the title of the document at a
// cursor, which are its first ones.
func inTitle(dst []uint32, c *segment.Cursor) []uint32 {
	var counts segment.Lengths
	c.Counts(&counts)
	return c.Places(dst, int(counts[segment.Title]))
}
