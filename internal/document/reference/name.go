package reference

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// byName is the scheme of references by name, independent of the folder.
const byName = "wiki:"

// ByName returns the address of a page or file by its name, optionally preceded by folder names;
// an empty name is the same page.
func ByName(name, fragment string) string {
	return byName + (&url.URL{Path: name, Fragment: fragment}).String()
}

// Named reports whether an address is a result of ByName.
func Named(href string) bool { return strings.HasPrefix(href, byName) }

// NameKey returns the key of a path for references by name, case-insensitive. It is never equal
// to a path key.
func NameKey(source string) string {
	key := PathKey(source)
	if key == "" { // the root folder has no name
		return ""
	}
	return "//" + strings.ToLower(path.Base(key))
}

// named parses an address of ByName; it returns nil for others.
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

// namedCandidates returns the paths to try for a name: from the root, the folder of a file, and
// those above it.
func namedCandidates(name, source string) []string {
	list := []string{path.Clean("/" + name)[1:]}
	for _, p := range candidatePaths(strings.TrimLeft(name, "./"), source) {
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}
