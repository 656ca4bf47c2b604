package importer

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/importer/language"
	"github.com/octavo-docs/octavo/internal/importer/navigation"
)

// Auto detects the generator; Files uses only names, folders and front matter.
const (
	Auto  = "auto"
	Files = navigation.Files
)

// Systems returns the names of the generators, including Files.
func Systems() []string { return navigation.Systems() }

// openSite returns the folder of the pages, and mkdocs.yml if it applies.
func openSite(fsys fs.FS, from string) (fs.FS, *mkdocs, error) {
	if from != "" && from != Auto && from != "mkdocs" {
		return fsys, nil, nil
	}
	return openMkDocs(fsys)
}

// findSite finds the generator of the tree whole, with the pages below fsys.
func findSite(whole, fsys fs.FS, nav *mkdocs, found *listing, from string) navigation.Site {
	if from == Auto {
		from = ""
	}
	if nav != nil {
		found.others = slices.DeleteFunc(found.others, isMkDocs)
		s := navigation.Find(whole, []string{nav.entry.Path}, "mkdocs")
		s.Root = "."
		return s
	}
	return navigation.Find(fsys, found.names(), from)
}

func isVault(files []*file) bool {
	links := map[string][]string{}
	for _, f := range files {
		links[f.path] = f.wiki
	}
	return navigation.IsVault(links)
}

// dialectBy returns the dialect of a file: that of the import, else of the generator.
func (o Options) dialectBy(site navigation.Site) func(name string) octavo.Dialect {
	return func(name string) octavo.Dialect {
		if o.Dialect == "" && site.Has(name) {
			return octavo.Dialect(navigation.Dialect(site.System))
		}
		return o.Dialect
	}
}

// speaksOther reports whether to change the dialect of the page. It stays unless the
// import sets one.
func (f *file) speaksOther(opts Options) bool {
	return f.dialect != "" && (f.known == nil || f.known.dialect != f.dialect && (opts.Dialect != "" || f.known.dialect == ""))
}

// names returns all files found, and hidden folders.
func (t *listing) names() []string {
	names := slices.Concat(t.pages, t.others, t.data)
	for _, name := range t.folders {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// arrange orders the pages by the navigation of the site. outside tells which are not of it.
func (p *plan) arrange(fsys fs.FS, site navigation.Site, found *listing, outside func(file string) bool) (title string) {
	pages := make([]navigation.Page, len(p.files))
	for i, f := range p.files {
		if f.meta.byID && !slices.Contains([]string{"docusaurus", Files, ""}, site.System) { // without effect there
			f.meta.last, f.meta.byID = "", false
		}
		pages[i] = navigation.Page{
			Path: f.path, Plain: path.Join(filename.PathParts(f.path)...), Address: f.meta.address, Last: f.meta.last,
			Position: f.meta.position, Speaks: p.speaks(f) && !f.linked, Outside: outside(f.path),
		}
		if pages[i].Position == nil {
			pages[i].Position = numberOf(p, f)
		}
	}
	tree := site.Read(fsys, found.names(), pages, filename.Title)
	p.root, p.redirects = tree.Root, tree.Redirects
	p.take(tree)
	for _, r := range tree.Redirects { // so that links find the page as well
		if f := p.paths[r.Path]; f != nil {
			f.meta.aliases = append(f.meta.aliases, alias{path: r.From})
		}
	}
	found.skipped = slices.DeleteFunc(found.skipped, func(e Entry) bool { return tree.Read[e.Path] })
	title, _ = cutTitle(oneLine(tree.Title))
	return title
}

// Found describes the detected site.
type Found struct {
	System    string            // its generator, Files for none
	Set       string            // import set of the pages
	Redirects func() []Redirect // after the import
	Home      func() string     // after it: the path of the page that is to be the site's home page, "" for none
}

// Redirect maps an address of the site to the page of a file, or to another address.
type Redirect struct {
	From string
	Path string // of the page in the tree; "" for another address
	To   string // the other address, or an anchor with # of the page
	File string // the file that defines it
	Line int
}

// leads returns the redirects of the generator and those in front matter.
func (p *plan) leads() (all []Redirect) {
	seen := map[string]bool{}
	add := func(r navigation.Redirect) {
		from := path.Clean("/" + strings.TrimSuffix(r.From, ".html"))
		if f := p.paths[r.Path]; seen[from] || from == "/" || f != nil && from == "/"+f.slug || strings.ContainsAny(from, "*?#") {
			return
		}
		seen[from] = true
		all = append(all, Redirect{from, r.Path, r.To, r.File, r.Line})
	}
	for _, r := range p.redirects {
		add(r)
	}
	for _, f := range p.files {
		if f.meta.address != "" && !f.made {
			add(navigation.Redirect{From: f.meta.address, Path: f.path, File: f.path})
		}
		for _, a := range f.meta.aliases {
			add(navigation.Redirect{From: p.formerPath(f, a), Path: f.path, File: f.path, Line: a.line})
		}
	}
	return all
}

// speak sets the language of each page: that of its folder, else that of the import.
func (p *plan) speak(fallback string) {
	spoken := language.OfFiles(maps.Keys(p.paths))
	for _, f := range p.files {
		f.language = cmp.Or(spoken[f.path], fallback)
	}
}
