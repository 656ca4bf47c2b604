package reference

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"
)

// byName begins the addresses of what is named by itself, wherever in the tree
// it stands.
const byName = "wiki:"

// ByName returns the address of a page or file that a wiki link names, by itself
// or below some of the folders above it; of a place on the same page where the
// name is "".
func ByName(name, fragment string) string {
	return byName + (&url.URL{Path: name, Fragment: fragment}).String()
}

// byLabel begins the addresses of places that have a label, wherever in the tree
// they stand.
const byLabel = "label:"

// ByLabel returns the address of the place that has a label, behind "#", or of the page
// at a path and else of the place whose label that path is.
func ByLabel(written string) string { return byLabel + written }

// LabelKey returns the key under which links by label find a page: no path key and no
// name key is like it. The case of letters does not count.
func LabelKey(label string) string { return "///" + strings.ToLower(label) }

// labelled takes an address of ByLabel apart.
func labelled(href string) (written, label string, ok bool) {
	written, ok = strings.CutPrefix(href, byLabel)
	u, err := url.Parse(written)
	if !ok || err != nil || u.Path+u.Fragment == "" {
		return "", "", false
	}
	return written, cmp.Or(u.Fragment, u.Path), true
}

// Named reports whether an address is one of ByName or ByLabel.
func Named(href string) bool {
	return strings.HasPrefix(href, byName) || strings.HasPrefix(href, byLabel)
}

// NameKey returns the key under which links by name find a page or file at a
// path: no path key is like it. The case of letters does not count.
func NameKey(source string) string {
	key := PathKey(source)
	if key == "" { // the folder at the root has no name
		return ""
	}
	return "//" + strings.ToLower(path.Base(key))
}

// named takes an address of ByName apart; it is nil for others.
func named(href string) *url.URL {
	rest, found := strings.CutPrefix(href, byName)
	if !found {
		return nil
	}
	u, err := url.Parse(rest)
	if err != nil || u.Path == "" {
		return nil
	}
	u.Path = strings.TrimPrefix(u.Path, "./")
	return u
}

// namedPlaces returns where in the tree a name is looked for as a path: from the
// root, and from the folder of a file and those above it.
func namedPlaces(name, source string) []string {
	list := []string{path.Clean("/" + name)[1:]}
	for _, p := range places(strings.TrimLeft(name, "./"), source) {
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}
