package reference

import (
	"net/url"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// URI makes a URI reference (RFC 3986) of an href: what must not stand in one is
// percent-encoded. It returns false for an href that cannot become one, and for
// the empty one, which leads nowhere.
func URI(href string) (string, bool) {
	href = strings.Trim(strings.ToValidUTF8(href, "\uFFFD"), " \t\n\r")
	if href == "" {
		return "", false
	}
	authority := authorityOf(href)
	var out []byte // nil while all bytes are kept
	scheme := schemeOf(href)
	slash, fragment := false, false // whether a path segment or the fragment has begun
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
		case c == ':': // one before any slash would end a scheme
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
	if authority[0] == authority[1] { // nothing else can be wrong
		return text, true
	}
	_, err := url.Parse(text)
	return text, err == nil
}

const upperHex = "0123456789ABCDEF"

func isHex(c byte) bool { return inline.IsDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// uriByte reports whether a byte may stand in a URI reference as it is, apart
// from those that depend on the place.
func uriByte(c byte) bool {
	switch c {
	case '-', '.', '_', '~', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=', '@', '/', '?':
		return true
	}
	return inline.IsLetter(c) || inline.IsDigit(c)
}

// schemeOf returns the place of the colon that ends the scheme, or -1.
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

// authorityOf returns where the authority of an href starts and ends.
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

// Safe makes a URI reference of what was written, if that leads to a web page, a
// mail address or a telephone, or is relative. Browsers ignore control characters
// in it, and so they must not hide its scheme.
func Safe(written string) (to string, ok bool) {
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

// pathname begins links of Docusaurus to files that are no pages.
const pathname = "pathname://"

// Plain returns an address without what Docusaurus puts before some, and ByName and
// ByLabel before others.
func Plain(uri string) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(uri, pathname), byName), byLabel)
}

// Resolvable reports whether a URI reference may lead to a page or a file.
func Resolvable(uri string) bool {
	switch Scheme(Plain(uri)) {
	case "", "http", "https":
		return uri != "" && uri[0] != '#'
	}
	return false
}

// Local reports whether a URI reference means a place on the page itself.
func Local(uri string) bool {
	return strings.HasPrefix(unwrap(uri), "#") && !strings.HasPrefix(uri, byLabel)
}

// Scheme returns the scheme of an address in lower case, "" for a relative one.
// What is no valid scheme counts as one if a colon follows it at once, as nobody
// knows what a browser makes of it.
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
