// Package analysis turns text into terms for searching: folded words, the
// parts of compounds such as noCache and no-cache and the joined compound,
// and pairs of characters for scripts without spaces. The same scanner reads
// pages and queries, so that both agree.
//
// Apart from a list of synonyms it uses no dictionaries, and knows nothing
// of fields, weights or documents. Start with [Scanner].
package analysis

import "unicode/utf8"

// Version identifies the rules that turn a page into text, and text into
// terms. An index made with other rules cannot be used.
const Version = 4

// Kind is the kind of a token.
type Kind uint8

// The kinds. Words, grams and single characters occupy positions of the
// text; the others are in addition to them.
const (
	Word   Kind = iota // a word, or a part of a compound
	Joined             // all parts of a compound without their separators
	Flag               // the same with a leading hyphen, as in --no-cache
	Gram               // two neighbouring characters of a script without spaces
	Single             // a single character of such a script
	Tail               // the last character of a run of them
)

// Token is a term at its position.
type Token struct {
	Text       []byte // folded; valid until emit returns
	Kind       Kind
	Pos        int  // the position, counted in words and characters; humps of a word share one
	Span       int  // number of positions that it covers
	Start, End int  // bytes of the source
	Name       bool // a part of a name in a program: get_item, getItem, --item
}

// Limits of terms. Longer words are cut, and longer compounds have only parts.
const (
	MaxTerm  = 80 // bytes of a term
	maxParts = 10 // parts of a compound that are joined
	maxHumps = 8  // parts of one run of letters; more suggests random text
)

// Scanner finds tokens. Its zero value is ready to use. It is for one
// goroutine at a time.
type Scanner struct {
	text  string
	pos   int
	emit  func(Token)
	buf   []byte // the folded parts of the current compound, one after the other
	parts []part
}

// part is a piece of a compound.
type part struct {
	from, to   int // in buf
	start, end int // in the text
	piece      int // counts the runs of letters between separators
}

// Scan calls emit for each token of text, which must be valid UTF-8 in normal form C.
// Positions are counted from pos on; Scan returns the next free one.
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

// plain processes the word at i if it is a typical one: English letters in
// lower case, except perhaps the first, joined to nothing. It returns the
// end of the word, or i if compound has to process it.
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

// ends reports whether a word certainly ends before rest.
func ends(rest string) bool {
	switch rest[0] {
	case ' ', '\n', ',', ';', '!', '?', '(', ')', '"', '/', '|', '`', '*':
		return true
	case '.', ':':
		return len(rest) == 1 || rest[1] == ' ' || rest[1] == '\n'
	}
	return false
}

// compound processes the word at start, with everything joined to it, and
// returns its end.
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

// connector returns the start of the next piece, if one is joined to the
// text that ends at i, or else i. For a possessive s it returns its end.
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

// maxShort is the maximum number of letters beside the ampersand of a name.
const maxShort = 3

// short reports whether the ampersand before next belongs to a name such as
// Q&A or AT&T, and does not separate the parameters of an address.
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

// word processes a run of letters and digits and splits it at its humps.
func (s *Scanner) word(i, piece int) int {
	first := len(s.parts)
	s.open(i, piece)
	before, c := other, other
	letters := 0 // of the part; words such as eBPF and OAuth have no part of one letter
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
// class before. next is the position after the letter.
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

// fold adds a character to the current part, unless it is long enough.
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
