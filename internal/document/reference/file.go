package reference

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Files returns the paths of the files that a reference may mean, in a tree
// that was imported, as Targets does for pages: nothing for other sites, for
// pages, and for what has no extension. From the root, files are looked for in
// the folders too whose content generators serve there.
func Files(href, source, baseURL string) []string {
	return slices.DeleteFunc(ShownFiles(href, source, baseURL), IsText)
}

// ShownFiles is Files for what a page shows, which may be the text of a page.
func ShownFiles(href, source, baseURL string) (files []string) {
	if u := named(href); u != nil && path.Ext(u.Path) != "" {
		return append(namedPlaces(u.Path, source), NameKey(u.Path))
	}
	for _, u := range Read(href, baseURL) {
		if path.Ext(u.Path) == "" || strings.HasSuffix(u.Path, "/") {
			continue
		}
		for _, p := range places(u.Path, source, "static", "public", ".vuepress/public", "website/static") {
			for _, form := range []string{p, norm.NFC.String(p), norm.NFD.String(p)} { // file systems differ
				if form != "" && !slices.Contains(files, form) {
					files = append(files, form)
				}
			}
		}
	}
	return files
}

// FirstFile returns which of some paths a reference means, by its place in the
// list: the one that stands first among ShownFiles, of which href, source and baseURL
// are the arguments; the first path where none is among them.
func FirstFile(paths []string, href, source, baseURL string) int {
	if len(paths) > 1 { // which is rare
		for _, file := range ShownFiles(href, source, baseURL) {
			if i := slices.Index(paths, file); i >= 0 {
				return i
			}
		}
	}
	return 0
}

// IsText reports whether a path names a file that an import makes a page of.
func IsText(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".mdx", ".markdown":
		return true
	}
	return false
}
