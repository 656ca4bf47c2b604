package inline

import "strings"

type Kind uint8

const (
	Plain      Kind = iota // literal text
	Entity                 // &name;
	Break                  // a line end
	HardBreak              // one that the author wants
	Code                   // text of inline code
	Markup                 // a tag
	Expression             // {…} of MDX
	Mark                   // of a dialect
	Comment                // also an instruction, a declaration, a CDATA section
	Autolink               // an address
	Footnote               // its label
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
	Spent // a mark merged into its neighbour
	Note  // the text of a footnote that stands where it is meant
)

// Token is a piece of text. Opening and closing tokens are paired, except tags.
type Token struct {
	Kind       Kind
	Mail, WWW  bool  // Autolink without mailto: or http://
	Start, End int32 // offsets; content is short enough for 32 bits
	Index      int32 // of a Link or Image in Targets, of Markup in Tags, of a Mark among those found by the hook Mark
}

// Address returns the target of an Autolink from its text.
func (t *Token) Address(written string) string {
	switch {
	case t.Mail:
		return "mailto:" + written
	case t.WWW:
		return "http://" + written
	}
	return written
}

// Tokenizer tokenises the texts of a document. The result of Parse, Targets and Tags are valid
// until the next call. Set the other exported fields first.
type Tokenizer struct {
	MDX        bool
	CJK        bool // emphasis next to Chinese, Japanese and Korean, see flanks
	Scan       *Budget
	References *References

	// Footnote reports whether a footnote with a folded label is defined; it may be nil.
	Footnote func(label string) bool

	// Notes allows ^[text] for a footnote. If Wary, it is behind a word and has several.
	Notes, Wary bool

	// Behind parses what follows a link or image, such as attributes, and returns its width; it may
	// be nil.
	Behind func(rest string) int

	// Label reports whether an undefined reference is still a link, to its label in braces; it may
	// be nil.
	Label func(label string) bool

	// Loose allows a blank or line end between [text] and [label].
	Loose bool

	// Plain makes \(x\) mathematics without a command too.
	Plain bool

	// Mark parses a dialect's mark at an offset with a byte in Starts, and returns its width; it may
	// be nil.
	Mark   func(text string, at int) (width int)
	Starts string

	Targets []Target
	Tags    []Tag

	text     string
	pos      int
	plain    int // start of the pending text
	tokens   []Token
	brackets []bracket
	marks    int // number of marks
	linked   int // number of open brackets around a link, which are inactive unless images
	runs     []run
	rawEnd   int // end of the last {% raw %}
	verbatim int // end of the last {::nomarkdown}

	// Set if an earlier search found no end.
	noComment, noInstruction, noDeclaration, noCDATA bool
	noBackquotes                                     [maxBackquotes + 1]bool
	searched                                         bool // noBackquotes has been filled
}

// maxBackquotes limits the length of code delimiters.
const maxBackquotes = 80

// Parse returns the tokens of a text.
func (p *Tokenizer) Parse(text string) []Token {
	p.text, p.pos, p.plain, p.linked, p.marks = text, 0, 0, 0, 0
	p.tokens, p.Targets, p.Tags = p.tokens[:0], p.Targets[:0], p.Tags[:0]
	p.brackets, p.runs, p.rawEnd, p.verbatim = p.brackets[:0], p.runs[:0], 0, 0
	p.noComment, p.noInstruction, p.noDeclaration, p.noCDATA = false, false, false, false
	if p.searched {
		p.noBackquotes, p.searched = [maxBackquotes + 1]bool{}, false
	}
	for p.pos < len(text) {
		c := text[p.pos]
		if p.pos < p.verbatim && c != '<' && c != '&' && c != '\n' {
			p.pos++
			continue
		}
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

func (p *Tokenizer) mark() bool {
	n := p.Mark(p.text, p.pos)
	if n == 0 {
		return false
	}
	p.emit(Mark, n).Index = int32(p.marks)
	p.marks++
	return true
}

// special has the bytes that may start markup.
var special = [256]bool{
	'\\': true, '&': true, '`': true, '<': true, '!': true, '[': true, ']': true, '*': true,
	'_': true, '~': true, '\n': true, ':': true, '.': true, '@': true, '{': true, '$': true, '^': true,
}

// markup consumes markup at the current position, and reports whether there is any.
func (p *Tokenizer) markup(c byte) bool {
	rest := p.text[p.pos:]
	switch c {
	case '\\':
		return p.escape(rest)
	case '&':
		if _, n := ScanEntity(rest); n > 0 {
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
	case '^':
		if n := p.note(rest); n > 0 {
			t := p.emit(Note, n)
			t.Start, t.End = t.Start+int32(len("^[")), t.End-1
			return true
		}
	case '$':
		n := formula(p.text, p.pos)
		p.pos += n
		return n > 0
	case '{':
		n := p.extension(rest)
		if n == 0 {
			n = p.spanAttributes(rest)
		}
		if n == 0 {
			n = p.raw(rest)
		}
		if n > 0 {
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

func (p *Tokenizer) flush() {
	if p.plain < p.pos {
		p.tokens = append(p.tokens, Token{Start: int32(p.plain), End: int32(p.pos)})
	}
	p.plain = p.pos
}

func (p *Tokenizer) emit(kind Kind, n int) *Token {
	p.flush()
	p.tokens = append(p.tokens, Token{Kind: kind, Start: int32(p.pos), End: int32(p.pos + n)})
	p.pos += n
	p.plain = p.pos
	return &p.tokens[len(p.tokens)-1]
}

func (p *Tokenizer) escape(rest string) bool {
	if n := bracketed(rest, p.Plain && (p.pos == 0 || !IsLetter(p.text[p.pos-1])), p.Scan); n > 0 {
		p.pos += n
		return true
	}
	if len(rest) < 2 || !IsPunct(rest[1]) {
		return false // a backslash at a line end is a hard break
	}
	p.flush()
	p.plain = p.pos + 1
	p.pos += 2
	return true
}

// lineBreak consumes a line end with the blanks around it. Two preceding spaces or a backslash
// make it hard.
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
	p.pos += n // literal text
	return true
}
