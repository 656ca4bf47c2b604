package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// class classifies characters by their role in words.
type class uint8

const (
	other class = iota
	mark        // belongs to the character before it, or is invisible
	lower
	upper
	digit
	letter // of a script without cases
	dense  // of a script without spaces
)

// inWord reports whether such characters belong to words.
func (c class) inWord() bool { return c >= lower && c <= letter }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// classAt returns the class and the width of the character at i, and other at
// the end of the text.
func classAt(text string, i int) (class, int) {
	if i >= len(text) {
		return other, 0
	}
	switch c := text[i]; {
	case 'a' <= c && c <= 'z':
		return lower, 1
	case 'A' <= c && c <= 'Z':
		return upper, 1
	case '0' <= c && c <= '9':
		return digit, 1
	case c < utf8.RuneSelf:
		return other, 1
	}
	r, width := utf8.DecodeRuneInString(text[i:])
	return classOf(r), width
}

// classOf returns the class of a character outside ASCII.
func classOf(r rune) class {
	switch {
	case common(r):
		return dense
	case r == utf8.RuneError, r == 'ʼ': // a letter that is used as an apostrophe
		return other
	case r == '\u00AD', r >= '\u200B' && r <= '\u200D', r == '\u2060', r == '\uFEFF':
		return mark // soft hyphens, joiners and similar
	case unicode.IsMark(r):
		return mark
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		return other
	case spaceless(r):
		return dense
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return upper
	case unicode.IsLower(r):
		return lower
	case unicode.IsNumber(r):
		return digit
	}
	return letter
}

// common reports whether a character is a frequent Chinese character or
// Korean syllable, which needs no table look-up.
func common(r rune) bool { return r >= 0x4E00 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 }

// spaceless reports whether a letter belongs to a script without spaces
// between words, or, as Korean, with attached particles.
func spaceless(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r <= 0x0EFF, // Thai, Lao
		r >= 0x1000 && r <= 0x109F,   // Myanmar
		r >= 0x1100 && r <= 0x11FF,   // Hangul Jamo
		r >= 0x1780 && r <= 0x17FF,   // Khmer
		r >= 0x2E80 && r <= 0x9FFF,   // Han, Kana, Hangul compatibility
		r >= 0xA960 && r <= 0xA97F,   // Hangul Jamo
		r >= 0xAC00 && r <= 0xD7FF,   // Hangul
		r >= 0xF900 && r <= 0xFAFF,   // Han compatibility
		r >= 0xFF66 && r <= 0xFFDC,   // half-width Katakana and Hangul
		r >= 0x1B000 && r <= 0x1B16F, // Kana supplement
		r >= 0x20000 && r <= 0x3FFFF: // Han extensions
		return true
	}
	return false
}

// combining reports whether r is a mark that folding drops: accents, and the
// optional points of Hebrew and Arabic.
func combining(r rune) bool {
	switch {
	case r < 0x0300:
		return false
	case r <= 0x036F,
		r >= 0x0591 && r <= 0x05BD, r == 0x05BF, r >= 0x05C1 && r <= 0x05C2, r >= 0x05C4 && r <= 0x05C5, r == 0x05C7,
		r >= 0x0610 && r <= 0x061A, r >= 0x064B && r <= 0x065F, r == 0x0670, r >= 0x06D6 && r <= 0x06DC,
		r >= 0x06DF && r <= 0x06E4, r >= 0x06E7 && r <= 0x06E8, r >= 0x06EA && r <= 0x06ED,
		r == 0x0640: // lengthens a letter
		return true
	}
	return false
}

// appendFolded appends a character of a word without its accents, in lower
// case and normal width.
func appendFolded(dst []byte, r rune) []byte {
	switch r {
	case 'ß', 'ẞ':
		return append(dst, "ss"...)
	case 'æ', 'Æ':
		return append(dst, "ae"...)
	case 'œ', 'Œ':
		return append(dst, "oe"...)
	case 'ø', 'Ø':
		return append(dst, 'o')
	case 'ł', 'Ł':
		return append(dst, 'l')
	case 'đ', 'Đ', 'ð', 'Ð':
		return append(dst, 'd')
	case 'ı', 'İ':
		return append(dst, 'i')
	case 'й', 'Й': // a separate letter, which some endings need
		return utf8.AppendRune(dst, 'й')
	case 'ς':
		return utf8.AppendRune(dst, 'σ')
	}
	if combining(r) || unicode.Is(unicode.Cf, r) {
		return dst
	}
	var encoded [utf8.UTFMax]byte
	n := utf8.EncodeRune(encoded[:], r)
	parts := norm.NFKD.Properties(encoded[:n]).Decomposition()
	if len(parts) == 0 {
		return utf8.AppendRune(dst, unicode.ToLower(r))
	}
	for len(parts) > 0 {
		p, width := utf8.DecodeRune(parts)
		parts = parts[width:]
		if !combining(p) && (unicode.IsLetter(p) || unicode.IsNumber(p) || unicode.IsMark(p)) {
			dst = utf8.AppendRune(dst, unicode.ToLower(p))
		}
	}
	return dst
}

// appendDense appends a character of a script without spaces in normal width.
func appendDense(dst []byte, text string) []byte {
	r, _ := utf8.DecodeRuneInString(text)
	switch {
	case common(r):
		return append(dst, text...)
	case unicode.Is(unicode.Cf, r):
		return dst
	}
	if r >= 0xF900 && r <= 0xFFDC {
		text = norm.NFKC.String(text)
	}
	return append(dst, text...)
}

// Clean returns text in the form that Scan needs: valid UTF-8 in normal form
// C. Invalid bytes become U+FFFD.
func Clean(text string) string {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	if norm.NFC.IsNormalString(text) {
		return text
	}
	return norm.NFC.String(text)
}
