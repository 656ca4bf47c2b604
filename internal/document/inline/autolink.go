package inline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// autolink returns the width of an autolink, and whether it is an email address; the width is 0
// if there is none (CommonMark section 6.5).
func autolink(s string) (width int, mail bool) {
	i := 1
	for i < len(s) && i < 34 && (IsLetter(s[i]) || i > 1 && (IsDigit(s[i]) || s[i] == '+' || s[i] == '.' || s[i] == '-')) {
		i++
	}
	if i >= 3 && i < 34 && i < len(s) && s[i] == ':' {
		for i < len(s) && s[i] > ' ' && s[i] != '<' && s[i] != '>' {
			i++
		}
		if i < len(s) && s[i] == '>' {
			return i + 1, false
		}
		return 0, false
	}
	for i < len(s) && (IsLetter(s[i]) || IsDigit(s[i]) || strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", s[i]) >= 0) {
		i++
	}
	if i == 1 || i >= len(s) || s[i] != '@' {
		return 0, false
	}
	for label := 0; ; label++ {
		i++
		start := i
		for i < len(s) && (IsLetter(s[i]) || IsDigit(s[i]) || s[i] == '-') {
			i++
		}
		if i == start || i == len(s) || i-start > 63 || s[start] == '-' || s[i-1] == '-' {
			return 0, false
		}
		if s[i] == '>' {
			return i + 1, true
		}
		if s[i] != '.' {
			return 0, false
		}
	}
}

// bare parses an extended autolink at the colon of its scheme, the first dot of www. or the at
// sign (GFM section 6.9). Its beginning is in the pending text.
func (p *Tokenizer) bare(c byte) bool {
	pending := p.text[p.plain:p.pos]
	start, mail, www := p.pos, false, false
	switch c {
	case ':':
		if !strings.HasPrefix(p.text[p.pos:], "://") {
			return false
		}
		start -= schemeLength(pending)
	case '.':
		if !strings.HasSuffix(pending, "www") {
			return false
		}
		start, www = start-3, true
	case '@':
		for start > p.plain && isMailByte(p.text[start-1]) {
			start--
		}
		mail = true
	}
	if start == p.pos || start > 0 && (IsLetter(p.text[start-1]) || IsDigit(p.text[start-1])) {
		return false
	}
	end := p.pos + 1
	if mail {
		end = mailEnd(p.text, end)
	} else {
		end = p.addressEnd(start, end)
	}
	if end == 0 {
		return false
	}
	p.pos = start
	t := p.emit(Autolink, end-start)
	t.Mail, t.WWW = mail, www
	return true
}

// schemeLength returns the length of the linkable scheme at the end of s, or 0.
func schemeLength(s string) int {
	for _, scheme := range []string{"https", "http", "ftp"} {
		if n := len(scheme); len(s) >= n && strings.EqualFold(s[len(s)-n:], scheme) {
			return n
		}
	}
	return 0
}

func isMailByte(c byte) bool {
	return IsLetter(c) || IsDigit(c) || c == '.' || c == '-' || c == '_' || c == '+'
}

// mailEnd returns the end of an email address whose domain starts at i, or 0.
func mailEnd(s string, i int) int {
	start, dot := i, false
	for i < len(s) && (isMailByte(s[i]) && s[i] != '+') {
		dot = dot || s[i] == '.' && i > start && i+1 < len(s) && (IsLetter(s[i+1]) || IsDigit(s[i+1]))
		i++
	}
	for i > start && s[i-1] == '.' {
		i--
	}
	if !dot || i == start || s[i-1] == '-' || s[i-1] == '_' {
		return 0
	}
	return i
}

// addressEnd returns the end of the address at start, or 0 if it is none; at is after its
// scheme.
func (p *Tokenizer) addressEnd(start, at int) int {
	host := at
	for host < len(p.text) && p.text[host] == '/' {
		host++
	}
	if host == len(p.text) || !IsLetter(p.text[host]) && !IsDigit(p.text[host]) && p.text[host] < utf8.RuneSelf && p.text[host] != '[' {
		return 0
	}
	end := host
	for end < len(p.text) {
		c := p.text[end]
		if c <= ' ' || c == '<' || c == '`' || c == ']' && len(p.brackets) > 0 || c == '|' || c == '"' || c == '\\' && end+1 < len(p.text) && IsPunct(p.text[end+1]) {
			break
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(p.text[end:])
			if unicode.IsSpace(r) || unicode.IsPunct(r) {
				break
			}
			end += size
			continue
		}
		end++
	}
	end = start + trimAddress(p.text[start:end])
	if end <= host {
		return 0
	}
	return end
}

// trimAddress returns the length of an address without the punctuation of the sentence around
// it.
func trimAddress(s string) int {
	open := 0 // number of unclosed brackets
	for i := range len(s) {
		switch s[i] {
		case '(':
			open++
		case ')':
			open--
		}
	}
	n := len(s)
	for n > 0 {
		switch s[n-1] {
		case '?', '!', '.', ',', ':', '*', '_', '~', '\'', '"':
			n--
		case ')':
			if open >= 0 {
				return n
			}
			open++
			n--
		case ';':
			name := n - 1
			for name > 0 && (IsLetter(s[name-1]) || IsDigit(s[name-1])) {
				name--
			}
			if name == 0 || name == n-1 || s[name-1] != '&' {
				return n
			}
			n = name - 1
		default:
			return n
		}
	}
	return n
}
