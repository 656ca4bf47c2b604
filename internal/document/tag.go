package document

import (
	"html"
	"strings"
)

// tag is a tag of HTML or MDX.
type tag struct {
	name        string // "" for a fragment of MDX; HTML's in lower case
	closing     bool   // </name>
	selfClosing bool   // <name/>
	inside      string // between the name and the end: attributes as written
	text        string // all of it
	pos         Pos
}

// scanTag reads the tag that s starts with; width is 0 when it is none. In
// MDX names may have dots, values may be expressions, and <> is a tag.
func scanTag(s string, jsx bool, scan *budget) (t tag, width int) {
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
	if t.name = s[start:i]; t.name == "" && !(jsx && i < len(s) && s[i] == '>') {
		return tag{}, 0
	}
	if !jsx {
		t.name = strings.ToLower(t.name)
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
			t.inside, t.text = s[from:i], s[:i+1]
			return t, i + 1
		case s[i] == '/' && i+1 < len(s) && s[i+1] == '>' && !t.closing:
			t.inside, t.text, t.selfClosing = s[from:i], s[:i+2], true
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

// scanAttribute reads an attribute; width is 0 when there is none. The value is
// as written, with its quotes or braces, and "" when there is none.
func scanAttribute(s string, jsx bool, scan *budget) (name, value string, width int) {
	if jsx && s[0] == '{' { // {...properties} or a comment
		width = scanExpression(s, scan)
		return "", s[:width], width
	}
	i := 0
	for i < len(s) && (isLetter(s[i]) || s[i] == '_' || s[i] == ':' || jsx && (s[i] == '$' || s[i] == '@') || i > 0 && (isDigit(s[i]) || s[i] == '.' || s[i] == '-')) {
		i++
	}
	if i == 0 {
		return "", "", 0
	}
	name = s[:i]
	equals := i + spaces(s[i:])
	if equals == len(s) || s[equals] != '=' {
		return name, "", i
	}
	i = equals + 1 + spaces(s[equals+1:])
	n := valueLength(s[i:], jsx, scan)
	if n == 0 {
		return "", "", 0
	}
	return name, s[i : i+n], i + n
}

// valueLength returns the length of the value that s starts with, or 0.
func valueLength(s string, jsx bool, scan *budget) int {
	switch {
	case s == "":
		return 0
	case s[0] == '"' || s[0] == '\'':
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 {
			scan.spend(len(s))
			return 0
		}
		return end + 2
	case jsx && s[0] == '{':
		return scanExpression(s, scan)
	}
	n := 0
	for n < len(s) && s[n] > ' ' && strings.IndexByte("\"'=<>`", s[n]) < 0 {
		n++
	}
	if n == 0 && jsx && s[0] == '`' { // title=`text`, which only some parsers take
		if end := strings.IndexByte(s[1:], '`'); end >= 0 {
			return end + 2
		}
		scan.spend(len(s))
	}
	return n
}

// attributes returns the attributes of a tag. Those of MDX whose value is no
// literal are left out, with a notice.
func (p *parser) attributes(t *tag) Attributes { return p.readAttributes(t, true) }

// readAttributes does that, with notices or without.
func (p *parser) readAttributes(t *tag, notices bool) Attributes {
	var all Attributes
	unbounded := budget{len(t.inside)} // the same scan has succeeded before
	for s := t.inside; ; {
		s = s[spaces(s):]
		if s == "" {
			return all
		}
		name, written, n := scanAttribute(s, p.mdx, &unbounded)
		if n == 0 {
			return all
		}
		at := t.pos + Pos(len(t.text)-tagEnd(t)-len(s))
		if value, ok := p.attributeValue(name, written); ok {
			all = append(all, Attribute{name, value})
		} else if notices && !isComment(written) {
			p.notice(AttributeOmitted, at, s[:n])
		}
		s = s[n:]
	}
}

// tagEnd is the width of what ends a tag.
func tagEnd(t *tag) int {
	if t.selfClosing {
		return len("/>")
	}
	return len(">")
}

// attributeValue returns what a value means; ok is false when it is no
// literal, or the attribute a spread of many.
func (p *parser) attributeValue(name, written string) (value any, ok bool) {
	switch {
	case name == "":
		return nil, false
	case written == "":
		return true, true
	case written[0] == '{' && p.mdx:
		return p.literal(written[1 : len(written)-1])
	case len(written) > 1 && strings.IndexByte("\"'`", written[0]) >= 0:
		written = written[1 : len(written)-1]
	}
	return html.UnescapeString(written), true
}

// isComment reports whether an expression in braces is a comment, or empty.
func isComment(expression string) bool {
	if len(expression) < 2 || expression[0] != '{' {
		return false
	}
	s := strings.TrimSpace(expression[1 : len(expression)-1])
	return s == "" || strings.HasPrefix(s, "/*") && strings.Index(s, "*/") == len(s)-2
}
