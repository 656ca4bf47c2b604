// Package reference resolves the links and pictures of a page to possible targets, for imports,
// backlinks, rendering and exports. It performs no look-ups.
package reference

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/octavo-docs/octavo/internal/slugify"
)

// Target is a possible link target: a page by identifier or by path.
type Target struct {
	PageID   string
	Path     string // see PathKey
	Fragment string // without #
	File     bool   // the path is that of a file, not what a slug is made of
}

// Slugs returns a function from a target to the slug that an import makes of its path.
func Slugs() func(Target) string {
	maker := slugify.NewMaker()
	return func(t Target) string {
		if t.File || strings.HasPrefix(t.Path, LabelKey("")) {
			return "" // a label is no slug
		}
		slug, _ := maker.Join(strings.FieldsFunc(t.Path, func(r rune) bool { return r == '/' })) // without a slug there is no target
		return slug
	}
}

// PathKey returns the key of a file for links by path: its path without extension; for index,
// _index and README that of the folder, "" at the root. Unicode is normalised.
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

// Targets returns the possible targets of a link, most likely first; none for other sites and
// fragments. source is the path of the file with the link, "" for a page that was not
// imported; baseURL is the server's public address, whose pages are local.
func Targets(href, source, baseURL string) (targets []Target) {
	if written, label, ok := labelled(href); ok {
		return append(Targets(written, source, baseURL), Target{Path: LabelKey(label), Fragment: label})
	}
	if u := named(href); u != nil {
		candidates := namedCandidates(u.Path, source)
		for _, p := range candidates {
			targets = append(targets, Target{Path: PathKey(p), Fragment: u.Fragment, File: true})
		}
		return append(targets, Target{Path: NameKey(u.Path), Fragment: u.Fragment, File: true}, Target{Path: PathKey(candidates[0]), Fragment: u.Fragment})
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
		for _, p := range candidatePaths(u.Path, source) {
			add(p)
		}
		if folder, post := postOf(u.Path); post != "" {
			add(path.Join(folder, post))
			add(post) // the folder may be only in addresses
		}
		if IsRef(href) && !strings.Contains(u.Path, "/") { // anywhere in the site
			targets = append(targets, Target{Path: NameKey(u.Path), Fragment: u.Fragment})
		}
	}
	return targets
}

// Fragment returns the decoded fragment of a link without #.
func Fragment(href string) string {
	_, href = Off(href)
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

// WithFragment returns address with the fragment of href.
func WithFragment(address, href string) string {
	if fragment := Fragment(href); fragment != "" && address != "" && !strings.Contains(address, "#") {
		return address + (&url.URL{Fragment: fragment}).String()
	}
	return address
}

// Read parses an address on this server or in the tree: first as an address of the server, with
// its public address or only the path of that, which may also be the name of a folder. It
// returns nil for other sites and fragments.
func Read(href, baseURL string) (list []*url.URL) {
	base := new(url.URL)
	if baseURL != "" {
		var err error
		if base, err = url.Parse(strings.TrimSuffix(baseURL, "/")); err != nil {
			return nil
		}
	} else if strings.HasPrefix(href, "https://") { // the common case
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

// rootDepth limits the depth of a site's root, such as src/content/docs; nearDepth the number of
// parent folders to try.
const (
	rootDepth = 5
	nearDepth = 8
)

// candidatePaths returns the paths to try for a page, most likely first.
//
// A relative path is relative to the file's folder (Docusaurus, VitePress); without extension,
// also to the page's address with a trailing slash (Hugo, Starlight); unless it begins
// with a dot, also to parent folders, one of which may be the root of the pages. A rooted
// path is relative to the tree or one of the first folders on the path of the file, such
// as content/en or src; in a folder of a language without that folder too. served are
// folders below each of these whose content is at the root of the site. The tree may be at
// /docs/ of a site, or /docs/4.x/. @site/ is the nearest folder with that path, and @name/
// the nearest with that name.
func candidatePaths(p, source string, served ...string) (list []string) {
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
		if source != "" && source[0] == '_' { // of a collection of Jekyll
			add("_" + rest)
		}
		if language, behind, _ := strings.Cut(rest, "/"); locale.MatchString(language) && strings.Contains(folder+"/", "/"+language+"/") {
			for _, root := range roots { // what is not translated
				add(path.Join(root, behind))
				add(path.Join(root, "en", behind))
			}
		}
		if name, page, _ := strings.Cut(strings.TrimPrefix(rest, "v/"), "/"); strings.HasPrefix(rest, "v/") && page != "" { // a variant of GitBook
			for _, root := range roots {
				add(path.Join(root, page))
			}
		} else if name == "docs" && page != "" { // where the site of the tree lies
			add(page)
			if version, page, _ := strings.Cut(page, "/"); page != "" && (strings.Trim(version, "0123456789.vx") == "" || version == "latest" || version == "stable") {
				add(page)
			}
		}
	case "@site", "@", "~":
		p = rest
		above()
	default:
		if alias, named := strings.CutPrefix(p, "@"); named { // @components/ of a folder components
			p = alias
			above()
			return list
		}
		own, page := path.Join(PathKey(source), p), hasPageExtension(p)
		if first == ".." && !page && !isIndex(source) { // the author treated the page as a folder
			add(own)
		}
		add(path.Join(folder, p))
		if !page {
			add(own)
		}
		if strings.TrimSuffix(path.Base(source), path.Ext(source)) == "page" { // in Next.js the folder is the page
			add(path.Join(path.Dir(folder), p))
		}
		if first != "." && first != ".." {
			above()
			add(own) // the page was the index of the folder with its name
		}
		if first == ".." && strings.TrimSuffix(path.Base(source), path.Ext(source)) == "index" { // in Hugo the folder is the page
			add(path.Join(path.Dir(folder), p))
		}
		for i, name := range strings.Split(folder, "/") {
			if name != "en" && i < rootDepth && locale.MatchString(name) { // what is not translated
				add(path.Join(strings.Replace(folder, "/"+name, "/en", 1), p))
			}
		}
	}
	return list
}

// locale matches the names of folders with translations.
var locale = regexp.MustCompile(`^[a-z]{2}([-_][A-Za-z]{2,4})?$`)

// rootsOf returns the possible roots for a file in a folder.
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

// postOf returns the file of a Jekyll post, and the folder before: a and
// _posts/2024-01-02-name for /a/2024/01/02/name, "" for other paths.
func postOf(p string) (folder, post string) {
	parts := strings.Split(strings.Trim(p, "/"), "/")
	n := len(parts) - 4
	if n < 0 || !strings.HasPrefix(p, "/") {
		return "", ""
	}
	date := strings.Join(parts[n:n+3], "-")
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return "", ""
	}
	return path.Join(parts[:n]...), path.Join("_posts", date+"-"+parts[n+3])
}

// pageID returns the page in a path: an identifier alone or in an API address.
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

// Ref returns an address that calls ref of Hugo, which finds a page by its name.
func Ref(name string) string { return `{{< ref "` + name + `" >}}` }

// IsRef reports whether an address calls ref or relref of Hugo, as in {{< relref "page.md" >}}.
func IsRef(href string) bool {
	_, _, ok := refOf(Plain(href))
	return ok
}

// refOf returns the argument of such a call, with what is behind it. For other shortcodes and
// template tags it returns "", for all else the address itself.
func refOf(href string) (file, fragment string, ok bool) {
	if href == "" || href[0] != '{' && href[0] != '%' {
		return href, "", false
	}
	text, err := url.PathUnescape(href)
	if err != nil {
		text = href // not encoded: %} is no escape
	}
	if !strings.HasPrefix(text, "{{<") && !strings.HasPrefix(text, "{{%") {
		if strings.HasPrefix(text, "{{ ") || strings.HasPrefix(text, "{% ") {
			return "", "", false // known only to Jekyll
		}
		return href, "", false
	}
	call, fragment, _ := strings.Cut(text[len("{{<"):], "}}")
	name, argument, _ := strings.Cut(strings.TrimSpace(strings.TrimRight(call, ">%")), " ")
	if name != "ref" && name != "relref" {
		return "", "", false
	}
	if _, named, ok := strings.Cut(argument, "path="); ok {
		argument = named
	}
	argument = strings.TrimSpace(argument)
	if argument == "" {
		return "", "", false
	}
	end := " "
	if strings.ContainsAny(argument[:1], "\"'`") {
		end, argument = argument[:1], argument[1:]
	}
	file, _, _ = strings.Cut(argument, end)
	return file, fragment, true
}

// unwrap returns the path in an href: without pathname://, and the argument of Hugo's ref.
func unwrap(href string) string {
	file, fragment, _ := refOf(Plain(href))
	return file + fragment
}

// hasPageExtension reports whether a path is a content file, or HTML generated from one.
func hasPageExtension(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".mdx", ".markdown", ".html", ".htm":
		return true
	}
	return false
}

// isIndex reports whether a file represents its folder.
func isIndex(source string) bool {
	return PathKey(source) == strings.Trim(path.Dir("/"+source), "/")
}
