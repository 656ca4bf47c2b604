package markdown

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// Files returns the paths of the files that a reference may mean, in a tree
// that was imported: nothing for other sites, for pages, and for what has no
// extension. source is the path of the file that carries the reference, "" for
// a page that was not imported; baseURL is the public address of the server.
//
// A relative reference is taken from the file's folder, and from the page's
// own address, as Hugo does. One from the root is taken from that of the tree,
// and from its folders static (Docusaurus, Hugo) and public (VitePress,
// Starlight), whose content those serve at the root.
func Files(href, source, baseURL string) []string {
	if u, err := url.Parse(href); err != nil || IsText(u.Path) {
		return nil
	}
	return ShownFiles(href, source, baseURL)
}

// ShownFiles is Files for what a page shows, which may be the text of a page.
func ShownFiles(href, source, baseURL string) []string {
	if rest, ok := strings.CutPrefix(href, strings.TrimSuffix(baseURL, "/")); ok && baseURL != "" && strings.HasPrefix(rest, "/") {
		href = rest
	}
	u, err := url.Parse(href)
	if err != nil || u.Scheme != "" || u.Host != "" || path.Ext(u.Path) == "" || strings.HasSuffix(u.Path, "/") {
		return nil
	}
	var files []string
	add := func(p string) {
		if p = strings.TrimPrefix(path.Clean("/"+p), "/"); p != "" && !slices.Contains(files, p) {
			files = append(files, p)
		}
	}
	if strings.HasPrefix(u.Path, "/") {
		add(u.Path)
		add("static" + u.Path)
		add("public" + u.Path)
		return files
	}
	folder, own := path.Join(path.Dir("/"+source), u.Path), path.Join("/", PathKey(source), u.Path)
	if strings.HasPrefix(u.Path, "..") && !isIndex(source) {
		folder, own = own, folder // ../x says that the author counted the page as a folder
	}
	add(folder)
	add(own)
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

// IsText reports whether a path names a file of Markdown or MDX.
func IsText(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".mdx", ".markdown":
		return true
	}
	return false
}
