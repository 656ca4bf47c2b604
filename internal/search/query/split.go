package query

// Limits of words cut into known ones.
const (
	minPiece  = 3 // bytes of a piece
	maxPieces = 4
)

// split cuts an unknown word into as few known ones as possible, at most
// maxPieces. Among cuts of as many pieces the one counts whose rarest piece is
// the most frequent.
func (s *search) split(word string) []string {
	known := make(map[string]int) // how often a piece was found
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

// cutInto cuts a word into a number of known pieces and returns how frequent
// the rarest of them is.
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
