// Package reference finds out what the links and pictures of a page mean, for
// all that follows them: imports, backlinks, answers as HTML, and exports. It
// knows no store and looks nothing up.
package reference

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/octavo-docs/octavo/internal/slugify"
)

// Target is where a link may lead: to a page by its identifier, or to the page
// that stands at a path.
type Target struct {
	PageID   string
	Path     string // a path key, see PathKey
	Fragment string // without #
}

// Slugs returns the function that tells which slug an import makes of the path of
// a target.
func Slugs() func(Target) string {
	maker := slugify.NewMaker()
	return func(t Target) string {
		if strings.HasPrefix(t.Path, LabelKey("")) {
			return "" // no page has the slug of a label
		}
		slug, _ := maker.Join(strings.FieldsFunc(t.Path, func(r rune) bool { return r == '/' })) // what has no slug leads nowhere by one
		return slug
	}
}

// PathKey returns the key under which links by path find the page of a file:
// its path without extension, and for index, _index and README the folder's.
// The folder at the root has the key "". Letters with accents have one form.
func PathKey(source string) string {
	p := norm.NFC.String(strings.Trim(path.Clean("/"+source), "/"))
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
func Targets(href, source, baseURL string) (targets []Target) {
	if written, label, ok := labelled(href); ok {
		return append(Targets(written, source, baseURL), Target{Path: LabelKey(label), Fragment: label})
	}
	if u := named(href); u != nil {
		for _, p := range namedPlaces(u.Path, source) {
			targets = append(targets, Target{Path: PathKey(p), Fragment: u.Fragment})
		}
		return append(targets, Target{Path: NameKey(u.Path), Fragment: u.Fragment})
	}
	for _, u := range Read(href, baseURL) {
		if id := pageID(u.Path); id != "" {
			return append(targets, Target{PageID: id, Fragment: u.Fragment})
		}
		add := func(p string) {
			if t := (Target{Path: PathKey(p), Fragment: u.Fragment}); !slices.Contains(targets, t) {
				targets = append(targets, t)
			}
		}
		for _, p := range places(u.Path, source) {
			add(p)
		}
		if post := postOf(u.Path); post != "" {
			add(post)
		}
	}
	return targets
}

// Fragment returns the fragment of a link, decoded and without its mark.
func Fragment(href string) string {
	if _, label, ok := labelled(href); ok {
		return label
	}
	if href = unwrap(href); !strings.Contains(href, "#") {
		return ""
	}
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	return u.Fragment
}

// WithFragment returns the address of a file with the fragment of a link to it.
func WithFragment(address, href string) string {
	if fragment := Fragment(href); fragment != "" && address != "" && !strings.Contains(address, "#") {
		return address + (&url.URL{Fragment: fragment}).String()
	}
	return address
}

// Read takes an address on this server or in the tree apart: as an address of the
// server first, if it names that, by its public address or by the path of it
// alone, as a browser shows it. A folder may be called as that path is. It is nil
// for other sites, and for places on the same page.
func Read(href, baseURL string) (list []*url.URL) {
	base := new(url.URL)
	if baseURL != "" {
		var err error
		if base, err = url.Parse(strings.TrimSuffix(baseURL, "/")); err != nil {
			return nil
		}
	} else if strings.HasPrefix(href, "https://") { // as many are
		return nil
	}
	u, err := url.Parse(unwrap(href))
	if err != nil || u.Path == "" || u.Scheme != "" && u.Scheme != base.Scheme || u.Scheme+u.Host != "" && !strings.EqualFold(u.Host, base.Host) {
		return nil
	}
	u.Path = strings.ReplaceAll(u.Path, `\`, "/") // as browsers do
	rest, below := strings.CutPrefix(u.Path, base.Path)
	if below && base.Path != "" && strings.HasPrefix(rest, "/") {
		inside := *u
		inside.Path = rest
		list = append(list, &inside)
	}
	if u.Host == "" || base.Path == "" {
		list = append(list, u)
	}
	return list
}

// rootDepth is how many folders deep the root of a site is looked for, such as
// src/content/docs; nearDepth is how many of the folders above a file are.
const (
	rootDepth = 3
	nearDepth = 8
)

// places returns where in the tree a path of a page may lead, most likely first.
//
// A relative path is taken from the file's folder, as Docusaurus and VitePress
// do; without the extension of a page from the page's own address, as Hugo and
// Starlight do, whose pages end in a slash; and unless it begins with a dot from
// the folders above, one of which is the root of the pages or of the site. A path
// from the root is taken from that of the tree, or from one of the first folders
// on the way to the file: generators keep their pages in such as content/en or
// src. Below each of these there may be served folders, whose content stands at
// the root. A path behind @site/ is taken from the nearest folder that has it.
func places(p, source string, served ...string) (list []string) {
	add := func(p string) {
		if p = path.Clean("/" + p)[1:]; !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	folder := path.Dir(path.Clean("/" + source))
	above := func() {
		for dir, n := folder, 0; n < nearDepth; dir, n = path.Dir(dir), n+1 {
			add(path.Join(dir, p))
			if dir == "/" {
				return
			}
		}
	}
	switch first, rest, _ := strings.Cut(p, "/"); first {
	case "":
		roots := rootsOf(folder)
		for _, root := range roots {
			add(path.Join(root, p))
		}
		for _, root := range roots {
			for _, name := range served {
				add(path.Join(root, name, p))
			}
		}
	case "@site", "@", "~":
		p = rest
		above()
	default:
		own, page := path.Join(PathKey(source), p), hasPageExtension(p)
		if first == ".." && !page && !isIndex(source) { // the author counted the page as a folder
			add(own)
		}
		add(path.Join(folder, p))
		if !page {
			add(own)
		}
		if strings.TrimSuffix(path.Base(source), path.Ext(source)) == "page" { // its folder is the page, as in Next.js
			add(path.Join(path.Dir(folder), p))
		}
		if first != "." && first != ".." {
			above()
		}
	}
	return list
}

// rootsOf returns the folders that a path from the root may start from, for a
// file in a folder.
func rootsOf(folder string) []string {
	roots := []string{"/"}
	names := strings.Split(strings.Trim(folder, "/"), "/")
	for _, name := range names[:min(len(names), rootDepth)] {
		if name != "" {
			roots = append(roots, path.Join(roots[len(roots)-1], name))
		}
	}
	return roots
}

// postOf returns where Jekyll has the file of a post: that of /2024/01/02/name
// is _posts/2024-01-02-name. It is "" for other paths.
func postOf(p string) string {
	parts := strings.Split(strings.Trim(p, "/"), "/")
	n := len(parts) - 4
	if n < 0 || !strings.HasPrefix(p, "/") {
		return ""
	}
	date := strings.Join(parts[n:n+3], "-")
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return ""
	}
	return path.Join(path.Join(parts[:n]...), "_posts", date+"-"+parts[n+3])
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

// unwrap returns the path that an href means: without the scheme pathname, the
// file that Hugo's ref and relref name, as in {{< relref "page.md" >}}#part, and
// nothing for other shortcodes, whose value only Hugo knows.
func unwrap(href string) string {
	href = Plain(href)
	if href == "" || href[0] != '{' && href[0] != '%' {
		return href
	}
	text, err := url.PathUnescape(href)
	if err != nil {
		text = href // not encoded: %} is no escape
	}
	if !strings.HasPrefix(text, "{{<") && !strings.HasPrefix(text, "{{%") {
		if strings.HasPrefix(text, "{{ ") || strings.HasPrefix(text, "{% ") {
			return "" // Jekyll knows
		}
		return href
	}
	call, fragment, _ := strings.Cut(text[len("{{<"):], "}}")
	name, argument, _ := strings.Cut(strings.TrimSpace(strings.TrimRight(call, ">%")), " ")
	if name != "ref" && name != "relref" {
		return ""
	}
	if _, named, ok := strings.Cut(argument, "path="); ok {
		argument = named
	}
	argument = strings.TrimSpace(argument)
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
