package reference

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Anchor is a place of a page that fragments mean.
type Anchor struct {
	Name  string
	Title string // of what stands there, in one line; "" where that has none
	Label bool   // links of other pages may name it without the page
}

// Anchors finds the places of a page that fragments mean. It is used by one
// goroutine.
type Anchors struct {
	list  []Anchor
	exact map[string]string // what stands there, once one is asked for
	alike map[string]string // by letters and digits, once one is not there
}

// NewAnchors returns what finds some anchors, the first of those that are alike.
func NewAnchors(list []Anchor) *Anchors {
	for i, a := range list { // which is part of the text of a page
		list[i].Name, list[i].Title = strings.Clone(a.Name), strings.Clone(a.Title)
	}
	return &Anchors{list: slices.Clip(list)}
}

// Add takes up the anchors of a text that is shown on the page.
func (a *Anchors) Add(shown *Anchors) { *a = Anchors{list: slices.Concat(a.list, shown.list)} }

// Labels returns the keys of the anchors that links of other pages may name alone.
func (a *Anchors) Labels() (keys []string) {
	for _, anchor := range a.list {
		if key := LabelKey(anchor.Name); anchor.Label && anchor.Name != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Title returns the title of what stands at an anchor, "" where it has none.
func (a *Anchors) Title(anchor string) string {
	a.Find(anchor)
	return a.exact[anchor]
}

// Find returns the anchor that a fragment means: itself, or else the one with
// the same letters and digits; "" where there is none. Browsers know "top".
func (a *Anchors) Find(fragment string) string {
	if a.exact == nil {
		a.exact = map[string]string{}
		for _, anchor := range a.list {
			a.exact[anchor.Name] = cmp.Or(a.exact[anchor.Name], anchor.Title)
		}
	}
	if _, found := a.exact[fragment]; found || fragment == "" || strings.EqualFold(fragment, "top") || strings.HasPrefix(fragment, ":~:") {
		return fragment
	}
	if a.alike == nil {
		a.alike = map[string]string{}
		for _, anchor := range a.list {
			if key := letters(anchor.Name); key != "" && a.alike[key] == "" {
				a.alike[key] = anchor.Name
			}
		}
	}
	return a.alike[letters(fragment)]
}

// Meets reports whether an anchor is the one that an address with a fragment means:
// links by name have the text of a heading, and those by label may be a path.
func Meets(href, fragment, anchor string) bool {
	return fragment == "" || anchor == fragment || Named(href) && (anchor != "" || !strings.Contains(href, "#"))
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
