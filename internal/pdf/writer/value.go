package writer

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Text returns a text string: in parentheses where it is plain ASCII, else as
// UTF-16.
func Text(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x7f || s[i] < ' ' {
			return wide(s)
		}
	}
	return literal(s)
}

// wide returns a string as UTF-16 in hexadecimal digits.
func wide(s string) string {
	out := []byte("<FEFF")
	for _, unit := range utf16.Encode([]rune(s)) {
		out = fmt.Appendf(out, "%04X", unit)
	}
	return string(append(out, '>'))
}

// bytesOf returns a string of bytes, such as the name of a destination.
func bytesOf(s string) string { return fmt.Sprintf("<%X>", s) }

// Name returns a name with its slash.
func Name(s string) string {
	out := []byte{'/'}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("#/()<>[]{}%", c) >= 0 {
			out = fmt.Appendf(out, "#%02X", c)
		} else {
			out = append(out, c)
		}
	}
	return string(out)
}

// AppendNumber appends a number with at most three digits behind its point.
func AppendNumber(dst []byte, v float64) []byte {
	if v < 0 {
		dst, v = append(dst, '-'), -v
	}
	milli := int64(v*1000 + 0.5)
	dst = strconv.AppendInt(dst, milli/1000, 10)
	rest := milli % 1000
	if rest == 0 {
		return dst
	}
	dst = append(dst, '.', byte('0'+rest/100))
	if rest %= 100; rest != 0 {
		dst = append(dst, byte('0'+rest/10))
		if rest %= 10; rest != 0 {
			dst = append(dst, byte('0'+rest))
		}
	}
	return dst
}

// Number returns what AppendNumber appends.
func Number(v float64) string { return string(AppendNumber(nil, v)) }
