package reference

import (
	"cmp"
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

// byLabel is the scheme of links to labels.
const byLabel = "label:"

// ByLabel returns the address of a label: "#" and the label, or a path, which means a page
// first and else the label.
func ByLabel(written string) string { return byLabel + written }

// Labelled returns a link in a tool that knows labels: one to an anchor of the page, one by
// label, or the address as it is.
func Labelled(href string, anchors *Anchors) string {
	fragment := Fragment(href)
	switch found := anchors.Find(fragment); {
	case Local(href) && strings.EqualFold(found, fragment):
		return "#" + found
	case Local(href), href != "" && strings.Trim(href[:1], "./") != "" && path.Ext(href) == "" && !strings.ContainsAny(href, ":?#"):
		return ByLabel(href)
	}
	return href
}

// onPage begins addresses as another page has them. No text has its first byte, which is no UTF-8.
const onPage = "\xffpage:"

// On returns an address of a page for use on pages that show a part of that page.
func On(page, written string) string {
	if from, _ := Off(written); from != "" || !Local(written) && !Resolvable(written) {
		return written
	}
	return onPage + page + ":" + written
}

// Off returns the page and the address given to On, or "" and the address itself.
func Off(href string) (page, written string) {
	if rest, on := strings.CutPrefix(href, onPage); on {
		if page, written, on = strings.Cut(rest, ":"); on {
			return page, written
		}
	}
	return "", href
}

// LabelKey returns the key of a label, case-insensitive. It is never equal to a path key or
// name key.
func LabelKey(label string) string { return "///" + strings.ToLower(label) }

// labelled parses a result of ByLabel.
func labelled(href string) (written, label string, ok bool) {
	written, ok = strings.CutPrefix(href, byLabel)
	u, err := url.Parse(written)
	if !ok || err != nil || u.Path+u.Fragment == "" {
		return "", "", false
	}
	return written, cmp.Or(u.Fragment, u.Path), true
}

// Named reports whether an address is a result of ByName or ByLabel.
func Named(href string) bool {
	return strings.HasPrefix(href, byName) || strings.HasPrefix(href, byLabel)
}

// Mention reports whether a link has only the name of its file as a text, or its title says
// that it mentions a page, as GitBook writes them.
func Mention(href, title, text string) bool {
	file, _, _ := strings.Cut(href, "#")
	return title == "mention" || path.Base(file) == text && (text == "." || strings.HasSuffix(text, ".md"))
}

// NameKey returns the key of a path for references by name, case-insensitive. It is never equal
// to a path key.
func NameKey(source string) string {
	key := PathKey(source)
	if key == "" { // the root folder has no name
		return ""
	}
	return "//" + strings.ToLower(path.Base(key))
}

// FileKey is NameKey for a file that is not a page, whose name has its extension.
func FileKey(source string) string { return "//" + strings.ToLower(path.Base(source)) }

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
