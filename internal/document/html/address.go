package html

import (
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document"
)

// href returns where a link leads, "" when it may lead nowhere.
func (w *writer) href(n document.Node, written string) (to string, found bool) {
	to, ok := address(written)
	if !ok {
		w.notice(document.UnsafeAddress, n, written)
		return "", false
	}
	return w.resolve(n, to, w.options.Link, document.UnresolvedLink)
}

// src returns where an image lies, "" when it is not to be shown.
func (w *writer) src(n document.Node, written string) (to string, found bool) {
	if isPicture(written) {
		return written, true
	}
	to, ok := address(written)
	if s := scheme(to); !ok || s == "mailto" || s == "tel" {
		w.notice(document.UnsafeAddress, n, written)
		return "", false
	}
	return w.resolve(n, to, w.options.Image, document.UnresolvedImage)
}

func (w *writer) resolve(n document.Node, written string, resolve func(string) (string, bool), kind document.NoticeKind) (to string, found bool) {
	s := scheme(written)
	if resolve == nil || written == "" || written[0] == '#' || s != "" && s != "http" && s != "https" {
		return written, true
	}
	to, found = resolve(written)
	if !found {
		w.notice(kind, n, written)
		return written, false
	}
	if isPicture(to) {
		return to, true
	}
	to, found = address(to)
	return to, found
}

// address makes of what was written a URI reference that leads to a web page,
// a mail address or a telephone. Browsers ignore control characters in it, and
// so they must not hide its scheme.
func address(written string) (to string, ok bool) {
	written = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || 0x7f <= r && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, written))
	switch scheme(written) {
	case "", "http", "https", "mailto", "tel":
		return encode(written), true
	}
	return "", false
}

// scheme returns the scheme of an address in lower case, "" for a relative one.
// What is no valid scheme counts as one if a colon follows it at once, as
// nobody knows what a browser makes of it.
func scheme(s string) string {
	end := strings.IndexAny(s, ":/?#")
	if end < 0 || s[end] != ':' {
		return ""
	}
	if end == 0 {
		return ":"
	}
	return strings.ToLower(s[:end])
}

// isPicture reports whether an address holds a picture in a format that cannot
// run anything.
func isPicture(s string) bool {
	for _, format := range []string{"png", "jpeg", "gif", "webp"} {
		if rest, ok := strings.CutPrefix(s, "data:image/"+format+";base64,"); ok {
			return strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") == ""
		}
	}
	return false
}

// encode percent-encodes what must not stand in an address.
func encode(s string) string {
	const upper = "0123456789ABCDEF"
	clean := true
	for i := 0; i < len(s) && clean; i++ {
		clean = plainByte(s, i)
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if plainByte(s, i) {
			b.WriteByte(s[i])
		} else {
			b.WriteByte('%')
			b.WriteByte(upper[s[i]>>4])
			b.WriteByte(upper[s[i]&15])
		}
	}
	return b.String()
}

func plainByte(s string, i int) bool {
	c := s[i]
	switch {
	case c >= utf8.RuneSelf:
		return false
	case 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9':
		return true
	case c == '%':
		return i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
	}
	return strings.IndexByte("-._~!$&'()*+,;=:@/?#", c) >= 0
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
