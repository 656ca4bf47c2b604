package writer

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Text returns a text string: in parentheses where it is plain ASCII, else as
// UTF-16.
func Text(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x7f || s[i] < ' ' {
			return UTF16([]rune(s))
		}
	}
	return literal(s)
}

// UTF16 returns characters as a string of PDF, in hexadecimal digits.
func UTF16(text []rune) string {
	out := []byte("<FEFF")
	for _, unit := range utf16.Encode(text) {
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

// AppendNumber appends a number with at most two digits behind its point: of a
// point, which is a third of a millimetre, the hundredth part is not seen.
func AppendNumber(dst []byte, v float64) []byte { return appendNumber(dst, v, 2) }

// AppendPrecise appends a number with at most three digits behind its point.
func AppendPrecise(dst []byte, v float64) []byte { return appendNumber(dst, v, 3) }

// Rounded returns the number that AppendNumber writes of another one.
func Rounded(v float64) float64 { return math.Round(v*100) / 100 }

// appendNumber appends a number with at most so many digits behind its point,
// and no zero before it, which PDF does not want.
func appendNumber(dst []byte, v float64, digits int) []byte {
	scale := int64(1)
	for range digits {
		scale *= 10
	}
	n := int64(math.Round(v * float64(scale)))
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	whole, rest := n/scale, n%scale
	if whole != 0 || rest == 0 {
		dst = strconv.AppendInt(dst, whole, 10)
	}
	if rest == 0 {
		return dst
	}
	for dst = append(dst, '.'); rest != 0; rest %= scale {
		scale /= 10
		dst = append(dst, byte('0'+rest/scale))
	}
	return dst
}

// Number returns what AppendNumber appends.
func Number(v float64) string { return string(AppendNumber(nil, v)) }
