// Package lexicon finds word boundaries in scripts without spaces, Thai, Lao, Khmer and Burmese,
// by word lists. data/SOURCES.md lists their sources, scripts/vendor-lexicons updates
// them.
//
// Callers choose line breaks among the boundaries.
package lexicon

import (
	"embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// data has the built-in lists, compressed.
//
//go:embed data/*.zst
var data embed.FS

type lexicon struct {
	script *unicode.RangeTable
	words  func() []string // sorted, read on first use
}

var lexicons = []lexicon{
	{unicode.Thai, list("thai")}, {unicode.Lao, list("lao")}, {unicode.Khmer, list("khmer")}, {unicode.Myanmar, list("burmese")},
}

func list(name string) func() []string {
	return sync.OnceValue(func() []string {
		packed, err := data.ReadFile("data/" + name + ".txt.zst")
		if err != nil {
			panic(err) // built in, so always valid
		}
		r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		if err != nil {
			panic(err)
		}
		defer r.Close()
		text, err := r.DecodeAll(packed, nil)
		if err != nil {
			panic(err)
		}
		return strings.Fields(string(text))
	})
}

// Joined reports whether a character is of a script without spaces.
func Joined(r rune) bool { return 0x0e00 <= r && r <= 0x17ff && of(r) != nil }

func of(r rune) *lexicon {
	for i := range lexicons {
		if unicode.Is(lexicons[i].script, r) {
			return &lexicons[i]
		}
	}
	return nil
}

// maxRun limits the characters analysed together.
const maxRun = 1024

// Breaks returns the offsets in text at which words begin, without the start. Unknown text is not
// divided, nor are grapheme clusters.
func Breaks(text []rune) (places []int) {
	for from := 0; from < len(text); {
		l, to := (*lexicon)(nil), from+1
		if Joined(text[from]) {
			l = of(text[from])
		}
		for ; to < len(text) && to-from < maxRun; to++ {
			if l == nil && Joined(text[to]) || l != nil && !unicode.Is(l.script, text[to]) && !unicode.Is(unicode.Mn, text[to]) {
				break
			}
		}
		if l != nil {
			for _, at := range l.divide(text[from:to]) {
				places = append(places, from+at)
			}
		}
		from = to
	}
	return places
}

// The costs of a segmentation: words are cheap, so that fewer words win; clusters outside of words
// are expensive.
const (
	costOfWord    = 1
	costOfShort   = 3 // a single cluster, often part of a name
	costOfUnknown = 8
)

// divide returns the offsets at which words begin.
func (l *lexicon) divide(text []rune) (places []int) {
	type step struct {
		cost, from int
		word       bool
	}
	best := make([]step, len(text)+1)
	for i := range best[1:] {
		best[i+1].cost = 1 << 30
	}
	reach := func(from, to, cost int, word bool) {
		if c := best[from].cost + cost; c < best[to].cost {
			best[to] = step{c, from, word}
		}
	}
	for at := range text {
		if best[at].cost == 1<<30 {
			continue
		}
		next := at + 1
		for next < len(text) && clings(text[next-1], text[next]) {
			next++
		}
		reach(at, next, costOfUnknown, false)
		l.prefixes(text[at:], func(length int) {
			end := at + length
			if end < len(text) && clings(text[end-1], text[end]) {
				return
			}
			cost := costOfWord
			if end <= next {
				cost = costOfShort
			}
			reach(at, end, cost, true)
		})
	}
	known := true
	for at := len(text); at > 0; at = best[at].from {
		if at < len(text) && (known || best[at].word) && !strings.ContainsRune(closes, text[at]) {
			places = append(places, at)
		}
		known = best[at].word
	}
	slices.Reverse(places)
	return places
}

// prefixes calls f with the length of each word that is a prefix of text.
func (l *lexicon) prefixes(text []rune, f func(length int)) {
	left := l.words()
	var so [128]byte
	prefix := so[:0]
	for i, r := range text {
		if prefix = utf8.AppendRune(prefix, r); len(prefix) > len(so)-4 {
			return
		}
		from, exact := slices.BinarySearch(left, string(prefix))
		left = left[from:]
		if exact {
			f(i + 1)
		}
		to, _ := slices.BinarySearchFunc(left, prefix, func(word string, prefix []byte) int {
			if strings.HasPrefix(word, string(prefix)) {
				return -1
			}
			return strings.Compare(word, string(prefix))
		})
		if left = left[:to]; len(left) == 0 {
			return
		}
	}
}

// clings reports whether a character must stay with the previous one: combining marks,
// vowels before or after their consonant, and subscript consonants.
func clings(before, r rune) bool {
	if unicode.In(r, unicode.Mn, unicode.Mc) || r == 0x200c || r == 0x200d {
		return true
	}
	switch {
	case r == 'ะ' || r == 'า' || r == 'ำ' || r == 'ๅ', r == 'ະ' || r == 'າ' || r == 'ຳ' || r == 'ຽ':
		return true
	case 'เ' <= before && before <= 'ไ', 'ເ' <= before && before <= 'ໄ':
		return true
	case before == '្' || before == '္': // a subscript consonant
		return true
	}
	return false
}

// closes are the signs that repeat or shorten a word, or stand behind it.
const closes = "ๆฯ๚๛ໆຯ។៕៖ៗ៘៚၊။"
