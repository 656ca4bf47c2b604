package reference

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Anchor is a link target on a page.
type Anchor struct {
	Name  string
	Title string // of the content, in one line; may be ""
	Label bool   // links on other pages may use the name alone
}

// Anchors resolves fragments on a page. It is not safe for concurrent use.
type Anchors struct {
	list  []Anchor
	exact map[string]string // titles; computed on first use
	alike map[string]string // by letters and digits, computed on the first miss
}

// NewAnchors returns a resolver; of similar names the first wins.
func NewAnchors(list []Anchor) *Anchors {
	for i, a := range list { // copied, not to keep the page's text in memory
		list[i].Name, list[i].Title = strings.Clone(a.Name), strings.Clone(a.Title)
	}
	return &Anchors{list: slices.Clip(list)}
}

// Add adds the anchors of a text embedded in the page.
func (a *Anchors) Add(shown *Anchors) { *a = Anchors{list: slices.Concat(a.list, shown.list)} }

// Labels returns the keys of the labels, see LabelKey.
func (a *Anchors) Labels() (keys []string) {
	seen := map[string]bool{}
	for _, anchor := range a.list {
		if key := LabelKey(anchor.Name); anchor.Label && anchor.Name != "" && !seen[key] {
			keys, seen[key] = append(keys, key), true
		}
	}
	return keys
}

// Title returns the title of an anchor, or "".
func (a *Anchors) Title(anchor string) string {
	a.Find(anchor)
	return a.exact[anchor]
}

// Has reports whether there is an anchor with exactly that name.
func (a *Anchors) Has(name string) bool {
	return slices.ContainsFunc(a.list, func(one Anchor) bool { return one.Name == name })
}

// Find returns the anchor for a fragment: an equal one, else one with the same letters and
// digits, else "". "top" always exists. GitBook writes id- before a digit, and Mintlify
// has come to write param- before the name of a field.
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
			for _, name := range []string{anchor.Name, strings.TrimPrefix(anchor.Name, "param-")} {
				if key := letters(name); key != "" && a.alike[key] == "" {
					a.alike[key] = anchor.Name
				}
			}
		}
	}
	return cmp.Or(a.alike[letters(fragment)], a.alike[letters(strings.TrimPrefix(fragment, "id-"))])
}

// Meets reports whether a link with a fragment means the anchor. A wiki link has the text of a
// heading, and a link by label may have a path.
func Meets(href, fragment, anchor string) bool {
	return fragment == "" || anchor == fragment || Named(href) && (anchor != "" || !strings.Contains(href, "#"))
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
