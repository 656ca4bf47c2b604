// Package navigation reads the navigation of generators: pages, sections, titles and
// redirects. All kinds become one tree. It reads only literals; anything else is not
// run but reported. Start with the table systems.
package navigation

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/importer/script"
	"github.com/octavo-docs/octavo/internal/importer/settings"
)

// Page is a page of the tree that is ordered.
type Page struct {
	Path     string
	Plain    string // its path without numbers that order, and without extension
	Address  string // the whole path that front matter wants, "" for none
	Last     string // the same of the last part
	Position *int64 // by front matter or the number in its name
	Speaks   bool   // it is the page of its folder
}

// Item is a page, or a section.
type Item struct {
	Title    string // "" says nothing
	File     string // of the page; "" for a section that has none
	ToCome   bool   // it is a page that is still to be written
	Children []*Item
	From     string // the file that lists it
	Line     int    // in that file
}

// Redirect leads from an address to a page, or elsewhere.
type Redirect struct {
	From string // begins with a slash
	Path string // of the page; "" for none
	To   string // in place of a page, or its anchor with #
	File string // that says it
	Line int
}

// Note is something in a file that was not taken along.
type Note struct {
	File string
	Line int
	Text string
}

// Tree is what a generator says of the pages.
type Tree struct {
	Title     string // of the site
	Root      string // folder of its pages
	Items     []*Item
	Redirects []Redirect
	Notes     []Note
	Read      map[string]bool // files whose order is that of the tree
}

// reader makes a tree.
type reader struct {
	fs.FS
	site  Site
	names []string            // of all files, and of folders that are hidden
	title func(string) string // makes a title of a path
	pages map[string]*Page
	keys  map[string]string   // path by path key, and by plain path
	homes map[string]string   // path by the address that front matter wants
	below map[string][]string // names of files and folders by folder, sorted
	tree  Tree
	made  int // items so far
	files int // that were read
}

// Bounds of a tree.
const (
	maxItems = 200_000
	maxFiles = 10_000 // that it is read from
)

// Read returns what the site says about pages. names are those of the files of the
// tree, sorted; title makes a title of a path. Where the generator has no
// navigation, there are no items.
func (s Site) Read(fsys fs.FS, names []string, pages []Page, title func(string) string) Tree {
	r := &reader{
		FS: fsys, site: s, names: names, title: title,
		pages: map[string]*Page{}, keys: map[string]string{}, homes: map[string]string{}, below: map[string][]string{},
		tree: Tree{Title: s.Title, Read: map[string]bool{}},
	}
	listed := map[string]bool{}
	for i, p := range pages {
		r.pages[p.Path] = &pages[i]
		whole := strings.TrimSuffix(p.Path, path.Ext(p.Path))
		keys := []string{reference.PathKey(p.Path), p.Plain, whole, strings.TrimPrefix(strings.ReplaceAll("/"+whole, "/_", "/"), "/")}
		if p.Last != "" {
			keys = append(keys, path.Join(path.Dir(p.Plain), p.Last))
		}
		for _, key := range keys {
			r.keys[key] = cmp.Or(r.keys[key], p.Path)
		}
		if p.Address != "" {
			r.homes[clean(p.Address)] = cmp.Or(r.homes[clean(p.Address)], p.Path)
		}
		for child := p.Path; child != "." && !listed[child]; child = path.Dir(child) {
			listed[child] = true
			r.below[path.Dir(child)] = append(r.below[path.Dir(child)], path.Base(child))
		}
	}
	if read := systems[s.System].read; read != nil {
		r.tree.Items = read(r)
	}
	r.netlify()
	if r.tree.Root = r.site.Root; s.Dir != "." {
		r.tree.Title = "" // the tree is more than the site
	}
	return r.tree
}

// clean returns an address without fragment, query, slashes around it and ending.
func clean(address string) string {
	if end := strings.IndexAny(address, "?#"); end >= 0 {
		address = address[:end]
	}
	address = strings.TrimSuffix(strings.Trim(path.Clean("/"+address), "/"), ".html")
	return strings.TrimSuffix(strings.TrimSuffix(address, "/index"), "index")
}

// find returns the page that a reference means: from a folder, from the folders of all
// pages, or by the address that its front matter wants.
func (r *reader) find(ref string, dirs ...string) string {
	if end := strings.IndexAny(ref, "?#"); end >= 0 {
		ref = ref[:end]
	}
	for _, dir := range dirs {
		if file := path.Join(dir, ref); r.pages[file] != nil {
			return file
		}
		at := path.Join(dir, strings.TrimSuffix(ref, ".html"))
		for _, key := range []string{at, at + "/index", reference.PathKey(at), at + "/page"} {
			if file := r.keys[strings.TrimPrefix(key, "./")]; file != "" {
				return file
			}
		}
	}
	return r.homes[clean(ref)]
}

// note tells what was not taken along.
func (r *reader) note(at script.Node, from, format string, args ...any) {
	r.tree.Notes = append(r.tree.Notes, Note{cmp.Or(at.File, from), max(at.Line, 1), fmt.Sprintf(format, args...)})
}

// unknown tells of a value that is no literal.
func (r *reader) unknown(at script.Node, from string) {
	r.note(at, from, "this is computed, so its list is not imported")
}

// load reads a program or data, nothing where it is not there.
func (r *reader) load(name string) script.Node {
	n, err := r.parse(name)
	if r.files++; r.files > maxFiles {
		n, err = script.Node{}, errors.New("there are too many files")
	}
	if err != nil {
		r.note(n, name, "%s: %v", unread, err)
		return script.Node{Kind: script.Null}
	}
	r.tree.Read[name] = true
	return n
}

const unread = "it cannot be read, so the order and titles in it are lost"

func (r *reader) parse(name string) (script.Node, error) {
	switch path.Ext(name) {
	case ".yml", ".yaml", ".pages":
		text, err := fs.ReadFile(r, name)
		if err != nil {
			return script.Node{}, fmt.Errorf("open it: %w", err)
		}
		return script.YAML(text)
	case ".toml":
		text, err := fs.ReadFile(r, name)
		if err != nil {
			return script.Node{}, fmt.Errorf("open it: %w", err)
		}
		v, err := settings.Lenient(name, text)
		return script.FromValue(v), err
	case ".md", ".py", ".vitepress", ".obsidian":
		return script.Node{Kind: script.Null}, nil
	}
	return script.Read(r, name)
}

// first returns the first of some files below a folder that there is.
func (r *reader) first(dir string, names ...string) string {
	for _, name := range names {
		file := path.Join(dir, name)
		if _, found := slices.BinarySearch(r.names, file); found {
			return file
		}
	}
	return ""
}
