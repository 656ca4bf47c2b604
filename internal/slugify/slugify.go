// Package slugify makes slugs of names and paths written in any script. It knows
// how letters are spelt in ASCII, and nothing of pages.
package slugify

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// MaxLen is the maximum length of a slug in bytes.
const MaxLen = 200

// letters maps letters that do not decompose into ASCII, in lower case and without
// accents, which are removed first.
const letters = "ß ss æ ae œ oe ø o đ d ð d þ th ł l ħ h ı i ŋ n ŧ t ĸ k ə e " +
	"а a б b в v г g ґ g д d е e є ie ж zh з z и i і i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ - ы y ь - э e ю iu я ia ђ dj ј j љ lj њ nj ћ c џ dz " +
	"α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o"

// Maker makes slugs of paths. It is safe for concurrent use.
type Maker struct{ spelling map[rune]string }

func NewMaker() Maker {
	s := Maker{spelling: map[rune]string{}}
	words := strings.Fields(letters)
	for i := 0; i < len(words); i += 2 {
		s.spelling[[]rune(words[i])[0]] = strings.Trim(words[i+1], "-")
	}
	return s
}

// Join returns the slug of path parts: groups of lower-case ASCII letters and digits
// joined by hyphens, 1 to MaxLen bytes, or "" without parts. A part without any usable
// character becomes a short hash of it, and a slug that is too long ends in one; exact
// reports that neither happened. Equal parts give equal slugs, whatever their Unicode
// normalization.
func (s Maker) Join(parts []string) (slug string, exact bool) {
	exact = true
	words := make([]string, 0, len(parts))
	for _, part := range parts {
		word := s.fold(part)
		if word == "" {
			word, exact = shortHash(norm.NFKD.String(part)), false
		}
		words = append(words, word)
	}
	slug = strings.Join(words, "-")
	if len(slug) > MaxLen {
		slug, exact = Cut(slug, shortHash(slug)), false
	}
	return slug, exact
}

// fold writes a name in lower-case ASCII letters and digits, with hyphens for everything
// else.
func (s Maker) fold(name string) string {
	var b strings.Builder
	dash := false
	for _, r := range norm.NFKD.String(name) {
		if unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' {
			continue
		}
		r = unicode.ToLower(r)
		spelt := string(r)
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			var known bool
			if spelt, known = s.spelling[r]; !known {
				dash = true
				continue
			}
		}
		if spelt == "" {
			continue
		}
		if dash && b.Len() > 0 {
			b.WriteByte('-')
		}
		dash = false
		b.WriteString(spelt)
	}
	return b.String()
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}

// Cut shortens slug so that suffix fits after it.
func Cut(slug, suffix string) string {
	if room := MaxLen - len(suffix) - 1; len(slug) > room {
		slug = strings.TrimRight(slug[:room], "-")
	}
	return slug + "-" + suffix
}

// Numbered returns the slug for the n-th page with the same one.
func Numbered(slug string, n int) string { return Cut(slug, strconv.Itoa(n)) }

// HasNumber reports whether slug is wanted with a numeric suffix.
func HasNumber(slug, wanted string) bool {
	i := strings.LastIndexByte(slug, '-')
	digits := strings.Trim(slug[i+1:], "0123456789") == ""
	return i > 0 && digits && Cut(wanted, slug[i+1:]) == slug
}
