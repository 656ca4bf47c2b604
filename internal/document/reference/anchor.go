package reference

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Anchors finds the places of a page that fragments mean.
type Anchors struct {
	exact map[string]bool
	alike map[string]string // by letters and digits
}

// NewAnchors returns what finds some anchors, the first of those that are alike.
func NewAnchors(anchors []string) *Anchors {
	a := &Anchors{map[string]bool{}, map[string]string{}}
	for _, anchor := range anchors {
		a.exact[anchor] = true
		if key := letters(anchor); key != "" && a.alike[key] == "" {
			a.alike[key] = anchor
		}
	}
	return a
}

// Find returns the anchor that a fragment means: itself, or else the one with
// the same letters and digits; "" where there is none. Browsers know "top".
func (a *Anchors) Find(fragment string) string {
	if a.exact[fragment] || fragment == "" || strings.EqualFold(fragment, "top") || strings.HasPrefix(fragment, ":~:") {
		return fragment
	}
	return a.alike[letters(fragment)]
}

// letters returns the letters and digits of a text, without capitals and accents.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKD.String(text))
}
