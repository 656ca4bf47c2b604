package inline

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// angle parses a tag, comment or address in angle brackets.
func (p *Tokenizer) angle(rest string) bool {
	if n := p.comment(rest); n > 0 {
		p.emit(Comment, n)
		return true
	}
	if n, mail := autolink(rest); n > 0 {
		t := p.emit(Autolink, n)
		t.Start, t.End, t.Mail = t.Start+1, t.End-1, mail
		return true
	}
	t, n := ScanTag(rest, p.MDX, p.Scan)
	if name := strings.TrimPrefix(rest[1:], "/"); n == 0 && !p.MDX && name != "" && 'A' <= name[0] && name[0] <= 'Z' {
		t, n = ScanTag(rest, true, p.Scan) // <Tabs.Tab>, <Badge @click="…">
	}
	if n > 0 {
		p.emit(Markup, n).Index = int32(len(p.Tags))
		p.Tags = append(p.Tags, t)
		return true
	}
	return false
}

// comment returns the width of a comment, instruction, declaration or CDATA section, or 0.
func (p *Tokenizer) comment(rest string) int {
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
	case IsLetter(rest[2]):
		return find(2, ">", &p.noDeclaration)
	}
	return 0
}

// ScanEntity decodes the character reference at the start of s; width is 0 if there is none
// (CommonMark section 2.5).
func ScanEntity(s string) (text string, width int) {
	for i := 1; i < len(s) && i < 34; i++ {
		c := s[i]
		if c == ';' && i > 1 {
			if text = decodeEntity(s[:i+1]); text == "" {
				return "", 0
			}
			return text, i + 1
		}
		if !IsLetter(c) && !IsDigit(c) && (c != '#' || i > 1) {
			return "", 0
		}
	}
	return "", 0
}

// decodeEntity returns the text of a character reference, or "".
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

// Unescape resolves backslashes and character references in a destination, title or info
// string (CommonMark sections 2.4 and 2.5).
func Unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 && strings.IndexByte(s, '&') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '&' {
			if text, width := ScanEntity(s[i:]); width > 0 {
				b.WriteString(text)
				i += width - 1
				continue
			}
		}
		if s[i] == '\\' && i+1 < len(s) && IsPunct(s[i+1]) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
