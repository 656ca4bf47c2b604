// Package source normalises the untrusted content of pages, and names what may be wrong in
// it. It does not parse it.
package source

import (
	"strings"
	"unicode/utf8"
)

// Normalise returns valid UTF-8 with LF line ends, without a byte order mark. Offsets within
// a line do not change.
func Normalise(content string) string {
	content = strings.TrimPrefix(content, "\uFEFF")
	if strings.IndexByte(content, '\r') >= 0 {
		content = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(content)
	}
	if strings.IndexByte(content, 0) >= 0 {
		content = strings.ReplaceAll(content, "\x00", "\uFFFD")
	}
	if !utf8.ValidString(content) {
		content = strings.ToValidUTF8(content, "\uFFFD")
	}
	return content
}

// LineStarts returns the start offsets of lines.
func LineStarts[P ~int32](text string) []P {
	starts := append(make([]P, 0, strings.Count(text, "\n")+1), 0)
	for i := 0; i < len(text); i++ {
		next := strings.IndexByte(text[i:], '\n')
		if next < 0 {
			break
		}
		i += next
		starts = append(starts, P(i+1))
	}
	return starts
}

// Shorten returns the beginning of the first line, for a quotation.
func Shorten(s string) string {
	const most = 60 // bytes
	s, _, _ = strings.Cut(s, "\n")
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
