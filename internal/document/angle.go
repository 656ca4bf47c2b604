package document

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// angle takes a tag, a comment or an address in angle brackets.
func (p *inlines) angle(rest string) bool {
	if n := p.comment(rest); n > 0 {
		p.emit(commentToken, n)
		return true
	}
	if n, mail := autolink(rest); n > 0 {
		t := p.emit(autolinkToken, n)
		t.start, t.end, t.mail = t.start+1, t.end-1, mail
		return true
	}
	if t, n := scanTag(rest, p.p.mdx, &p.p.scan); n > 0 {
		t.pos = p.source.at(p.pos)
		p.emit(tagToken, n).index = int32(len(p.tags))
		p.tags = append(p.tags, t)
		return true
	}
	return false
}

// comment returns the width of a comment, instruction, declaration or CDATA
// section, or 0.
func (p *inlines) comment(rest string) int {
	if len(rest) < 3 || rest[1] != '!' && rest[1] != '?' {
		return 0
	}
	find := func(from int, end string, none *bool) int {
		if *none {
			return 0
		}
		i := strings.Index(rest[from:], end)
		if i < 0 {
			*none = true
			return 0
		}
		return from + i + len(end)
	}
	switch {
	case strings.HasPrefix(rest, "<!-->"):
		return len("<!-->")
	case strings.HasPrefix(rest, "<!--->"):
		return len("<!--->")
	case strings.HasPrefix(rest, "<!--"):
		return find(4, "-->", &p.noComment)
	case rest[1] == '?':
		return find(2, "?>", &p.noInstruction)
	case strings.HasPrefix(rest, "<![CDATA["):
		return find(9, "]]>", &p.noCDATA)
	case isLetter(rest[2]):
		return find(2, ">", &p.noDeclaration)
	}
	return 0
}

// entity returns the width of a character reference, or 0 (CommonMark section
// 2.5).
func entity(s string) int {
	for i := 1; i < len(s) && i < 34; i++ {
		c := s[i]
		if c == ';' && i > 1 {
			if decodeEntity(s[:i+1]) == "" {
				return 0
			}
			return i + 1
		}
		if !isLetter(c) && !isDigit(c) && (c != '#' || i > 1) {
			return 0
		}
	}
	return 0
}

// decodeEntity returns what a character reference stands for, or "".
func decodeEntity(s string) string {
	if s[1] != '#' {
		if text := html.UnescapeString(s); text != s && (!strings.HasSuffix(text, ";") || s == "&semi;") {
			return text
		}
		return ""
	}
	digits, base, most := s[2:len(s)-1], 10, 7
	if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
		digits, base, most = digits[1:], 16, 6
	}
	code, err := strconv.ParseUint(digits, base, 32)
	if err != nil || len(digits) > most {
		return ""
	}
	if code == 0 || code > utf8.MaxRune || !utf8.ValidRune(rune(code)) {
		return "\uFFFD"
	}
	return string(rune(code))
}

// unescape removes the backslashes of a destination, title or info string and
// decodes its character references (CommonMark section 2.4 and 2.5).
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 && strings.IndexByte(s, '&') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && isPunct(s[i+1]):
			i++
			b.WriteByte(s[i])
		case s[i] == '&' && entity(s[i:]) > 0:
			n := entity(s[i:])
			b.WriteString(decodeEntity(s[i : i+n]))
			i += n - 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
