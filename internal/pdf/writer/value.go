package writer

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Text formats a text string, as a literal if it is ASCII, else as UTF-16.
func Text(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x7f || s[i] < ' ' {
			return UTF16([]rune(s))
		}
	}
	return literal(s)
}

// UTF16 formats characters as a hexadecimal UTF-16 string.
func UTF16(text []rune) string {
	out := []byte("<FEFF")
	for _, unit := range utf16.Encode(text) {
		out = fmt.Appendf(out, "%04X", unit)
	}
	return string(append(out, '>'))
}

// bytesOf formats a byte string, such as a destination name.
func bytesOf(s string) string { return fmt.Sprintf("<%X>", s) }

// Name formats a name with its slash.
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

// AppendNumber appends a number with at most two decimals, which is precise enough for points.
func AppendNumber(dst []byte, v float64) []byte { return appendNumber(dst, v, 2) }

// AppendPrecise appends a number with at most three decimals.
func AppendPrecise(dst []byte, v float64) []byte { return appendNumber(dst, v, 3) }

// Rounded rounds like AppendNumber.
func Rounded(v float64) float64 { return math.Round(v*100) / 100 }

// appendNumber appends a number with at most digits decimals and no zero before the point.
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

// Number formats like AppendNumber.
func Number(v float64) string { return string(AppendNumber(nil, v)) }
