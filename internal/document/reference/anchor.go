package reference

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Anchors resolves fragments on a page. It is not safe for concurrent use.
type Anchors struct {
	names string            // one per line, in one allocation, since a tree has many pages
	exact map[string]bool   // computed on first use
	alike map[string]string // by letters and digits, computed on the first miss
}

// NewAnchors returns a resolver; of similar names the first wins.
func NewAnchors(names []string) *Anchors {
	return &Anchors{names: strings.Join(append(names, ""), "\n")} // copied, not to keep the page's text in memory
}

// Add adds the anchors of a text embedded in the page.
func (a *Anchors) Add(shown *Anchors) { a.names += shown.names }

// Find returns the anchor for a fragment: an equal one, else one with the same letters and
// digits, else "". "top" always exists.
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

// letters folds a text to its letters and digits, without case and accents.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKD.String(text))
}
