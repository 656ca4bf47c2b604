package reference

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Files returns the possible paths of a file reference in an imported tree: none for other
// sites, pages, and names without an extension. Rooted paths are also looked up in the
// folders that generators serve at the root.
func Files(href, source, baseURL string) []string {
	return slices.DeleteFunc(ShownFiles(href, source, baseURL), IsText)
}

// ShownFiles is Files for embedded files, which may be pages. No page embeds itself.
func ShownFiles(href, source, baseURL string) (files []string) {
	if u := named(href); u != nil && path.Ext(u.Path) != "" {
		files = append(namedCandidates(u.Path, source), FileKey(u.Path))
		return slices.DeleteFunc(files, func(file string) bool { return file == source })
	}
	for _, u := range Read(href, baseURL) {
		if path.Ext(u.Path) == "" || strings.HasSuffix(u.Path, "/") {
			continue
		}
		found := candidatePaths(u.Path, source, "static", "public", ".vuepress/public", "website/static", "assets")
		if strings.HasPrefix("/"+source, "/content/") && strings.Trim(u.Path[:1], "/.@~") != "" { // a resource of Hugo
			found = append(found, "assets/"+u.Path)
		}
		if _, rest, _ := strings.Cut(u.Path[1:], "/"); u.Path[0] == '/' && strings.Contains(rest, "/") { // perhaps below the address of the site
			found = append(found, candidatePaths("/"+rest, source, "static", "public")...)
		}
		for _, p := range withEndings(found) {
			for _, form := range []string{p, norm.NFC.String(p), norm.NFD.String(p)} { // file systems differ
				if form != "" && !slices.Contains(files, form) {
					files = append(files, form)
				}
			}
		}
	}
	return files
}

// withEndings replaces names that end with ".*" by those of pictures; Hugo needs no ending, and
// may find a name that goes on with "-featured".
func withEndings(names []string) (list []string) {
	for _, name := range names {
		stem, open := strings.CutSuffix(name, ".*")
		if !open {
			list = append(list, name)
			continue
		}
		for _, end := range []string{".png", ".jpg", ".jpeg", ".svg", ".gif", ".webp"} {
			list = append(list, stem+end, stem+"-featured"+end)
		}
	}
	return list
}

// FirstFile returns the index of the path in paths that comes first in ShownFiles(href, source,
// baseURL), or 0.
func FirstFile(paths []string, href, source, baseURL string) int {
	if len(paths) > 1 { // rarely true
		for _, file := range ShownFiles(href, source, baseURL) {
			if i := slices.Index(paths, file); i >= 0 {
				return i
			}
		}
	}
	return 0
}

// IsText reports whether a path is imported as a page.
func IsText(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".mdx", ".markdown":
		return true
	}
	return false
}
