package frontmatter

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/yamlvalue"
)

// AppendYAML appends an object as front matter with fences, one member per line. Parse
// returns the same object.
func AppendYAML(dst []byte, v octavo.Value) []byte {
	dst = append(dst, "---\n"...)
	if len(v.Members) == 0 {
		return append(dst, "{}\n---\n"...)
	}
	return append(appendMembers(dst, v, 0), "---\n"...)
}

// appendMembers appends the members of an object, one per line.
func appendMembers(dst []byte, v octavo.Value, depth int) []byte {
	for _, m := range v.Members {
		dst = append(dst, strings.Repeat("  ", depth)...)
		dst = append(appendText(dst, m.Name), ':')
		dst = appendValue(dst, m.Value, depth)
	}
	return dst
}

// appendValue appends a value after a colon or dash, with its further lines.
func appendValue(dst []byte, v octavo.Value, depth int) []byte {
	switch {
	case v.Kind == octavo.KindObject && len(v.Members) > 0:
		return appendMembers(append(dst, '\n'), v, depth+1)
	case v.Kind == octavo.KindArray && len(v.Items) > 0:
		dst = append(dst, '\n')
		for _, item := range v.Items {
			if start := len(dst); item.Kind == octavo.KindObject && len(item.Members) > 0 {
				dst = appendMembers(dst, item, depth+2)
				dst[start+2*(depth+1)] = '-' // at the indentation of its first key
				continue
			}
			dst = append(dst, strings.Repeat("  ", depth+1)...)
			dst = appendValue(append(dst, '-'), item, depth+1)
		}
		return dst
	}
	dst = append(dst, ' ')
	if v.Kind == octavo.KindString {
		dst = appendText(dst, v.Str)
	} else {
		dst = v.AppendJSON(dst)
	}
	return append(dst, '\n')
}

// appendText appends a string: plain if that is unambiguous, else in double quotes with
// JSON escapes.
func appendText(dst []byte, s string) []byte {
	if isPlain(s) {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r >= 0x10000:
			dst = utf8.AppendRune(dst, r)
		case r == 0xFEFF || r == 0xFFFE || r == 0xFFFF || r != ' ' && !strconv.IsPrint(r):
			dst = fmt.Appendf(dst, `\u%04X`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// isPlain reports whether a string certainly needs no quotes.
func isPlain(s string) bool {
	if s == "" || strings.TrimSpace(s) != s || strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") {
		return false
	}
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80 && r < 0x10000 && strconv.IsPrint(r) && r != 0xFEFF
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || strings.ContainsRune(" _-./:()+,'", r))) {
			return false
		}
	}
	v, err := yamlvalue.Decode([]byte(s))
	return err == nil && v.Kind == octavo.KindString && v.Str == s
}
