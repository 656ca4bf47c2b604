package analysis

import (
	"strings"
	"unicode/utf8"
)

// emitCompound emits the parts of the current compound and its joined forms.
func (s *Scanner) emitCompound(start, end int) {
	first := s.pos
	symbol, flag := s.symbol(end), s.flag(start)
	if symbol != "" { // C++ is a different word than C
		p := &s.parts[0]
		s.buf = append(s.buf, symbol...)
		end += len(symbol)
		p.to, p.end = p.to+len(symbol), end
	}
	name := flag || s.name()
	for i := range s.parts {
		p := &s.parts[i]
		if p.from < p.to {
			s.emit(Token{Text: cut(s.buf[p.from:p.to]), Pos: first + p.piece, Span: 1, Start: p.start, End: p.end, Name: name})
		}
	}
	pieces := s.parts[len(s.parts)-1].piece + 1
	s.pos += pieces
	s.joinPieces(first)
	n := len(s.parts)
	if n > maxParts || n == 1 && !flag {
		return
	}
	var space [MaxTerm]byte
	joined := s.join(append(space[:0], '-'), 0, n)
	if len(joined) < 2 {
		return
	}
	t := Token{Kind: Joined, Pos: first, Span: pieces, Start: start, End: end}
	if n > 1 {
		t.Text = joined[1:]
		s.emit(t)
	}
	if flag {
		t.Kind, t.Text = Flag, joined
		s.emit(t)
	}
}

// joinPieces emits the joined forms of pieces of the compound: of a part
// between dots and colons, as get_item in cache.get_item, and of runs of
// letters with humps, as getItem in new-getItem.
func (s *Scanner) joinPieces(first int) {
	for from, to := 0, 0; from < len(s.parts); from = to {
		for to++; to < len(s.parts) && !s.opens(to); {
			to++
		}
		s.joinRun(first, from, to)
		if from > 0 && to < len(s.parts) && !isDigit(s.text[s.parts[from].start]) {
			s.joinRun(first, from, len(s.parts)) // config.get in app.config.get
		}
		for a, b := from, from; a < to; a = b {
			for b++; b < to && s.parts[b].piece == s.parts[a].piece; {
				b++
			}
			if b-a < to-from {
				s.joinRun(first, a, b)
			}
		}
	}
}

// opens reports whether a part follows a dot or a colon.
func (s *Scanner) opens(i int) bool {
	p := &s.parts[i]
	return p.piece > s.parts[i-1].piece && strings.IndexByte(".:", s.text[p.start-1]) >= 0
}

// joinRun emits the joined form of several parts, unless they are all parts.
func (s *Scanner) joinRun(first, from, to int) {
	if to-from < 2 || to-from > maxParts || to-from == len(s.parts) {
		return
	}
	var space [MaxTerm]byte
	if joined := s.join(space[:0], from, to); len(joined) > 0 {
		a, b := &s.parts[from], &s.parts[to-1]
		s.emit(Token{Text: joined, Kind: Joined, Pos: first + a.piece, Span: b.piece + 1 - a.piece, Start: a.start, End: b.end})
	}
}

// name reports whether the compound is a name in a program, and not words
// that a writer has joined by hyphens.
func (s *Scanner) name() bool {
	for i := 1; i < len(s.parts); i++ {
		p := &s.parts[i]
		if p.piece == s.parts[i-1].piece || strings.IndexByte("_.:", s.text[p.start-1]) >= 0 {
			return true
		}
	}
	return false
}

// join appends the parts without their separators. It keeps the dot between
// two numbers, so that 1.23 is not 12.3, and an ampersand, so that Q&A is
// not QA. It returns nil if the result is too long.
func (s *Scanner) join(dst []byte, from, to int) []byte {
	for i := from; i < to; i++ {
		p := s.parts[i]
		if len(dst)+p.to-p.from+1 > MaxTerm {
			return nil
		}
		if i > from && s.text[p.start-1] == '.' && isDigit(s.text[p.start]) && isDigit(s.text[p.start-2]) {
			dst = append(dst, '.')
		} else if i > from && s.text[p.start-1] == '&' {
			dst = append(dst, '&')
		}
		dst = append(dst, s.buf[p.from:p.to]...)
	}
	return dst
}

// symbol returns the signs that belong to the names of languages: C++, F#.
func (s *Scanner) symbol(end int) string {
	if len(s.parts) > 1 || s.parts[0].to-s.parts[0].from > 2 || end >= len(s.text) {
		return ""
	}
	symbol := ""
	switch rest := s.text[end:]; {
	case rest[0] == '#':
		symbol = "#"
	case len(rest) > 1 && rest[:2] == "++":
		symbol = "++"
	default:
		return ""
	}
	if class, _ := classAt(s.text, end+len(symbol)); class.inWord() && (class != digit || symbol == "#") { // C++17
		return ""
	}
	return symbol
}

// flag reports whether the word at start is written as a command option: -v,
// --no-cache.
func (s *Scanner) flag(start int) bool {
	i := start
	for i > 0 && start-i < 2 && s.text[i-1] == '-' {
		i--
	}
	if i == start || isDigit(s.text[start]) {
		return false
	}
	if i == 0 {
		return true
	}
	switch s.text[i-1] {
	case ' ', '\t', '\n', '\r', '(', '[', '{', '<', '"', '\'', '`', ',', '=', '|', '/':
		return true
	}
	return false
}

// run processes a run of characters of scripts without spaces and returns
// its end. Marks belong to the character before them.
func (s *Scanner) run(i int) int {
	s.buf, s.parts = s.buf[:0], s.parts[:0]
	for i < len(s.text) {
		class, width := classAt(s.text, i)
		if class != dense && (class != mark || len(s.parts) == 0) {
			break
		}
		if class == dense {
			if len(s.parts) == 2 {
				s.gram()
			}
			s.open(i, 0)
		}
		if p := s.parts[len(s.parts)-1]; len(s.buf)-p.from < MaxTerm/2-8 {
			s.buf = appendDense(s.buf, s.text[i:i+width])
		}
		i += width
		s.shut(i)
	}
	kind := Single
	if len(s.parts) == 2 {
		s.gram()
		kind = Tail
	}
	p := s.parts[0]
	s.emit(Token{Text: s.buf[p.from:p.to], Kind: kind, Pos: s.pos, Span: 1, Start: p.start, End: p.end})
	s.pos++
	return i
}

// gram emits the two current characters and drops the first.
func (s *Scanner) gram() {
	a, b := s.parts[0], s.parts[1]
	s.emit(Token{Text: s.buf[a.from:b.to], Kind: Gram, Pos: s.pos, Span: 2, Start: a.start, End: b.end})
	s.pos++
	n := copy(s.buf, s.buf[b.from:b.to])
	s.buf = s.buf[:n]
	b.from, b.to = 0, n
	s.parts = append(s.parts[:0], b)
}

// cut shortens a term to the part that is kept.
func cut(term []byte) []byte {
	if len(term) <= MaxTerm {
		return term
	}
	n := MaxTerm
	for n > 0 && !utf8.RuneStart(term[n]) {
		n--
	}
	return term[:n]
}
