package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// Stemmer makes stems of words of one language. The zero Stemmer is for
// English, and for pages without a language or in one without rules.
type Stemmer uint8

// Stemmers is the number of stemmers.
const Stemmers = Stemmer(len(stemmers))

// stemmers are those of Snowball by the numbers stored in indexes. Accents
// lists endings that the rules know with accents, which terms do not have.
var stemmers = [...]struct {
	language string
	stem     func(*snowballstem.Env) bool
	accents  *strings.Replacer
}{
	{},
	{"ar", arabic.Stem, nil},
	{"da", danish.Stem, nil},
	{"de", german.Stem, nil},
	{"es", spanish.Stem, strings.NewReplacer("cion$", "ción", "sion$", "sión")},
	{"fi", finnish.Stem, nil},
	{"fr", french.Stem, strings.NewReplacer("ee$", "ée", "ees$", "ées", "ite$", "ité", "ites$", "ités")},
	{"hu", hungarian.Stem, nil},
	{"it", italian.Stem, nil},
	{"nb", norwegian.Stem, nil},
	{"nl", dutch.Stem, nil},
	{"nn", norwegian.Stem, nil},
	{"no", norwegian.Stem, nil},
	{"pt", portuguese.Stem, strings.NewReplacer("cao$", "ção", "coes$", "ções")},
	{"ro", romanian.Stem, nil},
	{"ru", russian.Stem, nil},
	{"sv", swedish.Stem, nil},
	{"tr", turkish.Stem, nil},
}

// StemmerOf returns the stemmer of a BCP 47 language.
func StemmerOf(language string) Stemmer {
	language, _, _ = strings.Cut(strings.ToLower(language), "-")
	for i := range stemmers {
		if stemmers[i].language == language {
			return Stemmer(i)
		}
	}
	return 0
}

// Takes reports whether a term may have another stem, or be the stem of other terms.
func (s Stemmer) Takes(term string) bool {
	if s == 0 {
		return Stemmable(term)
	}
	return utf8.RuneCountInString(term) >= minStem && strings.IndexFunc(term, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// Stem returns the stem of a term.
func (s Stemmer) Stem(term string) string {
	switch {
	case s == 0:
		return Stem(term)
	case !s.Takes(term):
		return term
	}
	if accents := stemmers[s].accents; accents != nil {
		term = strings.TrimSuffix(accents.Replace(term+"$"), "$")
	}
	env := snowballstem.NewEnv(term)
	stemmers[s].stem(env)
	return env.Current()
}
