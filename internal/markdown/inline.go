package markdown

import "bytes"

// tokenKind tells what a token is.
type tokenKind uint8

const (
	textToken   tokenKind = iota
	entityToken           // &name;
	breakToken            // a line end
	codeToken             // the text between the backquotes
	htmlToken             // a tag
	commentToken
	autolinkToken
	footnoteToken
	linkToken // opens a link; link is the index of its destination
	linkEndToken
	imageToken
	imageEndToken
	emphasisToken
	emphasisEndToken
	strongToken
	strongEndToken
	deletedToken
	deletedEndToken
	spentToken // a mark that became part of its neighbour
)

// token is a piece of the text of a block. Opening and closing tokens pair up.
type token struct {
	kind       tokenKind
	mail       bool  // autolinkToken: an address without mailto:
	www        bool  // autolinkToken: an address without http://
	start, end int32 // in the text
	link       int32 // index in inlines.destinations
}

// inlines turns the text of blocks into tokens. One serves many blocks; what
// it returns lasts until the next.
type inlines struct {
	doc  *document
	scan budget

	text         []byte
	pos          int
	plain        int // where the pending text starts
	tokens       []token
	destinations [][]byte // as written
	brackets     []bracket
	linked       int // how many brackets stand around a link, and are inactive unless images
	runs         []run

	// What is known not to follow, so that it is sought once.
	noComment, noInstruction, noDeclaration, noCDATA bool
	noBackquotes                                     [maxBackquotes + 1]bool
	searched                                         bool // noBackquotes is not all false
}

// maxBackquotes bounds the runs of backquotes that delimit code.
const maxBackquotes = 80

// bracket is a [ or ![ that may turn out to open a link or image.
type bracket struct {
	token    int32
	pos      int32 // after the bracket
	runs     int32 // length of inlines.runs before it
	image    bool
	inactive bool // a link may not contain links
	nested   bool // brackets follow, so that its text is no label
}

// parse returns the tokens of a text. Positions in it fit 32 bits, since no
// content is that long.
func (p *inlines) parse(text []byte) []token {
	p.text, p.pos, p.plain, p.linked = text, 0, 0, 0
	p.tokens, p.destinations, p.brackets, p.runs = p.tokens[:0], p.destinations[:0], p.brackets[:0], p.runs[:0]
	p.noComment, p.noInstruction, p.noDeclaration, p.noCDATA = false, false, false, false
	if p.searched {
		p.noBackquotes, p.searched = [maxBackquotes + 1]bool{}, false
	}
	for p.pos < len(text) {
		c := text[p.pos]
		if !special[c] || !p.markup(c) {
			p.pos++
		}
	}
	p.flush()
	p.pairRuns(0)
	return p.tokens
}

// special marks the bytes at which something else than text may start.
var special = [256]bool{
	'\\': true, '&': true, '`': true, '<': true, '!': true, '[': true, ']': true, '*': true,
	'_': true, '~': true, '\n': true, ':': true, '.': true, '@': true, '{': true,
}

// markup consumes what starts at the current place and reports whether it is
// anything but text.
func (p *inlines) markup(c byte) bool {
	rest := p.text[p.pos:]
	switch c {
	case '\\':
		return p.escape(rest)
	case '&':
		if n := entity(rest); n > 0 {
			p.emit(entityToken, n)
			return true
		}
	case '`':
		return p.code(rest)
	case '<':
		return p.angle(rest)
	case '!':
		if len(rest) > 1 && rest[1] == '[' {
			p.open(2)
			return true
		}
	case '[':
		p.open(1)
		return true
	case ']':
		p.close()
		return true
	case '*', '_', '~':
		return p.run(rest)
	case '\n':
		p.lineBreak()
		return true
	case ':', '.', '@':
		return p.bare(c)
	case '{':
		if p.doc.mdx {
			if n := scanExpression(rest, &p.scan); n > 0 {
				p.emit(commentToken, n)
				return true
			}
		}
	}
	return false
}

// flush makes a token of the pending text.
func (p *inlines) flush() {
	if p.plain < p.pos {
		p.tokens = append(p.tokens, token{start: int32(p.plain), end: int32(p.pos)})
	}
	p.plain = p.pos
}

// emit makes a token of the next n bytes.
func (p *inlines) emit(kind tokenKind, n int) *token {
	p.flush()
	p.tokens = append(p.tokens, token{kind: kind, start: int32(p.pos), end: int32(p.pos + n)})
	p.pos += n
	p.plain = p.pos
	return &p.tokens[len(p.tokens)-1]
}

func (p *inlines) escape(rest []byte) bool {
	if len(rest) < 2 || !isPunct(rest[1]) {
		return false // the backslash that ends a line is a hard break
	}
	p.flush()
	p.plain = p.pos + 1
	p.pos += 2
	return true
}

// lineBreak takes the line end, the blanks before it and those after it.
func (p *inlines) lineBreak() {
	end := p.pos
	for p.pos > p.plain && isBlankByte(p.text[p.pos-1]) {
		p.pos--
	}
	if p.pos == end && p.pos > p.plain && p.text[p.pos-1] == '\\' {
		p.pos--
	}
	p.emit(breakToken, end-p.pos+1+spacesOnLine(p.text[end+1:]))
}

// code takes a code span.
func (p *inlines) code(rest []byte) bool {
	n := runLength(rest, '`')
	if n <= maxBackquotes && !p.noBackquotes[n] {
		for i := n; i < len(rest); {
			next := bytes.IndexByte(rest[i:], '`')
			if next < 0 {
				break
			}
			i += next
			length := runLength(rest[i:], '`')
			if length == n {
				t := p.emit(codeToken, i+n)
				t.start, t.end = t.start+int32(n), t.end-int32(n)
				return true
			}
			i += length
		}
		p.noBackquotes[n], p.searched = true, true
	}
	p.pos += n // all of them are text
	return true
}

// angle takes a tag, a comment or an address in angle brackets.
func (p *inlines) angle(rest []byte) bool {
	if n := p.comment(rest); n > 0 {
		p.emit(commentToken, n)
		return true
	}
	if n, mail := autolink(rest); n > 0 {
		t := p.emit(autolinkToken, n)
		t.start, t.end, t.mail = t.start+1, t.end-1, mail
		return true
	}
	if _, n := scanTag(rest, p.doc.mdx, &p.scan); n > 0 {
		p.emit(htmlToken, n)
		return true
	}
	return false
}

// comment returns the width of a comment, instruction, declaration or CDATA
// section, or 0.
func (p *inlines) comment(rest []byte) int {
	if len(rest) < 3 || rest[1] != '!' && rest[1] != '?' {
		return 0
	}
	find := func(from int, end string, none *bool) int {
		if *none {
			return 0
		}
		i := bytes.Index(rest[from:], []byte(end))
		if i < 0 {
			*none = true
			return 0
		}
		return from + i + len(end)
	}
	switch {
	case bytes.HasPrefix(rest, []byte("<!-->")):
		return len("<!-->")
	case bytes.HasPrefix(rest, []byte("<!--->")):
		return len("<!--->")
	case bytes.HasPrefix(rest, []byte("<!--")):
		return find(4, "-->", &p.noComment)
	case rest[1] == '?':
		return find(2, "?>", &p.noInstruction)
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		return find(9, "]]>", &p.noCDATA)
	case isLetter(rest[2]):
		return find(2, ">", &p.noDeclaration)
	}
	return 0
}

// entity returns the width of a character reference, or 0. Whether it names a
// character is seen when it is decoded.
func entity(s []byte) int {
	for i := 1; i < len(s) && i < 34; i++ {
		c := s[i]
		if c == ';' && i > 1 {
			return i + 1
		}
		if !isLetter(c) && !isDigit(c) && (c != '#' || i > 1) {
			return 0
		}
	}
	return 0
}
