package query

import "unicode/utf8"

// prefixFilter finds the pieces of a text between spaces that may contain a term,
// without tokenizing them: most of a passage does not match the query, and tokenizing
// is most of the cost of an excerpt. It compares the first three letters of each term,
// and skips punctuation within words, which terms do not have either.
type prefixFilter struct {
	class [256]uint8 // of each byte
	heads [1 << (3 * letterBits) / 64]uint64
}

// letterBits is how many bits of a letter or digit are used.
const letterBits = 5

const letterMask = 1<<letterBits - 1

// Classes of bytes other than letters and digits, which are 0 to letterMask.
const (
	joining = letterMask + 1 + iota // or separating, as other control characters
	spacing                         // no term contains it
	telling                         // may fold to a letter, or come before an omitted s
)

// set prepares a filter for some terms.
func (s *prefixFilter) set(terms map[string]float64) {
	for c := range s.class {
		switch b := byte(c); {
		case b == ' ' || b == '\t' || b == '\n' || b == '\r': // a flag may start after these, as at the start
			s.class[c] = spacing
		case b >= utf8.RuneSelf || b == '\'':
			s.class[c] = telling
		case 'a' <= b|0x20 && b|0x20 <= 'z' || '0' <= b && b <= '9':
			s.class[c] = b & letterMask
		default:
			s.class[c] = joining
		}
	}
	clear(s.heads[:])
	for term := range terms {
		s.add(term)
	}
}

func (s *prefixFilter) add(term string) {
	head, letters := 0, 0
	for i := 0; i < len(term) && letters < 3; i++ {
		class := s.class[term[i]]
		if class == telling && letters == 0 {
			return // only pieces that always pass have it
		}
		if class < joining {
			head = head<<letterBits | int(class)
			letters++
		}
	}
	for before := range 1 << (letterBits * (3 - letters)) { // whatever is before a short term
		at := before<<(letterBits*letters) | head
		s.heads[at/64] |= 1 << (at % 64)
	}
}

// next returns the first piece of a text that may contain a term, from a
// position on, or twice the length of the text.
func (s *prefixFilter) next(text string, at int) (from, to int) {
	for i := at; i < len(text); i++ {
		from := i
		last, found := uint(0), uint64(0)
		for ; i < len(text); i++ {
			class := s.class[text[i]]
			if class < joining {
				last = (last<<letterBits | uint(class)) % (1 << (3 * letterBits))
				found |= s.heads[last/64] >> (last % 64)
			} else if class == spacing {
				break
			} else if class == telling {
				found = 1
			}
		}
		if found&1 == 1 {
			return from, i
		}
	}
	return len(text), len(text)
}
