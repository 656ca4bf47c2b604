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

// MaxLen is the length in bytes past which a slug is cut.
const MaxLen = 200

// letters spells out letters that do not decompose into ASCII ones, in lower
// case and without accents, which are dropped before.
const letters = "ß ss æ ae œ oe ø o đ d ð d þ th ł l ħ h ı i ŋ n ŧ t ĸ k ə e " +
	"а a б b в v г g ґ g д d е e є ie ж zh з z и i і i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ - ы y ь - э e ю iu я ia ђ dj ј j љ lj њ nj ћ c џ dz " +
	"α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o"

// Maker turns paths into slugs. It is safe for concurrent use.
type Maker struct{ spelling map[rune]string }

// NewMaker returns a Maker.
func NewMaker() Maker {
	s := Maker{spelling: map[rune]string{}}
	words := strings.Fields(letters)
	for i := 0; i < len(words); i += 2 {
		s.spelling[[]rune(words[i])[0]] = strings.Trim(words[i+1], "-")
	}
	return s
}

// Join makes the slug of path parts: groups of lower-case ASCII letters and
// digits joined by hyphens, 1 to MaxLen bytes, or "" when there is no part.
// A part of which nothing can be spelt is replaced by a short hash
// of it, and a slug that is too long ends in one; exact says that neither
// happened. Equal parts give equal slugs, however their accents are encoded.
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

// fold spells a name in lower-case ASCII letters and digits; whatever else
// stands in it parts them.
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

// shortHash returns eight characters that stand for s.
func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}

// Cut shortens slug so that suffix fits behind it.
func Cut(slug, suffix string) string {
	if room := MaxLen - len(suffix) - 1; len(slug) > room {
		slug = strings.TrimRight(slug[:room], "-")
	}
	return slug + "-" + suffix
}

// Numbered returns the slug for the n-th page that wants it.
func Numbered(slug string, n int) string { return Cut(slug, strconv.Itoa(n)) }
