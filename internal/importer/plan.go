package importer

import (
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/importer/navigation"
	"github.com/octavo-docs/octavo/internal/slugify"
)

// plan is the intended state of the pages of a tree.
type plan struct {
	files   []*file          // those that make a page, by path
	skipped []*file          // the rest
	folders map[string]*file // folder → the page that represents it
	slugs   slugify.Maker
	known   known
	owners  map[string]*file   // slug → the page that will have it
	entries []Entry            // of files that are not pages
	paths   map[string]*file   // by path
	titles  map[string][]*file // by title, for named
	parts   map[string]*file   // texts that pages embed, by path

	root   string          // folder of the site's pages
	listed map[*file]slot  // entries of the navigation
	count  int             // of pages and sections in the navigation
	read   map[string]bool // files of the navigation

	redirects []navigation.Redirect

	draftParts []string               // embedded texts that are drafts, by path
	before     int                    // pages of the set
	strange    int                    // of these, those whose file has an unrelated text
	gone       []*knownPage           // pages of the set whose file is gone
	missing    []*Entry               // of these
	taken      []*Entry               // of missing, those that operations delete
	operations []octavo.BulkOperation // one per entry of taken
}

func newPlan(files []*file) *plan {
	p := &plan{folders: map[string]*file{}, slugs: slugify.NewMaker(), owners: map[string]*file{}, paths: map[string]*file{}, parts: map[string]*file{}, root: ".", listed: map[*file]slot{}}
	for _, f := range files {
		if f.entry.Action == Skipped {
			p.skipped = append(p.skipped, f)
			continue
		}
		p.files, p.paths[f.path] = append(p.files, f), f
		rank, ok := filename.FolderRank(f.path)
		if !ok {
			continue
		}
		dir := path.Dir(f.path)
		if rival := p.folders[dir]; rival != nil {
			if held, _ := filename.FolderRank(rival.path); held <= rank {
				continue
			}
		}
		p.folders[dir] = f
	}
	for _, f := range p.files { // beside a folder with its name
		dir := strings.TrimSuffix(f.path, path.Ext(f.path))
		if p.folders[dir] == nil {
			p.folders[dir] = f
		}
	}
	return p
}

// speaks reports whether f represents its folder.
func (p *plan) speaks(f *file) bool { return p.folders[path.Dir(f.path)] == f }

// grow assigns parents and limits the depth to octavo.MaxDepth.
func (p *plan) grow() {
	grown := map[*file]bool{}
	var grow func(f *file)
	grow = func(f *file) {
		if f == nil || grown[f] {
			return
		}
		grown[f] = true
		f.parent = p.above(f)
		for up := f.parent; up != nil; up = up.parent {
			if up == f { // a title names a page below it
				f.parent = p.home()
				break
			}
		}
		grow(f.parent)
		for f.parent != nil && f.parent.depth == octavo.MaxDepth-1 {
			f.parent = f.parent.parent
			f.entry.note(1, "the tree is deeper than %d pages; this one moves up", octavo.MaxDepth)
		}
		if f.parent != nil {
			f.depth = f.parent.depth + 1
		}
	}
	for _, f := range p.files {
		grow(f)
	}
}

func (p *plan) report(skipped []Entry, nav *mkdocs) Report {
	r := slices.Concat(Report(skipped), p.entries)
	for _, e := range p.missing {
		r = append(r, *e)
	}
	for _, f := range slices.Concat(p.files, p.skipped) {
		r = append(r, f.entry)
	}
	if nav != nil && len(nav.entry.Notes) > 0 {
		if i := slices.IndexFunc(r, func(e Entry) bool { return e.Path == nav.entry.Path }); i >= 0 {
			r[i].Notes = append(r[i].Notes, nav.entry.Notes...)
		} else {
			r = append(r, nav.entry)
		}
	}
	if len(p.files)+len(p.missing) == 0 {
		r = append(r, Entry{Path: ".", Action: Skipped, Notes: []Note{{Line: 1, Message: NoPages}}})
	}
	r.sort()
	return r
}
