package importer

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/importer/navigation"
)

// addFolders adds a page without content for each folder without one of which the generator
// of the site makes a section.
func (p *plan) addFolders(site navigation.Site, categories map[string]string) {
	var files []string
	for _, f := range p.files {
		if f.meta.above.parent == "" { // otherwise it is not in its folder
			files = append(files, f.path)
		}
	}
	for _, section := range site.Sections(files, func(dir string) bool { return p.folders[dir] != nil || categories[dir] != "" }) {
		page, dir := newFile(""), path.Dir(section)
		for _, f := range p.files {
			if at := f.byDate(); at != nil && below(dir)(f.path) && (page.meta.position == nil || *at < *page.meta.position) {
				page.meta.position = at // that of its newest page
			}
		}
		p.folders[dir] = page
		p.add(page, section)
	}
}

func (p *plan) navigate(fsys fs.FS, categories map[string]string, name string) {
	folders := map[string]slot{} // by the path of the folder's page
	for dir, name := range categories {
		if len(p.listed) > 0 && !p.hasUnlisted(dir) {
			continue
		}
		said, problems := navigation.ReadCategory(fsys, name)
		entry, doc := Entry{Path: name}, said.Doc
		for _, problem := range problems {
			entry.note(1, "%s", problem)
		}
		if f := p.byDoc(dir, doc); f != nil {
			f.linked, p.folders[dir] = p.folders[dir] != f, f
		} else if doc != "" {
			entry.note(1, "link: there is no page %s in the folder", doc)
		}
		if p.folders[dir] == nil && said.Title != "" && p.hasUnlisted(dir) {
			p.folders[dir] = newFile(name)
			p.add(p.folders[dir], name)
		}
		if f := p.folders[dir]; f != nil {
			folders[f.path] = slot{title: oneLine(said.Title), position: said.Position}
		} else {
			entry.note(1, "the folder has no page, so its label and position are lost")
		}
		if len(entry.Notes) > 0 {
			entry.Action = Skipped
			p.entries = append(p.entries, entry)
		}
	}
	for _, f := range p.files {
		listed, folder := p.listed[f], folders[f.path]
		title := cmp.Or(map[bool]string{true: listed.title}[f.dialect == octavo.DialectMkDocs], f.meta.title, listed.title, f.heading, folder.title)
		if title == "" && name != "" && p.folders[p.root] == f {
			title = filename.Title(name + ".md")
		}
		f.setTitle(cmp.Or(title, filename.Title(f.path)))
		f.position = cmp.Or(listed.position, f.meta.position, folder.position, f.byDate(), numberOf(p, f))
	}
}

func (f *file) setTitle(title string) {
	short, cut := cutTitle(title)
	if cut {
		f.entry.note(1, "the title is longer than %d characters: %s", octavo.MaxTitle, title)
	}
	f.title = short
}

// numberOf returns the leading number of the file name, or of the folder name for a
// folder's page.
func numberOf(p *plan, f *file) *int64 {
	name := strings.TrimSuffix(path.Base(f.path), path.Ext(f.path))
	if p.speaks(f) {
		name = path.Base(path.Dir(f.path))
	}
	if n, _, ok := filename.SplitNumber(name); ok {
		n *= Spacing
		return &n
	}
	return nil
}

// hasUnlisted reports whether a folder has pages that are not in the navigation.
func (p *plan) hasUnlisted(dir string) bool {
	return slices.ContainsFunc(p.files, func(f *file) bool {
		_, ok := p.listed[f]
		return !ok && below(dir)(f.path)
	})
}

// byDoc finds a page by its Docusaurus id: the path without numbers and extension, whose
// last part may be replaced by the id in front matter.
func (p *plan) byDoc(dir, id string) *file {
	if id == "" {
		return nil
	}
	for _, f := range p.files {
		if path.Dir(f.path) != dir {
			continue
		}
		parts := filename.PathParts(f.path)
		if f.meta.last != "" && !strings.HasSuffix("/"+path.Join(parts...), "/"+id) {
			parts[len(parts)-1] = f.meta.last
		}
		if strings.HasSuffix("/"+path.Join(parts...), "/"+id) {
			return f
		}
	}
	return nil
}
