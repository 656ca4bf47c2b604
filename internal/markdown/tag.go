package markdown

import "bytes"

// The limits of tags and of the expressions of MDX, in bytes.
const (
	maxTag        = 8 << 10
	maxExpression = 64 << 10
)

// budget is how many bytes may still be spent on scans that find nothing.
// Such a scan may reach far and be repeated at the next byte; when a document
// has used up its budget, what follows is taken as text. No honest document
// comes near it.
type budget struct{ left int }

func newBudget(size int) budget { return budget{64<<10 + 2*size} }

// spend takes n bytes for a scan that failed.
func (b *budget) spend(n int) { b.left -= n }

// tag is a tag of HTML or MDX.
type tag struct {
	name        string // "" for a fragment of MDX
	closing     bool   // </name>
	selfClosing bool   // <name/>
	attributes  []byte
	jsx         bool
}

// scanTag reads the tag that s starts with; width is 0 when it is none. In
// MDX names may have dots, values may be expressions, and <> is a tag.
func scanTag(s []byte, jsx bool, scan *budget) (t tag, width int) {
	if len(s) < 2 || scan.left < 0 {
		return tag{}, 0
	}
	s = s[:min(len(s), maxTag)]
	i := 1
	if s[i] == '/' {
		t.closing = true
		i++
	}
	start := i
	for i < len(s) && (isLetter(s[i]) || i > start && (isDigit(s[i]) || s[i] == '-' || jsx && (s[i] == '.' || s[i] == '_' || s[i] == ':'))) {
		i++
	}
	t.name, t.jsx = string(s[start:i]), jsx
	if t.name == "" && !(jsx && i < len(s) && s[i] == '>') {
		return tag{}, 0
	}
	from := i
	for i < len(s) {
		gap := spaces(s[i:])
		i += gap
		if i == len(s) {
			break
		}
		switch {
		case s[i] == '>':
			t.attributes = s[from:i]
			return t, i + 1
		case s[i] == '/' && i+1 < len(s) && s[i+1] == '>' && !t.closing:
			t.attributes, t.selfClosing = s[from:i], true
			return t, i + 2
		case t.closing || gap == 0 && !jsx:
			scan.spend(i)
			return tag{}, 0
		}
		_, _, n := scanAttribute(s[i:], jsx, scan)
		if n == 0 {
			scan.spend(i)
			return tag{}, 0
		}
		i += n
	}
	scan.spend(len(s))
	return tag{}, 0
}

// scanAttribute reads an attribute; width is 0 when there is none. The value
// is that of a literal, with escapes as written, or nil.
func scanAttribute(s []byte, jsx bool, scan *budget) (name, value []byte, width int) {
	if jsx && s[0] == '{' { // {...properties} or a comment
		return nil, nil, scanExpression(s, scan)
	}
	i := 0
	for i < len(s) && (isLetter(s[i]) || s[i] == '_' || s[i] == ':' || jsx && (s[i] == '$' || s[i] == '@') || i > 0 && (isDigit(s[i]) || s[i] == '.' || s[i] == '-')) {
		i++
	}
	if i == 0 {
		return nil, nil, 0
	}
	name = s[:i]
	equals := i + spaces(s[i:])
	if equals == len(s) || s[equals] != '=' {
		return name, nil, i
	}
	i = equals + 1 + spaces(s[equals+1:])
	value, n := scanValue(s[i:], jsx, scan)
	if n == 0 {
		return nil, nil, 0
	}
	return name, value, i + n
}

func scanValue(s []byte, jsx bool, scan *budget) (value []byte, width int) {
	if len(s) == 0 {
		return nil, 0
	}
	if s[0] == '"' || s[0] == '\'' {
		end := bytes.IndexByte(s[1:], s[0])
		if end < 0 {
			scan.spend(len(s))
			return nil, 0
		}
		return s[1 : end+1 : end+1], end + 2
	}
	if jsx && s[0] == '{' {
		width = scanExpression(s, scan)
		return literal(s[:width]), width
	}
	for width < len(s) && s[width] > ' ' && bytes.IndexByte([]byte("\"'=<>`"), s[width]) < 0 {
		width++
	}
	return s[:width:width], width
}

// literal returns the text of an expression in braces that is a string, or
// nil.
func literal(expression []byte) []byte {
	if len(expression) < 2 {
		return nil
	}
	s := bytes.TrimSpace(expression[1 : len(expression)-1])
	if len(s) < 2 || s[0] != s[len(s)-1] || s[0] != '"' && s[0] != '\'' && s[0] != '`' {
		return nil
	}
	s = s[1 : len(s)-1]
	if bytes.ContainsAny(s, "\\\"'`") || bytes.Contains(s, []byte("${")) {
		return nil
	}
	return s
}

// attribute returns the literal value of the attribute of that name.
func (t *tag) attribute(name string) (value []byte, found bool) {
	unbounded := budget{len(t.attributes)} // the same scan has succeeded before
	for s := t.attributes; len(s) > 0; {
		s = s[spaces(s):]
		if len(s) == 0 {
			break
		}
		have, value, n := scanAttribute(s, t.jsx, &unbounded)
		if n == 0 {
			break
		}
		if value != nil && bytes.EqualFold(have, []byte(name)) {
			return value, true
		}
		s = s[n:]
	}
	return nil, false
}

// scanExpression returns the width of the braces that s starts with, what is
// between them included, or 0 when they are not closed.
func scanExpression(s []byte, scan *budget) int {
	if scan.left < 0 {
		return 0
	}
	s = s[:min(len(s), maxExpression)]
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'', '`':
			i += quoted(s[i:])
		case '/':
			if bytes.HasPrefix(s[i:], []byte("/*")) {
				end := bytes.Index(s[i+2:], []byte("*/"))
				if end < 0 {
					scan.spend(len(s))
					return 0
				}
				i += end + 3
			}
		}
	}
	scan.spend(len(s))
	return 0
}

// quoted returns how far behind its quote a string ends that s starts with. A
// quote that is not closed, on its line unless it is a backquote, is an
// apostrophe.
func quoted(s []byte) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i
		case '\n':
			if s[0] != '`' {
				return 0
			}
		}
	}
	return 0
}
