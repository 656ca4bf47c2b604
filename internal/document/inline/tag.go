package inline

import (
	"iter"
	"strings"
)

// MaxExpression limits an MDX expression in bytes.
const MaxExpression = 64 << 10

// maxTag limits a tag in bytes.
const maxTag = 8 << 10

type Tag struct {
	Name        string // "" for an MDX fragment; lower case for HTML
	Closing     bool   // </name>
	SelfClosing bool   // <name/>
	JSX         bool   // read as MDX
	Inside      string // attributes as written
}

// ScanTag parses the tag at the start of s; width is 0 if there is none. In MDX, names may have
// dots, values may be expressions, and <> is a tag.
func ScanTag(s string, jsx bool, scan *Budget) (t Tag, width int) {
	if len(s) < 2 || scan.Spent() {
		return Tag{}, 0
	}
	s = s[:min(len(s), maxTag)]
	i := 1
	if s[i] == '/' {
		t.Closing = true
		i++
	}
	start := i
	for i < len(s) && (IsLetter(s[i]) || i > start && (IsDigit(s[i]) || s[i] == '-' || jsx && (s[i] == '.' || s[i] == '_' || s[i] == ':'))) {
		i++
	}
	if i == start && !(jsx && i < len(s) && s[i] == '>') {
		return Tag{}, 0
	}
	if t.Name, t.JSX = s[start:i], jsx; !jsx {
		t.Name = strings.ToLower(t.Name)
	}
	from := i
	for i < len(s) {
		gap := Spaces(s[i:])
		i += gap
		if i == len(s) {
			break
		}
		switch {
		case s[i] == '>':
			t.Inside = s[from:i]
			t.Closing = t.Closing && t.Name != "br" // browsers treat </br> as <br>
			return t, i + 1
		case s[i] == '/' && i+1 < len(s) && s[i+1] == '>' && !t.Closing:
			t.Inside, t.SelfClosing = s[from:i], true
			return t, i + 2
		case t.Closing || gap == 0 && !jsx && t.Name != "iframe": // of other tags CommonMark makes text
			scan.Spend(i)
			return Tag{}, 0
		}
		_, _, n := scanAttribute(s[i:], jsx, scan)
		if n == 0 {
			scan.Spend(i)
			return Tag{}, 0
		}
		i += n
	}
	scan.Spend(len(s))
	return Tag{}, 0
}

// Attribute is an attribute of a tag. Value is as written with quotes or braces, "" if missing.
// Name is "" for braces alone: a spread or a comment.
type Attribute struct {
	Name, Value string
	Start, End  int // in Tag.Inside
}

// Attributes iterates over the attributes in order.
func (t *Tag) Attributes() iter.Seq[Attribute] {
	return func(yield func(Attribute) bool) {
		unbounded := Budget{len(t.Inside)} // this scan has succeeded before
		for i := Spaces(t.Inside); i < len(t.Inside); i += Spaces(t.Inside[i:]) {
			name, value, n := scanAttribute(t.Inside[i:], t.JSX, &unbounded)
			if n == 0 || !yield(Attribute{name, value, i, i + n}) {
				return
			}
			i += n
		}
	}
}

// scanAttribute parses an attribute; width is 0 if there is none.
func scanAttribute(s string, jsx bool, scan *Budget) (name, value string, width int) {
	if n := shortcode(s); n > 0 {
		return s[:0], s[:n], n
	}
	if jsx && s[0] == '{' { // {...properties} or a comment
		width = ScanExpression(s, scan)
		return s[:0], s[:width], width
	}
	i := 0
	if len(s) > 1 && (s[0] == '@' || s[0] == '#') && IsLetter(s[1]) { // of Vue
		i++
	}
	for i < len(s) && (IsLetter(s[i]) || s[i] == '_' || s[i] == ':' || jsx && (s[i] == '$' || s[i] == '@') || i > 0 && (IsDigit(s[i]) || s[i] == '.' || s[i] == '-')) {
		i++
	}
	name = s[:i]
	if i == 0 {
		return name, name, 0
	}
	equals := i + Spaces(s[i:])
	if equals == len(s) || s[equals] != '=' {
		return name, s[:0], i
	}
	i = equals + 1 + Spaces(s[equals+1:])
	n := valueLength(s[i:], jsx, scan)
	if n == 0 {
		return name, s[:0], 0
	}
	return name, s[i : i+n], i + n
}

// valueLength returns the length of the value at the start of s, or 0.
func valueLength(s string, jsx bool, scan *Budget) int {
	switch {
	case len(s) == 0:
		return 0
	case s[0] == '"' || s[0] == '\'':
		return quotedLength(s, scan)
	case s[0] == '{': // also seen in HTML
		n := ScanExpression(s, scan)
		if jsx || n > 0 && (n == len(s) || s[n] <= ' ' || s[n] == '/' || s[n] == '>') {
			return n
		}
	case jsx && s[0] == '`': // title=`text`, accepted by some parsers
		return quotedLength(s, scan)
	}
	n := 0
	for n < len(s) && s[n] > ' ' && strings.IndexByte("\"'=<>`", s[n]) < 0 {
		n++
	}
	return n
}

// quotedLength returns the length of a quoted string at the start of s, or 0 if unterminated. It
// may contain a shortcode with quotes.
func quotedLength(s string, scan *Budget) int {
	from := 1 + shortcode(s[1:])
	end := strings.IndexByte(s[from:], s[0])
	if end < 0 {
		scan.Spend(len(s))
		return 0
	}
	return from + end + 1
}

// ScanExpression returns the width of the braces at the start of s with their content, or 0 if
// unclosed.
func ScanExpression(s string, scan *Budget) int {
	if scan.Spent() {
		return 0
	}
	s = s[:min(len(s), MaxExpression)]
	var skip skipper
	depth := 0
	for i := 0; i < len(s) && !skip.comment; i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i += skipped(&skip, s, i)
	}
	scan.Spend(len(s))
	return 0
}

// Quoted returns the length of the string at the start of s without its first quote. A plain
// quote that is unclosed on its line is an apostrophe.
func Quoted(s string) int {
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
