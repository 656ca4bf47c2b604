package reference

import (
	"net/url"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// URI converts an href to a URI reference (RFC 3986), percent-encoding as needed. It returns false
// if that is impossible, or if href is empty. A result of On keeps its page.
func URI(href string) (string, bool) {
	if on, written := Off(href); on != "" {
		to, ok := URI(written)
		return onPage + on + ":" + to, ok
	}
	href = strings.Trim(strings.ToValidUTF8(href, "\uFFFD"), " \t\n\r")
	if href == "" {
		return "", false
	}
	authority := authorityOf(href)
	var out []byte // nil until a byte changes
	scheme := schemeOf(href)
	slash, fragment := false, false // a path segment or the fragment has begun
	for i := 0; i < len(href); i++ {
		c := href[i]
		inAuthority := authority[0] <= i && i < authority[1]
		keep := uriByte(c)
		switch {
		case c == '%':
			keep = i+2 < len(href) && isHex(href[i+1]) && isHex(href[i+2])
		case c == '[' || c == ']':
			keep = inAuthority
		case c == '#':
			keep = !fragment
			fragment = true
		case c == ':': // before any slash it would end a scheme
			keep = scheme >= 0 || slash || fragment
		}
		slash = slash || c == '/' || c == '?'
		if !keep && out == nil {
			out = append(make([]byte, 0, len(href)+8), href[:i]...)
		}
		switch {
		case !keep:
			out = append(out, '%', upperHex[c>>4], upperHex[c&15])
		case out != nil:
			out = append(out, c)
		}
	}
	text := href
	if out != nil {
		text = string(out)
	}
	if authority[0] == authority[1] { // cannot be invalid otherwise
		return text, true
	}
	_, err := url.Parse(text)
	return text, err == nil
}

const upperHex = "0123456789ABCDEF"

func isHex(c byte) bool { return inline.IsDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// uriByte reports whether a byte is allowed anywhere in a URI reference.
func uriByte(c byte) bool {
	switch c {
	case '-', '.', '_', '~', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=', '@', '/', '?':
		return true
	}
	return inline.IsLetter(c) || inline.IsDigit(c)
}

// schemeOf returns the index of the colon after the scheme, or -1.
func schemeOf(href string) int {
	for i := 0; i < len(href); i++ {
		c := href[i]
		if c == ':' && i > 0 {
			return i
		}
		if !inline.IsLetter(c) && (i == 0 || !inline.IsDigit(c) && c != '+' && c != '-' && c != '.') {
			break
		}
	}
	return -1
}

// authorityOf returns the start and end of the authority.
func authorityOf(href string) [2]int {
	start := schemeOf(href) + 1
	if !strings.HasPrefix(href[start:], "//") {
		return [2]int{}
	}
	start += 2
	end := strings.IndexAny(href[start:], "/?#")
	if end < 0 {
		return [2]int{start, len(href)}
	}
	return [2]int{start, start + end}
}

// Safe returns an address as a URI reference if it is relative or of http, https, mailto or tel.
// It removes control characters, which browsers ignore and which could hide the scheme.
func Safe(written string) (to string, ok bool) {
	if on, here := Off(written); on != "" {
		to, ok = Safe(here)
		return onPage + on + ":" + to, ok
	}
	written = strings.Map(func(r rune) rune {
		if r < ' ' || 0x7f <= r && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, written)
	prefix, rest := "", strings.TrimSpace(written)
	if plain := Plain(rest); plain != rest {
		prefix, rest = rest[:len(rest)-len(plain)], plain
	}
	switch Scheme(rest) {
	case "", "http", "https", "mailto", "tel":
		to, ok = URI(rest)
		return prefix + to, ok || rest == ""
	}
	return "", false
}

// pathname is the prefix of Docusaurus links to files that are not pages.
const pathname = "pathname://"

// AsWritten removes the escapes of an address.
func AsWritten(href string) string {
	href = Plain(href)
	plain, err := url.PathUnescape(href)
	if err != nil {
		return href
	}
	return plain
}

// Plain strips the prefixes of Docusaurus, ByName, ByLabel and On from an address.
func Plain(uri string) string {
	_, uri = Off(uri)
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(uri, pathname), byName), byLabel)
}

// Resolvable reports whether a URI reference may lead to a page or file.
func Resolvable(uri string) bool {
	switch Scheme(Plain(uri)) {
	case "", "http", "https":
		return uri != "" && uri[0] != '#'
	}
	return false
}

// Local reports whether a URI reference is a fragment of the page itself.
func Local(uri string) bool {
	return strings.HasPrefix(unwrap(uri), "#") && !strings.HasPrefix(uri, byLabel) && !strings.HasPrefix(uri, onPage)
}

// Scheme returns the lower-case scheme of an address, "" for a relative one. An invalid scheme
// directly followed by a colon counts too, since browsers differ.
func Scheme(s string) string {
	end := strings.IndexAny(s, ":/?#")
	if end < 0 || s[end] != ':' {
		return ""
	}
	if end == 0 {
		return ":"
	}
	return strings.ToLower(s[:end])
}
