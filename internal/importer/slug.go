package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxSlug is the length in bytes past which a slug is cut.
const maxSlug = 200

// letters spells out letters that do not decompose into ASCII ones, in lower
// case and without accents, which are dropped before.
const letters = "ß ss æ ae œ oe ø o đ d ð d þ th ł l ħ h ı i ŋ n ŧ t ĸ k ə e " +
	"а a б b в v г g ґ g д d е e є ie ж zh з z и i і i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ - ы y ь - э e ю iu я ia ђ dj ј j љ lj њ nj ћ c џ dz " +
	"α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o"

// slugger turns paths into slugs.
type slugger struct{ spelling map[rune]string }

func newSlugger() slugger {
	s := slugger{spelling: map[rune]string{}}
	words := strings.Fields(letters)
	for i := 0; i < len(words); i += 2 {
		s.spelling[[]rune(words[i])[0]] = strings.Trim(words[i+1], "-")
	}
	return s
}

// join makes the slug of path parts: groups of lower-case ASCII letters and
// digits joined by hyphens, 1 to maxSlug bytes, or "" when there is no part.
// A part of which nothing can be spelt is replaced by a short hash
// of it, and a slug that is too long ends in one; exact says that neither
// happened. Equal parts give equal slugs, however their accents are encoded.
func (s slugger) join(parts []string) (slug string, exact bool) {
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
	if len(slug) > maxSlug {
		slug, exact = cutSlug(slug, shortHash(slug)), false
	}
	return slug, exact
}

// fold spells a name in lower-case ASCII letters and digits; whatever else
// stands in it parts them.
func (s slugger) fold(name string) string {
	var b strings.Builder
	dash := false
	for _, r := range norm.NFKD.String(name) {
		if unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' {
			continue
		}
		r = unicode.ToLower(r)
		spelt, known := s.spelling[r]
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			spelt = string(r)
		case !known:
			dash = true
			continue
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

// cutSlug shortens slug so that suffix fits behind it.
func cutSlug(slug, suffix string) string {
	if room := maxSlug - len(suffix) - 1; len(slug) > room {
		slug = strings.TrimRight(slug[:room], "-")
	}
	return slug + "-" + suffix
}

// numbered returns the slug for the n-th page that wants it.
func numbered(slug string, n int) string { return cutSlug(slug, strconv.Itoa(n)) }

// splitNumber parts a leading number that orders a file among its siblings,
// as in 01-intro, from its name. Dates and versions are part of the name.
func splitNumber(name string) (number int64, rest string, ok bool) {
	digits := strings.IndexFunc(name, func(r rune) bool { return r < '0' || r > '9' })
	if digits < 1 || digits > 9 {
		return 0, name, false
	}
	behind := strings.TrimLeft(name[digits:], " ")
	rest = strings.TrimLeft(behind, "-_. ")
	if rest == "" || strings.IndexByte("-_.", behind[0]) < 0 || rest[0] >= '0' && rest[0] <= '9' {
		return 0, name, false
	}
	number, err := strconv.ParseInt(name[:digits], 10, 32)
	return number, rest, err == nil
}

// pathParts splits a path in a tree into names without ordering numbers; the
// last one is without its extension.
func pathParts(file string) []string {
	parts := strings.Split(strings.TrimSuffix(file, path.Ext(file)), "/")
	for i, part := range parts {
		_, parts[i], _ = splitNumber(part)
	}
	return parts
}

// addressParts splits a path of a web site, such as /docs/intro.html#top.
func addressParts(address string) []string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	address = strings.TrimSuffix(strings.TrimSuffix(address, "/"), ".html")
	address = strings.TrimSuffix(address, "/index")
	return strings.FieldsFunc(address, func(r rune) bool { return r == '/' })
}
