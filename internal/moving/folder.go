package moving

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// folder is an export with pages as files in folders, while it is read. The content of a
// folder with the name of a page is below that page.
type folder struct {
	*Tree
	pages map[string]*leaf  // by normalised file name
	files map[string]string // other files → their paths in the tree
	byKey map[string]*leaf

	sequence []string                       // pages in the order of the export
	also     func(target string) []string   // further candidates for an address
	over     func(dir string) (whose *leaf) // the page of a folder with another name
	web      func(u *url.URL) *leaf         // the page at an address of the system
}

// leaf is a page, or a folder without one.
type leaf struct {
	key   string // folder with its children
	file  string // of the export, "" for a folder without a page
	name  string // basis of its path
	title string
	order int // in the export, 0 if unknown
	front front
	path  string
	below []*leaf
}

func newFolder(t *Tree) *folder {
	root := &leaf{key: "."}
	return &folder{Tree: t, pages: map[string]*leaf{}, files: map[string]string{}, byKey: map[string]*leaf{".": root}, also: func(string) []string { return nil }, over: func(string) *leaf { return nil }, web: func(*url.URL) *leaf { return nil }}
}

// list returns the files of an export without hidden ones, and what is unreadable.
func list(export fs.FS) (names []string, lost []Loss, err error) {
	err = fs.WalkDir(export, ".", func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			lost = append(lost, Loss{From: name, Line: 1, Construct: "file", Words: fmt.Sprintf("it cannot be read: %v", err)})
		case name != "." && strings.HasPrefix(base, ".") || base == "__MACOSX" || base == "node_modules":
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.Type().IsRegular():
			names = append(names, name)
		}
		return nil
	})
	return names, lost, err
}

// regular normalises the Unicode form of a file name.
func regular(name string) string { return norm.NFC.String(name) }

// addLeaf adds the page of a file. key is the folder of its children.
func (f *folder) addLeaf(key, file, name, title string) *leaf {
	l := f.byKey[key]
	if l == nil || l.file != "" {
		l = &leaf{key: key}
		if f.byKey[key] != nil {
			l.key = file // another page has the key
		}
		f.byKey[l.key] = l
	}
	l.file, l.name, l.title = file, name, title
	f.pages[regular(file)] = l
	return l
}

// keep adds a file unchanged.
func (f *folder) keep(file string) {
	parts := strings.Split(file, "/")
	for i, part := range parts {
		parts[i] = cmp.Or(strings.TrimLeft(part, "_."), "x")
	}
	name := path.Join("files", strings.Join(parts, "/"))
	if isText(name) { // an import would make it a page
		name += ".txt"
	}
	if f.files[regular(file)] != "" || !f.addFile(name, file) {
		f.lose(file, "file", "another one has its path, and it is left out")
		return
	}
	f.files[regular(file)] = name
}

// isText reports whether an import would make a page of a file.
func isText(name string) bool {
	return slices.Contains([]string{".md", ".mdx", ".markdown"}, strings.ToLower(path.Ext(name)))
}

// arrange builds the page tree. Folders without a page become pages.
func (f *folder) arrange() {
	for _, key := range slices.Sorted(maps.Keys(f.byKey)) {
		for l := f.byKey[key]; l.key != "."; {
			up := path.Dir(l.key)
			over, known := f.byKey[up]
			if whose := f.over(up); !known && whose != nil && whose != l {
				over, known = whose, true
			}
			if !known {
				over = &leaf{key: up, name: path.Base(up), title: path.Base(up), front: front{language: l.front.language}}
				f.byKey[up] = over
			}
			over.below = append(over.below, l)
			if known {
				break
			}
			l = over
		}
	}
	top := f.byKey["."]
	top.path = "index.md"
	f.put(top, ".")
	for i, r := range f.Redirects { // they refer to files so far
		f.Redirects[i].Path = f.pages[regular(r.Path)].path
	}
}

// put assigns paths, from the root.
func (f *folder) put(l *leaf, at string) {
	slices.SortStableFunc(l.below, func(a, b *leaf) int {
		return cmp.Or(cmp.Compare(cmp.Or(a.order, 1<<30), cmp.Or(b.order, 1<<30)), strings.Compare(a.title, b.title))
	})
	for _, c := range l.below {
		base := f.newPath(at, c.name)
		c.path = base + ".md"
		if len(c.below) > 0 {
			c.path = path.Join(base, "index.md")
		}
		f.put(c, base)
	}
}

// fill adds the pages to the tree after all have paths.
func (f *folder) fill(convert func(l *leaf, front *front, text []byte, lost losing) (string, error), limit int64) {
	for _, l := range f.byKey {
		l.front.title, l.front.position = l.title, l.order
		switch {
		case l.file != "":
			f.addPage(l.path, l.file, func(lost losing) ([]byte, error) {
				text, err := readLimited(f.export, l.file, limit)
				if err != nil {
					return nil, err
				}
				front := l.front
				body, err := convert(l, &front, text, lost)
				return front.page(body), err
			})
		case l.key != "." && len(l.below) > 0:
			f.addPage(l.path, l.key, func(losing) ([]byte, error) { return l.front.page(""), nil })
		}
	}
}

// find returns the page or file at a path in the export.
func (f *folder) find(target string) (l *leaf, file string) {
	for _, name := range append([]string{target}, f.also(target)...) {
		name = regular(path.Clean(name))
		if l := f.pages[name]; l != nil {
			return l, ""
		}
		if file := f.files[name]; file != "" {
			return nil, file
		}
	}
	return nil, ""
}

// target returns the page or file at an address on a page.
func (f *folder) target(from *leaf, u *url.URL) (l *leaf, file string) {
	for _, name := range []string{u.Path, u.EscapedPath()} {
		for _, in := range []string{path.Dir(from.file), from.key} {
			in = path.Join(in, name)
			if strings.HasPrefix(name, "/") {
				in = strings.TrimPrefix(path.Clean(name), "/")
			}
			if l, file = f.find(in); l != nil || file != "" {
				return l, file
			}
		}
	}
	return nil, ""
}

// address returns a function that converts addresses on a page.
func (f *folder) address(from *leaf) func(address string, line int) string {
	return func(address string, _ int) string {
		u, err := url.Parse(address)
		if err == nil && u.Host != "" {
			if l := f.web(u); l != nil {
				return between(from.path, l.path)
			}
		}
		if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
			return address
		}
		fragment := ""
		if u.Fragment != "" {
			fragment = "#" + u.EscapedFragment()
		}
		switch l, file := f.target(from, u); {
		case file != "":
			return between(from.path, file)
		case l == from && fragment != "":
			return fragment
		case l != nil:
			return between(from.path, l.path) + fragment
		}
		return address // the import reports it
	}
}
