package analysis

import "unicode/utf8"

// emitCompound emits the parts of the present compound and its joined forms.
func (s *Scanner) emitCompound(start, end int) {
	first := s.pos
	for i := range s.parts {
		p := &s.parts[i]
		if p.from < p.to {
			s.emit(Token{Text: cut(s.buf[p.from:p.to]), Pos: first + p.piece, Span: 1, Start: p.start, End: p.end})
		}
	}
	pieces := s.parts[len(s.parts)-1].piece + 1
	s.pos += pieces
	s.joinPieces(first)
	n := len(s.parts)
	if n > maxParts {
		return
	}
	symbol := s.symbol(end)
	flag := s.flag(start)
	if n == 1 && symbol == "" && !flag {
		return
	}
	var space [MaxTerm]byte
	joined := s.join(append(space[:0], '-'), 0, n)
	if len(joined) < 2 || len(joined)+len(symbol) > MaxTerm {
		return
	}
	joined = append(joined, symbol...)
	t := Token{Kind: Joined, Pos: first, Span: pieces, Start: start, End: end + len(symbol)}
	if n > 1 || symbol != "" {
		t.Text = joined[1:]
		s.emit(t)
	}
	if flag {
		t.Kind, t.Text = Flag, joined
		s.emit(t)
	}
}

// joinPieces emits the joined form of each run of letters with humps that is
// but one piece of the compound: getItem in cache.getItem.
func (s *Scanner) joinPieces(first int) {
	if s.parts[0].piece == s.parts[len(s.parts)-1].piece {
		return
	}
	for from := 0; from < len(s.parts); {
		to := from + 1
		for to < len(s.parts) && s.parts[to].piece == s.parts[from].piece {
			to++
		}
		if to-from > 1 {
			var space [MaxTerm]byte
			if joined := s.join(space[:0], from, to); len(joined) > 0 {
				s.emit(Token{
					Text: joined, Kind: Joined, Pos: first + s.parts[from].piece, Span: 1,
					Start: s.parts[from].start, End: s.parts[to-1].end,
				})
			}
		}
		from = to
	}
}

// join appends the parts without what separates them, but for the point
// between two numbers, so that 1.23 is not 12.3. It returns nil if that is too
// long.
func (s *Scanner) join(dst []byte, from, to int) []byte {
	for i := from; i < to; i++ {
		p := s.parts[i]
		if len(dst)+p.to-p.from+1 > MaxTerm {
			return nil
		}
		if i > from && s.text[p.start-1] == '.' && isDigit(s.text[p.start]) && isDigit(s.text[p.start-2]) {
			dst = append(dst, '.')
		}
		dst = append(dst, s.buf[p.from:p.to]...)
	}
	return dst
}

// symbol returns the marks that belong to the names of languages: C++, F#.
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
	if class, _ := classAt(s.text, end+len(symbol)); class.inWord() {
		return ""
	}
	return symbol
}

// flag reports whether the word at start is written as an option of a command:
// -v, --no-cache.
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

// run takes a run of characters of scripts without spaces and returns where it
// ends. Marks belong to the character before them.
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

// gram emits the two characters at hand and drops the first.
func (s *Scanner) gram() {
	a, b := s.parts[0], s.parts[1]
	s.emit(Token{Text: s.buf[a.from:b.to], Kind: Gram, Pos: s.pos, Span: 2, Start: a.start, End: b.end})
	s.pos++
	n := copy(s.buf, s.buf[b.from:b.to])
	s.buf = s.buf[:n]
	b.from, b.to = 0, n
	s.parts = append(s.parts[:0], b)
}

// cut shortens a term to what is kept of it.
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
