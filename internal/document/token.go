package document

import "strings"

// tokenKind tells what a token is.
type tokenKind uint8

const (
	textToken   tokenKind = iota
	entityToken           // &name;
	breakToken            // a line end
	hardBreakToken
	codeToken // the text between the backquotes
	tagToken
	expressionToken
	commentToken
	autolinkToken
	footnoteToken // the label
	linkToken     // opens a link
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

// token is a piece of the text of a block. Opening and closing tokens pair up,
// tags aside.
type token struct {
	kind       tokenKind
	mail, www  bool  // autolinkToken: an address without mailto: or http://
	start, end int32 // in the text
	index      int32 // in inlines.targets or inlines.tags
}

// target is where a link leads, as written.
type target struct {
	destination, title string
	attributes         Attributes
}

// inlines turns the text of a block into a flat run of tokens. It takes linear
// time: what is known not to follow is not sought again, and scans that fail
// have a budget. One serves many blocks; what it returns lasts until the next.
type inlines struct {
	p *parser

	source   inlineSource
	text     string
	pos      int
	plain    int // where the pending text starts
	tokens   []token
	targets  []target
	tags     []tag
	brackets []bracket
	linked   int // how many brackets stand around a link, and are inactive unless images
	runs     []run

	noComment, noInstruction, noDeclaration, noCDATA bool
	noBackquotes                                     [maxBackquotes + 1]bool
	searched                                         bool // noBackquotes is not all false
}

// maxBackquotes bounds the runs of backquotes that delimit code.
const maxBackquotes = 80

// parse returns the tokens of a text.
func (p *inlines) parse(source inlineSource) []token {
	p.source, p.text = source, source.text
	p.pos, p.plain, p.linked = 0, 0, 0
	p.tokens, p.targets, p.tags, p.brackets, p.runs = p.tokens[:0], p.targets[:0], p.tags[:0], p.brackets[:0], p.runs[:0]
	p.noComment, p.noInstruction, p.noDeclaration, p.noCDATA = false, false, false, false
	if p.searched {
		p.noBackquotes, p.searched = [maxBackquotes + 1]bool{}, false
	}
	for p.pos < len(p.text) {
		c := p.text[p.pos]
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
		p.run(rest)
		return true
	case '\n':
		p.lineBreak()
		return true
	case ':', '.', '@':
		return p.bare(c)
	case '{':
		if p.p.mdx {
			if n := scanExpression(rest, &p.p.scan); n > 0 {
				p.emit(expressionToken, n)
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

func (p *inlines) escape(rest string) bool {
	if len(rest) < 2 || !isPunct(rest[1]) {
		return false // the backslash that ends a line is a hard break
	}
	p.flush()
	p.plain = p.pos + 1
	p.pos += 2
	return true
}

// lineBreak takes the line end, the blanks before it and those after it. Two
// spaces or a backslash before it make it a hard one.
func (p *inlines) lineBreak() {
	end := p.pos
	for p.pos > p.plain && isBlank(p.text[p.pos-1]) {
		p.pos--
	}
	kind := breakToken
	if p.pos == end && p.pos > p.plain && p.text[p.pos-1] == '\\' {
		p.pos--
		kind = hardBreakToken
	} else if strings.HasSuffix(p.text[p.pos:end], "  ") {
		kind = hardBreakToken
	}
	p.emit(kind, end-p.pos+1+blanks(p.text[end+1:]))
}

// code takes a code span.
func (p *inlines) code(rest string) bool {
	n := runLength(rest, '`')
	if n <= maxBackquotes && !p.noBackquotes[n] {
		for i := n; i < len(rest); {
			next := strings.IndexByte(rest[i:], '`')
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

// codeText returns the text of a code span: line ends are spaces, and one space
// at each side is there for backquotes to stand apart.
func codeText(s string) string {
	if strings.IndexByte(s, '\n') >= 0 {
		s = strings.ReplaceAll(s, "\n", " ")
	}
	if len(s) > 1 && s[0] == ' ' && s[len(s)-1] == ' ' && strings.Trim(s, " ") != "" {
		s = s[1 : len(s)-1]
	}
	return s
}
