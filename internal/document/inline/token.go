package inline

import "strings"

// Kind tells what a token is.
type Kind uint8

// The kinds of tokens.
const (
	Plain      Kind = iota // text as it is
	Entity                 // &name;
	Break                  // a line end
	HardBreak              // one that the author wants
	Code                   // the text between the backquotes
	Markup                 // a tag
	Expression             // {…} of MDX
	Mark                   // of a dialect
	Comment                // also an instruction, a declaration, a CDATA section
	Autolink               // an address
	Footnote               // the label
	Link                   // opens a link
	LinkEnd
	Image
	ImageEnd
	Emphasis
	EmphasisEnd
	Strong
	StrongEnd
	Deleted
	DeletedEnd
	Spent // a mark that became part of its neighbour
)

// Token is a piece of the text of a block. Opening and closing tokens pair up,
// tags aside.
type Token struct {
	Kind       Kind
	Mail, WWW  bool  // of an Autolink without mailto: or http://
	Start, End int32 // in the text; positions fit, since no content is that long
	Index      int32 // of a Link or Image in Targets, of Markup in Tags, of a Mark among those that the hook of that name found
}

// Address is where an Autolink leads, as which it is written.
func (t *Token) Address(written string) string {
	switch {
	case t.Mail:
		return "mailto:" + written
	case t.WWW:
		return "http://" + written
	}
	return written
}

// Tokenizer turns the text of blocks into tokens. One serves many blocks; what
// Parse returns, Targets and Tags last until the next. The fields set before
// are those of the document.
type Tokenizer struct {
	MDX        bool
	CJK        bool // emphasis ends where readers of Chinese, Japanese and Korean expect it
	Scan       *Budget
	References *References

	// Footnote reports whether a footnote of that folded label is defined; nil
	// stands for none.
	Footnote func(label string) bool

	// Behind takes what belongs to the link or image before it, such as
	// attributes, and returns its width; nil stands for nothing.
	Behind func(rest string) int

	// Label reports whether a reference of a label that nothing defines is one all
	// the same, which leads to the label in braces; nil stands for none.
	Label func(label string) bool

	// Mark reads the mark of a dialect at a place of a text, which begins with one
	// of the bytes of Starts, and returns its width; nil stands for none.
	Mark   func(text string, at int) (width int)
	Starts string

	Targets []Target
	Tags    []Tag

	text     string
	pos      int
	plain    int // where the pending text starts
	tokens   []Token
	brackets []bracket
	marks    int // how many there are
	linked   int // how many brackets stand around a link, and are inactive unless images
	runs     []run
	rawEnd   int // where the last {% raw %} ends

	// What is known not to follow, so that it is sought once.
	noComment, noInstruction, noDeclaration, noCDATA bool
	noBackquotes                                     [maxBackquotes + 1]bool
	searched                                         bool // noBackquotes is not all false
}

// maxBackquotes bounds the runs of backquotes that delimit code.
const maxBackquotes = 80

// Parse returns the tokens of a text.
func (p *Tokenizer) Parse(text string) []Token {
	p.text, p.pos, p.plain, p.linked, p.marks = text, 0, 0, 0, 0
	p.tokens, p.Targets, p.Tags = p.tokens[:0], p.Targets[:0], p.Tags[:0]
	p.brackets, p.runs, p.rawEnd = p.brackets[:0], p.runs[:0], 0
	p.noComment, p.noInstruction, p.noDeclaration, p.noCDATA = false, false, false, false
	if p.searched {
		p.noBackquotes, p.searched = [maxBackquotes + 1]bool{}, false
	}
	for p.pos < len(text) {
		c := text[p.pos]
		if p.Mark != nil && strings.IndexByte(p.Starts, c) >= 0 && p.mark() {
			continue
		}
		if !special[c] || !p.markup(c) {
			p.pos++
		}
	}
	p.flush()
	p.pairRuns(0)
	return p.tokens
}

// mark takes a mark of a dialect.
func (p *Tokenizer) mark() bool {
	n := p.Mark(p.text, p.pos)
	if n == 0 {
		return false
	}
	p.emit(Mark, n).Index = int32(p.marks)
	p.marks++
	return true
}

// special marks the bytes at which something else than text may start.
var special = [256]bool{
	'\\': true, '&': true, '`': true, '<': true, '!': true, '[': true, ']': true, '*': true,
	'_': true, '~': true, '\n': true, ':': true, '.': true, '@': true, '{': true, '$': true,
}

// markup consumes what starts at the current place and reports whether it is
// anything but text.
func (p *Tokenizer) markup(c byte) bool {
	rest := p.text[p.pos:]
	switch c {
	case '\\':
		return p.escape(rest)
	case '&':
		if n := entity(rest); n > 0 {
			p.emit(Entity, n)
			return true
		}
	case '`':
		return p.code(rest)
	case '<':
		return p.angle(rest)
	case '!':
		if len(rest) > 1 && rest[1] == '[' && !p.notes(rest[1:]) {
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
	case '$':
		n := formula(p.text, p.pos)
		p.pos += n
		return n > 0
	case '{':
		if n := p.spanAttributes(rest); n > 0 {
			p.emit(Comment, n)
			return true
		}
		if n := p.raw(rest); n > 0 {
			p.emit(Comment, n)
			return true
		}
		if p.MDX && p.pos >= p.rawEnd {
			if n := ScanExpression(rest, p.Scan); n > 0 {
				p.emit(Expression, n)
				return true
			}
		}
	}
	return false
}

// flush makes a token of the pending text.
func (p *Tokenizer) flush() {
	if p.plain < p.pos {
		p.tokens = append(p.tokens, Token{Start: int32(p.plain), End: int32(p.pos)})
	}
	p.plain = p.pos
}

// emit makes a token of the next n bytes.
func (p *Tokenizer) emit(kind Kind, n int) *Token {
	p.flush()
	p.tokens = append(p.tokens, Token{Kind: kind, Start: int32(p.pos), End: int32(p.pos + n)})
	p.pos += n
	p.plain = p.pos
	return &p.tokens[len(p.tokens)-1]
}

func (p *Tokenizer) escape(rest string) bool {
	if n := bracketed(rest, p.Scan); n > 0 {
		p.pos += n
		return true
	}
	if len(rest) < 2 || !IsPunct(rest[1]) {
		return false // the backslash that ends a line is a hard break
	}
	p.flush()
	p.plain = p.pos + 1
	p.pos += 2
	return true
}

// lineBreak takes the line end, the blanks before it and those after it. Two
// spaces or a backslash before it make it a hard one.
func (p *Tokenizer) lineBreak() {
	end := p.pos
	for p.pos > p.plain && IsBlank(p.text[p.pos-1]) {
		p.pos--
	}
	kind := Break
	if p.pos == end && p.pos > p.plain && p.text[p.pos-1] == '\\' {
		p.pos--
		kind = HardBreak
	} else if strings.HasSuffix(p.text[p.pos:end], "  ") {
		kind = HardBreak
	}
	p.emit(kind, end-p.pos+1+Blanks(p.text[end+1:]))
}

// code takes a code span.
func (p *Tokenizer) code(rest string) bool {
	n := RunLength(rest, '`')
	if n <= maxBackquotes && !p.noBackquotes[n] {
		for i := n; i < len(rest); {
			next := strings.IndexByte(rest[i:], '`')
			if next < 0 {
				break
			}
			i += next
			length := RunLength(rest[i:], '`')
			if length == n {
				t := p.emit(Code, i+n)
				t.Start, t.End = t.Start+int32(n), t.End-int32(n)
				return true
			}
			i += length
		}
		p.noBackquotes[n], p.searched = true, true
	}
	p.pos += n // all of them are text
	return true
}
