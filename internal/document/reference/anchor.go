package reference

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Anchors finds the places of a page that fragments mean. It is used by one
// goroutine.
type Anchors struct {
	names string            // a line each, in one piece of memory, since a tree has many pages
	exact map[string]bool   // once one is asked for
	alike map[string]string // by letters and digits, once one is not there
}

// NewAnchors returns what finds some anchors, the first of those that are alike.
func NewAnchors(names []string) *Anchors {
	return &Anchors{names: strings.Join(append(names, ""), "\n")} // a copy of what is part of the text of a page
}

// Add takes up the anchors of a text that is shown on the page.
func (a *Anchors) Add(shown *Anchors) { a.names += shown.names }

// Find returns the anchor that a fragment means: itself, or else the one with
// the same letters and digits; "" where there is none. Browsers know "top".
func (a *Anchors) Find(fragment string) string {
	if a.exact == nil {
		a.exact = map[string]bool{}
		for name := range strings.SplitSeq(a.names, "\n") {
			a.exact[name] = true
		}
	}
	if a.exact[fragment] || fragment == "" || strings.EqualFold(fragment, "top") || strings.HasPrefix(fragment, ":~:") {
		return fragment
	}
	if a.alike == nil {
		a.alike = map[string]string{}
		for name := range strings.SplitSeq(a.names, "\n") {
			if key := letters(name); key != "" && a.alike[key] == "" {
				a.alike[key] = name
			}
		}
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
