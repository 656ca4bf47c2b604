package markdown

import (
	"net/url"
	"path"
	"strings"
)

// Target is where a link may lead: to a page by its identifier, or to the page
// that stands at a path.
type Target struct {
	PageID   string
	Path     string // a path key, see PathKey
	Fragment string // without #
}

// PathKey returns the key under which links by path find the page of a file:
// its path without extension, and for index, _index and README the folder's.
// The folder at the root has the key "".
func PathKey(source string) string {
	p := strings.Trim(path.Clean("/"+source), "/")
	if hasPageExtension(p) {
		p = strings.TrimSuffix(p, path.Ext(p))
	}
	dir, base := path.Split(p)
	switch strings.ToLower(base) {
	case "index", "_index", "readme":
		return strings.TrimSuffix(dir, "/")
	}
	return p
}

// Targets returns where a link may lead, most likely first: nothing for other
// sites and for places on the same page. source is the path of the file that
// carries the link, "" for a page that was not imported; baseURL is the public
// address of the server, whose links to pages are its own.
//
// A relative link without extension is taken from the file's folder, as
// Docusaurus and VitePress do, and from the page's own address, as Hugo and
// Starlight do, whose pages end in a slash. An absolute link is taken from the
// root of the imported tree, or from one of the first folders on the way to the
// file: generators keep their pages in such as content/en or src.
func Targets(href, source, baseURL string) []Target {
	href = refShortcode(href)
	rest, ok := withoutBase(href, baseURL)
	if !ok {
		return targetsOf(href, source)
	}
	targets := targetsOf(rest, source)
	if strings.HasPrefix(href, "/") { // a folder may be called as the server's path is
		targets = append(targets, targetsOf(href, source)...)
	}
	return targets
}

// withoutBase returns the address on the server that a link names by the server's
// public address, or by the path of that alone, as a browser shows it.
func withoutBase(href, baseURL string) (rest string, ok bool) {
	base := strings.TrimSuffix(baseURL, "/")
	if strings.HasPrefix(href, "/") {
		u, err := url.Parse(base)
		if err != nil {
			return "", false
		}
		base = u.Path
	}
	rest, ok = strings.CutPrefix(href, base)
	return rest, ok && base != "" && strings.HasPrefix(rest, "/")
}

// targetsOf is Targets of a link that does not name the server.
func targetsOf(href, source string) []Target {
	u, err := url.Parse(href)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return nil
	}
	if id := pageID(u.Path); id != "" {
		return []Target{{PageID: id, Fragment: u.Fragment}}
	}
	var targets []Target
	add := func(p string) {
		t := Target{Path: PathKey(p), Fragment: u.Fragment}
		for _, known := range targets {
			if known == t {
				return
			}
		}
		targets = append(targets, t)
	}
	if strings.HasPrefix(u.Path, "/") {
		for _, root := range roots(source) {
			add(path.Join(root, u.Path))
		}
		return targets
	}
	dir := path.Dir("/" + source)
	file, own := path.Join(dir, u.Path), path.Join("/", PathKey(source), u.Path)
	switch {
	case source == "" || hasPageExtension(u.Path):
		add(file)
	case strings.HasPrefix(u.Path, "..") && !isIndex(source):
		add(own) // ../x says that the author counted the page as a folder
		add(file)
	default:
		add(file)
		add(own)
	}
	return targets
}

// rootDepth is how many folders deep the root of a site is looked for, such as
// src/content/docs.
const rootDepth = 3

// roots returns the folders that an absolute link in a file may start from.
func roots(source string) []string {
	list := []string{"/"}
	folders := strings.Split(strings.Trim(path.Dir(path.Clean("/"+source)), "/"), "/")
	for _, name := range folders[:min(len(folders), rootDepth)] {
		if name != "" {
			list = append(list, path.Join(list[len(list)-1], name))
		}
	}
	return list
}

// pageID returns the page that a path names: by its identifier alone, or below
// an address of the API.
func pageID(p string) string {
	for _, prefix := range []string{"", "/v1/pages/", "/v2/pages/"} {
		rest, ok := strings.CutPrefix(p, prefix)
		if id, isPage := strings.CutPrefix(rest, "page_"); ok && isPage && id != "" && strings.Trim(id, alphanumeric) == "" {
			return rest
		}
	}
	return ""
}

const alphanumeric = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// refShortcode returns the file that Hugo's ref and relref name, as in
// {{< relref "page.md" >}}#part; for other shortcodes, whose value only Hugo
// knows, nothing; and any other href as it is.
func refShortcode(href string) string {
	text, err := url.PathUnescape(href)
	if err != nil {
		text = href // not encoded: %} is no escape
	}
	if !strings.HasPrefix(text, "{{<") && !strings.HasPrefix(text, "{{%") {
		return href
	}
	call, fragment, _ := strings.Cut(text[len("{{<"):], "}}")
	name, argument, _ := strings.Cut(strings.TrimSpace(strings.TrimRight(call, ">%")), " ")
	if name != "ref" && name != "relref" {
		return ""
	}
	argument = strings.TrimPrefix(strings.TrimSpace(argument), "path=")
	if argument == "" {
		return ""
	}
	end := " "
	if strings.ContainsAny(argument[:1], "\"'`") {
		end, argument = argument[:1], argument[1:]
	}
	file, _, _ := strings.Cut(argument, end)
	return file + fragment
}

// hasPageExtension reports whether a path names a file of content, or the HTML
// that VitePress and others make of it.
func hasPageExtension(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".mdx", ".markdown", ".html", ".htm":
		return true
	}
	return false
}

// isIndex reports whether a file speaks for its folder.
func isIndex(source string) bool {
	return PathKey(source) == strings.Trim(path.Dir("/"+source), "/")
}
