// Package analysis turns text into the terms by which it is found: words in
// their folded form, the parts of compounds such as noCache and no-cache and
// the compound as a whole, and pairs of characters for scripts that write no
// spaces. The same scanner reads pages and queries, so that both agree.
//
// It uses no dictionaries and knows nothing of fields, weights or documents.
package analysis

import (
	"unicode/utf8"
)

// Version names the rules by which a page becomes text, and text terms. An index
// made under other rules cannot be used.
const Version = 4

// Kind tells what a token is.
type Kind uint8

// The kinds. Words, grams and single characters occupy places of the text; the
// others come beside them.
const (
	Word   Kind = iota // a word, or a part of a compound
	Joined             // all parts of a compound without what joins them
	Flag               // the same with a hyphen in front, as --no-cache is written
	Gram               // two neighbouring characters of a script without spaces
	Single             // a character of such a script that stands alone
	Tail               // the last character of a run of them
)

// Token is a term at its place.
type Token struct {
	Text       []byte // folded; valid until emit returns
	Kind       Kind
	Pos        int  // the place, counted in words and characters; humps of a word share one
	Span       int  // how many places it covers
	Start, End int  // bytes of the source
	Name       bool // a part of a name as programs write it: get_item, getItem, --item
}

// Limits of what becomes a term. Longer words are cut, longer compounds have
// parts only.
const (
	MaxTerm  = 80 // bytes of a term
	maxParts = 10 // parts of a compound that are joined
	maxHumps = 8  // parts of one run of letters; more are the look of random text
)

// Scanner finds tokens. Its zero value is ready; one scanner serves one
// goroutine at a time.
type Scanner struct {
	text  string
	pos   int
	emit  func(Token)
	buf   []byte // the folded parts of the present compound, one after the other
	parts []part
}

// part is a piece of a compound.
type part struct {
	from, to   int // in buf
	start, end int // in the text
	piece      int // counts the runs of letters between separators
}

// Scan calls emit for each token of text, which must be valid UTF-8 in normal
// form C. Places are counted from pos on; the next free one is returned.
func (s *Scanner) Scan(text string, pos int, emit func(Token)) int {
	s.text, s.pos, s.emit = text, pos, emit
	for i := 0; i < len(text); {
		c, width := classAt(text, i)
		switch c {
		case other, mark:
			i += width
		case dense:
			i = s.run(i)
		default:
			if end := s.plain(i); end > i {
				i = end
			} else {
				i = s.compound(i)
			}
		}
	}
	s.text, s.emit = "", nil
	return s.pos
}

// plain takes the word that starts at i where it is as most are: letters of
// English in lower case but perhaps the first, joined to nothing. It returns
// where the word ends, and i where compound has to see to it.
func (s *Scanner) plain(i int) int {
	if i > 0 && s.text[i-1] == '-' {
		return i // perhaps a flag
	}
	end := i + 1
	for end < len(s.text) && 'a' <= s.text[end] && s.text[end] <= 'z' {
		end++
	}
	first := s.text[i] | 0x20
	if first < 'a' || first > 'z' || end-i > MaxTerm-utf8.UTFMax || end < len(s.text) && !ends(s.text[end:]) {
		return i
	}
	s.buf = append(append(s.buf[:0], first), s.text[i+1:end]...)
	s.emit(Token{Text: s.buf, Pos: s.pos, Span: 1, Start: i, End: end})
	s.pos++
	return end
}

// ends reports whether a word surely ends before rest.
func ends(rest string) bool {
	switch rest[0] {
	case ' ', '\n', ',', ';', '!', '?', '(', ')', '"', '/', '|', '`', '*':
		return true
	case '.', ':':
		return len(rest) == 1 || rest[1] == ' ' || rest[1] == '\n'
	}
	return false
}

// compound takes the word that starts at i, with all that is joined to it, and
// returns where it ends.
func (s *Scanner) compound(start int) int {
	s.buf, s.parts = s.buf[:0], s.parts[:0]
	i, piece := start, 0
	for {
		i = s.word(i, piece)
		next, possessive := s.connector(i)
		if possessive {
			i = next
			next, _ = s.connector(i)
		}
		if next == i || len(s.parts) >= 4*maxParts {
			break
		}
		i = next
		piece++
	}
	s.emitCompound(start, i)
	return i
}

// connector returns where the next piece starts, if one is joined to the text
// that ends at i, and i otherwise. Of a possessive s it returns the end.
func (s *Scanner) connector(i int) (next int, possessive bool) {
	if i >= len(s.text) {
		return i, false
	}
	c, width := rune(s.text[i]), 1
	if c >= utf8.RuneSelf {
		c, width = utf8.DecodeRuneInString(s.text[i:])
	}
	next = i + width
	switch c {
	case '-', '.':
	case '\'', '’', '‘', 'ʼ', '＇':
		c = '\''
	case '&':
		if !s.short(next) {
			return i, false
		}
	case '_', ':':
		if next < len(s.text) && s.text[next] == byte(c) {
			next++ // std::vector, __name__
		}
	default:
		return i, false
	}
	if next >= len(s.text) {
		return i, false
	}
	if class, _ := classAt(s.text, next); !class.inWord() {
		return i, false
	}
	if c == '\'' && (s.text[next] == 's' || s.text[next] == 'S') {
		if next+1 == len(s.text) {
			return next + 1, true
		}
		if class, _ := classAt(s.text, next+1); !class.inWord() && class != mark {
			return next + 1, true
		}
	}
	return next, false
}

// maxShort is how many letters stand at most beside the ampersand of a name.
const maxShort = 3

// short reports whether the ampersand before next is one of a name such as Q&A
// or AT&T, and not what divides the parameters of an address.
func (s *Scanner) short(next int) bool {
	before := s.parts[len(s.parts)-1]
	if before.piece > 0 || before.end-before.start > maxShort {
		return false
	}
	end := next
	for end < len(s.text) && 'a' <= s.text[end]|0x20 && s.text[end]|0x20 <= 'z' {
		end++
	}
	class, _ := classAt(s.text, end)
	return end > next && end-next <= maxShort && !class.inWord() && (end == len(s.text) || s.text[end] != '=')
}

// word takes a run of letters and digits and divides it at its humps.
func (s *Scanner) word(i, piece int) int {
	first := len(s.parts)
	s.open(i, piece)
	before, c := other, other
	letters := 0 // of the part; a word such as eBPF or OAuth has no part of one
	for i < len(s.text) {
		class, width := classAt(s.text, i)
		if !class.inWord() && class != mark {
			break
		}
		if class != mark {
			before, c = c, class
			if len(s.parts)-first <= maxHumps && s.hump(before, c, i+width) && letters > 1 {
				s.shut(i)
				s.open(i, piece)
				letters = 0
			}
			letters++
		}
		s.fold(i, width)
		i += width
	}
	s.shut(i)
	if len(s.parts)-first > maxHumps {
		s.parts[first].to, s.parts[first].end = s.parts[len(s.parts)-1].to, i
		s.parts = s.parts[:first+1]
	}
	return i
}

func (s *Scanner) open(start, piece int) {
	s.parts = append(s.parts, part{from: len(s.buf), start: start, piece: piece})
}

func (s *Scanner) shut(end int) {
	p := &s.parts[len(s.parts)-1]
	p.to, p.end = len(s.buf), end
}

// hump reports whether a part starts with a letter of class c after one of
// class before. Next is where the text after the letter starts.
func (s *Scanner) hump(before, c class, next int) bool {
	if c != upper {
		return false
	}
	switch before {
	case lower, letter:
		return true
	case upper, digit: // HTTPServer, but not SDKs
		follows, width := classAt(s.text, next)
		if follows != lower {
			return false
		}
		if s.text[next] != 's' {
			return true
		}
		after, _ := classAt(s.text, next+width)
		return after == lower
	}
	return false
}

// fold adds a character to the present part, unless it is long enough.
func (s *Scanner) fold(i, width int) {
	if len(s.buf)-s.parts[len(s.parts)-1].from >= MaxTerm-utf8.UTFMax {
		return
	}
	if c := s.text[i]; c < utf8.RuneSelf {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		s.buf = append(s.buf, c)
		return
	}
	r, _ := utf8.DecodeRuneInString(s.text[i : i+width])
	s.buf = appendFolded(s.buf, r)
}
