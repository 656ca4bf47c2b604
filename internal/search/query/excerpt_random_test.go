package query

import (
	"fmt"
	"html"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// TestExcerptsWhole: whatever a text is, its excerpt is a part of it, with
// nothing in it but text and marks that are closed, no two spaces, and no
// letter without what is written onto it.
func TestExcerptsWhole(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"agent", "Agent's", "--no-cache", "x.y", "<b>", "&", "\"", "'", "&amp;", "<mark>", "</mark>", "filler filler filler",
		" ", "  ", "\n\n", "\t", "\x00", "\x1b", "\u0085", "\u2028", "\u00a0", "\u202e", "\ufffd", "👨‍👩‍👧", "計算屬性", "计算属性", "，", "。",
		"ก็", "x\u0301", "รู้", strings.Repeat("long", 80), strings.Repeat("属性", 150), strings.Repeat("รู้", 60),
	}
	terms := map[string]float64{"agent": 2, "nocache": 3, "no": 1, "cache": 1, "xy": 1, "属性": 2, "计算": 2, "算属": 1, "ก็": 2}
	marks := strings.NewReplacer("<mark>", "", "</mark>", "")
	squeeze := func(text string) string { return strings.Join(strings.FieldsFunc(text, blank), " ") }
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(pieces[r.IntN(len(pieces))])
			b.WriteString([]string{"", " "}[r.IntN(2)])
		}
		text := analysis.Clean(b.String())
		excerpt := cutExcerpt(text, terms)
		shown := marks.Replace(excerpt)
		plain := html.UnescapeString(shown)
		whole, part := squeeze(text), squeeze(strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(plain, " · ", " "), "… "), " …"))
		at := strings.Index(whole, part)
		fault := ""
		switch {
		case !utf8.ValidString(excerpt) || strings.ContainsAny(shown, "<>\"'") || strings.ContainsFunc(plain, unicode.IsControl):
			fault = "has what is no text"
		case strings.Count(excerpt, "<mark>") != strings.Count(excerpt, "</mark>") || strings.Contains(excerpt, "<mark></mark>") || strings.Contains(excerpt, "</mark><mark>"):
			fault = "has marks that are not closed or needless"
		case strings.Contains(plain, "  "):
			fault = "has two spaces"
		case at < 0:
			fault = "is no part"
		case utf8.RuneCountInString(plain)-2*strings.Count(plain, " · ") > excerptSize+10:
			fault = "is too long"
		default:
			if next, _ := utf8.DecodeRuneInString(whole[at+len(part):]); strings.HasSuffix(plain, " …") && unicode.IsMark(next) {
				fault = "ends within a letter"
			}
		}
		if fault != "" {
			t.Fatalf("the excerpt of %q %s: %q", text, fault, excerpt)
		}
	}
}

// TestExcerptsHaveMatches: an excerpt marks what the scanner finds in the whole
// text, though most of the text is not scanned.
func TestExcerptsHaveMatches(t *testing.T) {
	t.Parallel()
	letters := []rune("aabbcSs1..--_''’:#+     \n\té属性が\u0301\u00ad\x00\v\f\x1f\x7f\u0085\u00a0\u200b\u2028")
	r := rand.New(rand.NewPCG(3, 5))
	random := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteRune(letters[r.IntN(len(letters))])
		}
		return analysis.Clean(b.String())
	}
	for range 10_000 {
		text := random(r.IntN(200))
		terms := make(map[string]float64)
		var scanner analysis.Scanner
		for _, source := range []string{text, random(60)} {
			scanner.Scan(source, 0, func(t analysis.Token) {
				if r.IntN(100) == 0 || t.Kind == analysis.Flag && r.IntN(2) == 0 {
					terms[string(t.Text)] = 1
				}
			})
		}
		var want, have []string
		scanner.Scan(text, 0, func(t analysis.Token) {
			if terms[string(t.Text)] > 0 {
				want = append(want, fmt.Sprint(t.Start, t.End, string(t.Text)))
			}
		})
		var e excerpter
		e.seek(terms)
		e.match(text)
		for _, s := range e.spans {
			have = append(have, fmt.Sprint(s.start, s.end, s.term))
		}
		if !slices.Equal(have, want) {
			t.Fatalf("%q with the terms %v:\nhave %q\nwant %q", text, terms, have, want)
		}
	}
}
