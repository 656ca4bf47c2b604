package moving

import (
	"cmp"
	"io/fs"
	"iter"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/moving/markup"
)

// webpages reads a folder of HTML, such as a built site: the main part of each page, in
// the order of the links on the first page.
type webpages struct{}

func (webpages) name() string { return "html" }

func isWebPage(name string) bool { return path.Ext(name) == ".html" || path.Ext(name) == ".htm" }

func (webpages) finds(_ fs.FS, names []string, asked bool) bool {
	return slices.ContainsFunc(names, isWebPage) && (asked || !slices.ContainsFunc(names, isText))
}

// generated matches pages that generators derive from others.
var generated = regexp.MustCompile(`^((genindex|search|py-modindex|404)\.html?$|_modules/)`)

// built is a site being read.
type built struct {
	*folder
	ids      map[string]bool   // link targets
	used     map[string]bool   // files that pages refer to
	forwards map[string]string // pages that only redirect, and their targets
	next     map[string]string // pages, and where they say to read on
}

func (webpages) read(t *Tree) error {
	f := &built{newFolder(t), map[string]bool{}, map[string]bool{}, map[string]string{}, map[string]string{}}
	f.also = func(target string) []string {
		return []string{path.Join(target, "index.html"), target + ".html", path.Join(target, "index.htm")}
	}
	for _, file := range t.listed {
		if isWebPage(file) {
			f.readPage(file)
		}
	}
	left := 0
	for _, file := range t.listed {
		if f.used[regular(file)] && !isWebPage(file) {
			f.keep(file)
		} else if !isWebPage(file) {
			left++
		}
	}
	if left > 0 {
		f.lose(".", "files", "what no text refers to is left out, such as styles and scripts: %d files", left)
	}
	f.general("page", "navigation, footers, search and what scripts make of pages are left out; authors and history are not in HTML")
	for _, file := range slices.Sorted(maps.Keys(f.forwards)) {
		if u, err := url.Parse(f.forwards[file]); err == nil {
			if l, _ := f.target(&leaf{file: file, key: path.Dir(file)}, u); l != nil {
				f.pages[regular(file)] = l
				f.Redirects = append(f.Redirects, Redirect{"/" + file, file})
			}
		}
	}
	f.orderByLinks()
	f.arrange()
	f.fill(f.webText, markup.MaxSource)
	return nil
}

// readPage reads the title of a page and its references.
func (f *built) readPage(file string) {
	if generated.MatchString(file) {
		f.lose(file, "generated", "it lists other pages, and is left out")
		return
	}
	root, err := f.webPage(file)
	if err != nil {
		f.lose(file, "page", "it cannot be read: %v", err)
		return
	}
	if to := refresh(root); to != "" {
		f.lose(file, "generated", "it only leads on to %s, and is left out", to)
		f.forwards[file] = to
		return
	}
	key := strings.TrimSuffix(file, path.Ext(file))
	f.Redirects = append(f.Redirects, Redirect{"/" + file, file})
	if path.Base(key) == "index" {
		if key = path.Dir(key); key != "." {
			f.Redirects = append(f.Redirects, Redirect{"/" + key, file})
		}
	}
	title, site := titleOf(root, path.Base(key))
	f.addLeaf(key, file, path.Base(key), title)
	if key == "." {
		f.Name = cmp.Or(site, title)
	}
	if e := markup.Find(root, isNext); e != nil {
		f.next[file] = markup.Attr(e, "href")
	}
	for u := range links(mainPart(root)) {
		f.ids[u.Fragment] = true
		for _, name := range []string{u.Path, u.EscapedPath()} {
			f.used[regular(strings.TrimPrefix(path.Join("/", path.Dir(file), name), "/"))] = true
			f.used[regular(strings.TrimPrefix(path.Clean(name), "/"))] = true
		}
	}
}

func (f *built) webPage(file string) (*html.Node, error) {
	text, err := readLimited(f.export, file, markup.MaxSource)
	if err != nil {
		return nil, err
	}
	return markup.Parse(text)
}

var refreshed = regexp.MustCompile(`(?i)\burl=['"]?([^'"]+)`)

// refresh returns the target of a page that only redirects.
func refresh(root *html.Node) string {
	meta := markup.Find(root, func(e *html.Node) bool {
		return e.Data == "meta" && strings.EqualFold(markup.Attr(e, "http-equiv"), "refresh")
	})
	if meta == nil {
		return ""
	}
	content := markup.Attr(meta, "content")
	if m := refreshed.FindStringSubmatch(content); m != nil {
		return m[1]
	}
	return ""
}

// titleOf returns the title of a page, and the site name in it.
func titleOf(root *html.Node, name string) (title, site string) {
	whole := ""
	if n := element(root, "title"); n != nil {
		whole = markup.Text(n)
	}
	if h := element(mainPart(root), "h1"); h != nil {
		title = strings.TrimSpace(strings.TrimRight(markup.Text(h), "¶#\uf0c1"))
	}
	for _, between := range []string{" — ", " – ", " - ", " | ", " · "} {
		if first, rest, ok := strings.Cut(whole, between); ok {
			return cmp.Or(title, first), rest
		}
	}
	return cmp.Or(title, whole, name), ""
}

// mainPart returns the element with the text of a page.
func mainPart(root *html.Node) *html.Node {
	for _, fits := range []func(e *html.Node) bool{
		func(e *html.Node) bool {
			return markup.Attr(e, "itemprop") == "articleBody" || markup.HasClass(e, "md-content__inner", "rst-content", "markdown-body", "theme-doc-markdown")
		},
		func(e *html.Node) bool { return markup.Attr(e, "role") == "main" },
		func(e *html.Node) bool { return e.Data == "main" },
		func(e *html.Node) bool { return e.Data == "article" },
		func(e *html.Node) bool {
			return slices.Contains([]string{"content", "main-content", "main"}, markup.Attr(e, "id"))
		},
		func(e *html.Node) bool { return e.Data == "body" },
	} {
		if n := markup.Find(root, fits); n != nil {
			return n
		}
	}
	return root
}

func isNext(e *html.Node) bool {
	return markup.Attr(e, "href") != "" && slices.Contains(strings.Fields(strings.ToLower(markup.Attr(e, "rel"))), "next")
}

// orderByLinks sorts pages by the order of links on the first page. After each page come
// those that its link to the next leads to.
func (f *built) orderByLinks() {
	first := f.byKey["."]
	if first.file == "" {
		return
	}
	root, err := f.webPage(first.file)
	if err != nil {
		return // it was read before
	}
	order := 0
	follow := func(from *leaf, u *url.URL) {
		for l, _ := f.target(from, u); l != nil && l.order == 0; l, _ = f.target(l, u) {
			order++
			l.order = order
			if u, err = url.Parse(f.next[l.file]); err != nil || u.Path == "" {
				return
			}
		}
	}
	follow(first, &url.URL{Path: path.Base(first.file)})
	for u := range links(root) {
		follow(first, u)
	}
}

// links iterates over the local addresses that a page refers to.
func links(root *html.Node) iter.Seq[*url.URL] {
	return func(yield func(*url.URL) bool) {
		for n := range root.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			u, err := url.Parse(cmp.Or(markup.Attr(n, "href"), markup.Attr(n, "src"), markup.Attr(n, "data")))
			if err == nil && u.Scheme == "" && u.Host == "" && u.Path != "" && !yield(u) {
				return
			}
		}
	}
}

func (f *built) webText(l *leaf, _ *front, text []byte, lost losing) (string, error) {
	root, err := markup.Parse(text)
	if err != nil {
		return "", err
	}
	main := mainPart(root)
	if main.Data == "body" {
		lost(markup.Line(main), "page", "no element marks the text: all of it is used")
	}
	m := webMarks{lost: lost, titled: l.title}
	m.rewrite(main)
	return markup.Convert(main, markup.Options{Address: f.address(l), Lost: lost, Keep: func(id string) bool { return f.ids[id] }}), nil
}
