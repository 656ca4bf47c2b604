// Package navigation reads the navigation of generators, pages, sections, titles and
// redirects, into one kind of tree. It reads only literals and reports the rest; it runs
// nothing. Start with the table systems.
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

// Page is a page to be ordered.
type Page struct {
	Path     string
	Plain    string // path without ordering numbers and extension
	Address  string // full path in front matter, "" if unset
	Last     string // last part of the path in front matter
	Position *int64 // in front matter or file name
	Speaks   bool   // it represents its folder
	Outside  bool   // see Site.Outside
}

// Item is a page or section.
type Item struct {
	Title    string // "" if unset
	File     string // of the page; "" for a section without one
	ToCome   bool   // a planned page without a file
	Names    bool   // its title is part of the addresses of sections in it, though it has a file
	Address  string // on the site, of a section whose page the generator makes; "" for none
	Children []*Item
	From     string // the file with this entry
	Line     int    // in From
}

// Redirect maps an address to a page or another address.
type Redirect struct {
	From string // begins with /
	Path string // of the page; "" for none
	To   string // another address, or an anchor with # of the page
	File string // the file that defines it
	Line int
}

// Note is a part of a file that was not imported.
type Note struct {
	File string
	Line int
	Text string
}

// Tree is the navigation of a site.
type Tree struct {
	Title     string // of the site
	Root      string // folder of the pages
	Items     []*Item
	Redirects []Redirect
	Notes     []Note
	Read      map[string]bool // navigation files that were read
}

type reader struct {
	fs.FS
	site  Site
	names []string            // of all files and hidden folders
	title func(string) string // derives a title from a path
	pages map[string]*Page
	keys  map[string]string   // path by path key and by plain path
	homes map[string]string   // path by the address in front matter
	below map[string][]string // names of files and folders by folder, sorted
	tree  Tree
	route string // of the pages that Docusaurus generates
	made  int    // number of items
	files int    // number of files read
}

// Limits of a tree.
const (
	maxItems = 200_000
	maxFiles = 10_000 // read for one tree
)

// Read reads the navigation of the site. names are the sorted files of the tree; title
// derives a title from a path. Without a navigation there are no items.
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
		if s.System == "nextra" && p.Outside {
			continue // only shown in other pages
		}
		for child := p.Path; child != "." && !listed[child]; child = path.Dir(child) {
			listed[child] = true
			r.below[path.Dir(child)] = append(r.below[path.Dir(child)], path.Base(child))
		}
	}
	if read := systems[s.System].read; read != nil {
		r.tree.Items = read(r)
	}
	r.hosts()
	if r.tree.Root = r.site.Root; s.Dir != "." {
		r.tree.Title = "" // the site is only a part of the tree
	}
	return r.tree
}

// clean strips fragment, query, surrounding slashes and extension from an address.
func clean(address string) string {
	if end := strings.IndexAny(address, "?#"); end >= 0 {
		address = address[:end]
	}
	address = strings.TrimSuffix(strings.Trim(path.Clean("/"+address), "/"), ".html")
	return strings.TrimSuffix(strings.TrimSuffix(address, "/index"), "index")
}

// find resolves a reference: relative to dirs, to the folders of all pages, or by the
// address in front matter.
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

// note reports what was not imported.
func (r *reader) note(at script.Node, from, format string, args ...any) {
	r.tree.Notes = append(r.tree.Notes, Note{cmp.Or(at.File, from), max(at.Line, 1), fmt.Sprintf(format, args...)})
}

// unknown reports a value that is not a literal.
func (r *reader) unknown(at script.Node, from string) {
	r.note(at, from, "this is computed, so its list is not imported")
}

// load reads a program or data file, and returns nothing if it does not exist.
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

// first returns the first existing file in dir.
func (r *reader) first(dir string, names ...string) string {
	for _, name := range names {
		file := path.Join(dir, name)
		if _, found := slices.BinarySearch(r.names, file); found {
			return file
		}
	}
	return ""
}
