package segment

import (
	"slices"
	"unicode/utf8"
)

// Match is a term that is similar to a word.
type Match struct {
	Term     int
	Distance int  // 1 or 2
	Prefix   bool // the term continues after the similar part
}

// Similar finds the terms that differ from a word by at most distance edits:
// a letter added, missing, replaced, or two swapped. With prefix, terms that
// start like that match too. With first, the first letter must be the same.
// found receives each match and says whether to continue.
func (s *Segment) Similar(word string, distance int, prefix, first bool, found func(Match) bool) {
	m := matcher{word: []rune(word), distance: distance, prefix: prefix, vocabulary: &s.terms, found: found}
	m.rows = append(m.rows, make([]uint8, len(m.word)+1))
	for i := range m.rows[0] {
		m.rows[0][i] = uint8(min(i, distance+1))
	}
	from, to := 0, len(s.df)
	if first {
		from, to = s.Prefixed(string(m.word[:1]))
	}
	m.walk(from, to)
}

// matcher goes through sorted terms and keeps the rows of the distance
// matrix for the letters that a term shares with the one before.
type matcher struct {
	word       []rune
	distance   int
	prefix     bool
	vocabulary *vocabulary
	found      func(Match) bool

	letters []rune
	ends    []int // bytes of the term up to the end of each letter
	rows    [][]uint8
}

// walk looks only at terms with suitable letters: an edit adds and removes at most one
// letter. For a term with a continuation, letters that the word lacks say nothing.
func (m *matcher) walk(from, to int) {
	var last []byte
	letters := lettersOf([]byte(string(m.word)))
	for i := from; i < to; i++ {
		set := m.vocabulary.sets[i]
		if letters.without(set) > m.distance || !m.prefix && set.without(letters) > m.distance {
			continue
		}
		term := m.vocabulary.at(i)
		depth := m.shared(last, term)
		m.letters, m.ends = m.letters[:depth], m.ends[:depth]
		last = term
		dead, near := m.descend(term)
		if near <= m.distance && near > 0 {
			whole := !dead && int(m.rows[len(m.letters)][len(m.word)]) == near
			if !m.found(Match{Term: i, Distance: near, Prefix: !whole}) {
				return
			}
		}
	}
}

// shared returns how many letters two terms share at their start, among
// those with rows.
func (m *matcher) shared(last, term []byte) int {
	n := 0
	for n < len(last) && n < len(term) && last[n] == term[n] {
		n++
	}
	depth := 0
	for depth < len(m.ends) && m.ends[depth] <= n {
		depth++
	}
	return depth
}

// descend computes the rows of the rest of a term. dead says that no term
// with these first letters can be near; near is the smallest distance.
func (m *matcher) descend(term []byte) (dead bool, near int) {
	near = m.distance + 1
	n := len(m.word)
	if m.prefix {
		for d := 1; d <= len(m.letters); d++ {
			near = min(near, int(m.rows[d][n]))
		}
	}
	at := 0
	if len(m.ends) > 0 {
		at = m.ends[len(m.ends)-1]
	}
	for at < len(term) {
		r, width := utf8.DecodeRune(term[at:])
		at += width
		m.letters, m.ends = append(m.letters, r), append(m.ends, at)
		best := m.row(len(m.letters))
		if m.prefix {
			near = min(near, int(m.rows[len(m.letters)][n]))
		}
		if best > m.distance {
			return true, near
		}
	}
	if !m.prefix {
		near = int(m.rows[len(m.letters)][n])
	}
	return false, near
}

// row computes the distances of the first d letters of the term from all
// beginnings of the word, and returns the smallest. Beginnings whose length
// differs by more than the distance are never near.
func (m *matcher) row(d int) int {
	most := uint8(m.distance + 1)
	if len(m.rows) <= d {
		row := slices.Repeat([]uint8{most}, len(m.word)+1)
		row[0] = uint8(min(d, m.distance+1))
		m.rows = append(m.rows, row)
	}
	above, row := m.rows[d-1], m.rows[d]
	best := row[0]
	letter := m.letters[d-1]
	for j := max(1, d-m.distance); j <= min(len(m.word), d+m.distance); j++ {
		v := above[j-1]
		if m.word[j-1] != letter {
			v = min(v, above[j], row[j-1]) + 1
		}
		if d > 1 && j > 1 && m.word[j-1] == m.letters[d-2] && m.word[j-2] == letter {
			v = min(v, m.rows[d-2][j-2]+1)
		}
		v = min(v, most)
		row[j] = v
		best = min(best, v)
	}
	return int(best)
}
