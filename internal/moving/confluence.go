package moving

import (
	"cmp"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/moving/markup"
)

// confluence reads the HTML export of a space: index.html with the page tree, one file
// per page, and attachments.
type confluence struct{}

func (confluence) name() string { return "confluence" }

var pageFile = regexp.MustCompile(`^(?:.*_)?(\d{3,})\.html$`)

func (confluence) finds(export fs.FS, _ []string, _ bool) bool {
	if isFile(export, "exportDescriptor.properties") {
		return true
	}
	text, err := readLimited(export, "index.html", markup.MaxSource)
	return err == nil && strings.Contains(string(text), "pageSection") && strings.Contains(string(text), "confluence")
}

// space is an export being read.
type space struct {
	*Tree
	key     string
	folder  string               // of the tree
	pages   map[string]*wikiPage // by file
	byID    map[string]*wikiPage
	byTitle map[string]*wikiPage
	order   []*wikiPage
	files   map[string]string // other files → their paths in the tree
}

type wikiPage struct {
	file, title, id, path string
	position              int
	children              []*wikiPage
}

func (confluence) read(t *Tree) error {
	s := &space{Tree: t, pages: map[string]*wikiPage{}, byID: map[string]*wikiPage{}, byTitle: map[string]*wikiPage{}, files: map[string]string{}}
	top, err := s.readIndex()
	if err != nil {
		return err
	}
	if top, err = s.addOthers(top); err != nil {
		return err
	}
	s.folder = s.newPath(".", cmp.Or(s.key, t.Name, "space"))
	if len(top) > 0 && len(top[0].children) > 0 && !slices.ContainsFunc(top[1:], func(p *wikiPage) bool { return len(p.children) > 0 }) {
		home := top[0] // pages next to it, such as blog posts, become its children
		home.children = append(home.children, top[1:]...)
		home.path = path.Join(s.folder, "index.md")
		s.addChildren(home, s.folder)
	} else {
		s.addPage(path.Join(s.folder, "index.md"), "index.html", func(losing) ([]byte, error) { return front{title: cmp.Or(s.Name, s.key, "Space")}.page(""), nil })
		s.addChildren(&wikiPage{children: top}, s.folder)
	}
	s.general("history", "earlier versions of pages are not in the export")
	for _, p := range s.order {
		s.addPage(p.path, p.file, func(lost losing) ([]byte, error) { return s.write(p, lost) })
		s.addRedirects(p)
	}
	return s.addAttachments()
}

var spaceTitle = regexp.MustCompile(`^(~?[\w.-]+) \((.+)\)$`)

// readIndex reads the page tree and the name of the space.
func (s *space) readIndex() (top []*wikiPage, err error) {
	if text, err := readLimited(s.export, "exportDescriptor.properties", 1<<20); err == nil {
		for line := range strings.Lines(string(text)) {
			switch key, value, _ := strings.Cut(strings.TrimSpace(line), "="); key {
			case "spaceKey":
				s.key = value
			case "spaceName":
				s.Name = value
			}
		}
	}
	if !isFile(s.export, "index.html") {
		s.general("index", "index.html is not in the export: pages are in the order of their names, without a tree")
		return nil, nil
	}
	text, err := readLimited(s.export, "index.html", markup.MaxSource)
	if err != nil {
		return nil, err
	}
	root, err := markup.Parse(text)
	if err != nil {
		return nil, err
	}
	if title := element(root, "title"); title != nil {
		if m := spaceTitle.FindStringSubmatch(markup.Text(title)); m != nil {
			s.key, s.Name = m[1], m[2]
		} else {
			name, _, _ := strings.Cut(markup.Text(title), " : ")
			s.Name = cmp.Or(s.Name, name)
		}
	}
	if markup.Find(root, isMetadata) != nil { // an export of a single page
		return []*wikiPage{s.know("index.html", s.titleOf(root, "index.html"))}, nil
	}
	home := -1
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || n.Data != "li" || markup.Attr(n.Parent, "id") == "breadcrumbs" {
			continue
		}
		a := markup.Find(n, func(e *html.Node) bool { return e.Data == "a" })
		file := s.fileOf(a)
		if file == "" && a != nil && pageFile.MatchString(markup.Attr(a, "href")) {
			s.losses = append(s.losses, Loss{From: "index.html", Line: markup.Line(a), Construct: "page", Words: "the page " + markup.Attr(a, "href") + " is not in the export"})
		}
		if file == "" || s.pages[file] != nil {
			continue
		}
		p := s.know(file, markup.Text(a))
		for up := n.Parent; up != nil; up = up.Parent {
			if over := markup.Find(up, func(e *html.Node) bool { return e.Data == "a" }); up.Data == "li" && over != nil {
				if parent := s.pages[s.fileOf(over)]; parent != nil && parent != p {
					parent.children = append(parent.children, p)
					p = nil
					break
				}
			}
		}
		if p == nil {
			continue
		}
		if markup.Find(n, func(e *html.Node) bool { return strings.Contains(markup.Attr(e, "src"), "home_page") }) != nil && home < 0 {
			home = len(top)
		}
		top = append(top, p)
	}
	if home > 0 {
		top = slices.Insert(slices.Delete(slices.Clone(top), home, home+1), 0, top[home])
	}
	return top, nil
}

// fileOf returns the page of a link. Some exports escape file names but do not escape
// the links again.
func (s *space) fileOf(a *html.Node) string {
	if a == nil {
		return ""
	}
	href := markup.Attr(a, "href")
	for _, name := range []string{href, unescape(href)} {
		if s.pages[name] != nil || path.Ext(name) == ".html" && isFile(s.export, name) {
			return name
		}
	}
	return ""
}

// unescape decodes a path, unless its escapes are invalid.
func unescape(name string) string {
	if plain, err := url.PathUnescape(name); err == nil {
		return plain
	}
	return name
}

func element(root *html.Node, name string) *html.Node {
	return markup.Find(root, func(e *html.Node) bool { return e.Data == name })
}

func byID(root *html.Node, id string) *html.Node {
	return markup.Find(root, func(e *html.Node) bool { return markup.Attr(e, "id") == id })
}

// know registers the page of a file.
func (s *space) know(file, title string) *wikiPage {
	p := &wikiPage{file: file, title: title}
	if m := pageFile.FindStringSubmatch(file); m != nil {
		p.id = m[1]
		s.byID[p.id] = p
	}
	s.pages[file] = p
	if s.byTitle[title] == nil {
		s.byTitle[title] = p
	}
	return p
}

// addOthers adds pages missing from the index, such as blog posts.
func (s *space) addOthers(top []*wikiPage) ([]*wikiPage, error) {
	list, err := fs.ReadDir(s.export, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		file := e.Name()
		if e.IsDir() || path.Ext(file) != ".html" || file == "index.html" || s.pages[file] != nil {
			continue
		}
		text, err := readLimited(s.export, file, markup.MaxSource)
		if err != nil {
			return nil, err
		}
		root, err := markup.Parse(text)
		if err != nil || mainOf(root) == nil {
			s.lose(file, "page", "the file is not a page of the space")
			continue
		}
		title := s.titleOf(root, file)
		if len(s.order)+len(top) > 0 && isFile(s.export, "index.html") {
			s.lose(file, "page", "the index does not list the page: it comes after the others")
		}
		top = append(top, s.know(file, title))
	}
	return top, nil
}

// titleOf returns the title of a page without the name of the space.
func (s *space) titleOf(root *html.Node, file string) string {
	title := ""
	if n := cmp.Or(byID(root, "title-text"), element(root, "title")); n != nil {
		title = strings.TrimSuffix(strings.TrimPrefix(markup.Text(n), s.Name+" : "), " - "+s.Name)
	}
	return cmp.Or(title, strings.TrimSuffix(file, ".html"))
}

// addChildren assigns paths and positions, from the root.
func (s *space) addChildren(p *wikiPage, folder string) {
	if p.path != "" {
		s.order = append(s.order, p)
	}
	for i, child := range p.children {
		base := s.newPath(folder, child.title)
		child.position, child.path = i+1, base+".md"
		if len(child.children) > 0 {
			child.path = path.Join(base, "index.md")
		}
		s.addChildren(child, base)
	}
}

func (s *space) addRedirects(p *wikiPage) {
	if s.key == "" {
		return
	}
	title := strings.ReplaceAll(url.PathEscape(p.title), "%20", "+")
	s.Redirects = append(s.Redirects, Redirect{"/display/" + s.key + "/" + title, p.path})
	if p.id != "" {
		for _, base := range []string{"", "/wiki"} {
			s.Redirects = append(s.Redirects, Redirect{base + "/spaces/" + s.key + "/pages/" + p.id + "/*", p.path})
		}
	}
}

// addAttachments adds the attachments of pages.
func (s *space) addAttachments() error {
	for _, dir := range []string{"attachments", "download"} {
		err := fs.WalkDir(s.export, dir, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil && name == dir:
				return fs.SkipDir // there are none
			case err != nil:
				return err
			case d.Name() == "thumbnails" && d.IsDir():
				return fs.SkipDir
			case d.Type().IsRegular():
				s.files[name] = path.Join(s.folder, name+s.missingExtension(name))
				s.addFile(s.files[name], name)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
