package importer

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
)

// navigate gives every page its title and its position.
func (p *plan) navigate(fsys fs.FS, nav *navigation, categories map[string]string, name string) {
	folders := map[string]place{} // by the path of the folder's page
	for dir, name := range categories {
		place, entry := readCategory(fsys, name)
		if f := p.byDoc(dir, place.doc); f != nil {
			f.linked, p.folders[dir] = p.folders[dir] != f, f
		} else if place.doc != "" {
			entry.note(1, "link: there is no page %s in the folder", place.doc)
		}
		if p.folders[dir] == nil && place.title != "" && slices.ContainsFunc(p.files, func(f *file) bool { return below(dir)(f.path) }) {
			p.folders[dir] = p.addPage(name)
		}
		if f := p.folders[dir]; f != nil {
			folders[f.path] = place
		} else {
			entry.note(1, "the folder has no page, so its label and position are lost")
		}
		if len(entry.Notes) > 0 {
			entry.Action = Skipped
			p.entries = append(p.entries, entry)
		}
	}
	p.addSections(nav)
	known := map[string]bool{}
	for _, f := range p.files {
		known[f.path] = true
		listed, folder := nav.place(f.path), folders[f.path]
		title := cmp.Or(f.meta.title, listed.title, f.heading, folder.title)
		if title == "" && name != "" && p.folders["."] == f {
			title = titleOfName(name + ".md")
		}
		f.setTitle(cmp.Or(title, titleOfName(f.path)))
		f.position = cmp.Or(f.meta.position, listed.position, folder.position, numberOf(p, f))
	}
	if nav != nil {
		nav.missing(func(file string) bool { return known[file] })
	}
}

func (f *file) setTitle(title string) {
	short, cut := cutTitle(title)
	if cut {
		f.entry.note(1, "the title is longer than %d characters: %s", octavo.MaxTitle, title)
	}
	f.title = short
}

// numberOf returns the number that the name of the file begins with, or that
// of the folder where the file speaks for it.
func numberOf(p *plan, f *file) *int64 {
	name := strings.TrimSuffix(path.Base(f.path), path.Ext(f.path))
	if p.speaks(f) {
		name = path.Base(path.Dir(f.path))
	}
	if n, _, ok := splitNumber(name); ok {
		n *= Spacing
		return &n
	}
	return nil
}

// readCategory reads the _category_ file of a folder (Docusaurus).
func readCategory(fsys fs.FS, name string) (place, Entry) {
	entry := Entry{Path: name}
	v, err := readValue(fsys, name)
	if err != nil {
		entry.note(1, "%v", err)
		return place{}, entry
	}
	label, _ := v.Get("label")
	at := place{title: oneLine(scalar(label))}
	if position, ok := v.Get("position"); ok {
		var problem string
		if at.position, problem = readNumber(position); problem != "" {
			entry.note(1, "position: %s", problem)
		}
	}
	link, _ := v.Get("link")
	if kind, _ := link.Get("type"); kind.Str == "doc" {
		id, _ := link.Get("id")
		at.doc = id.Str
	}
	return at, entry
}

// byDoc returns the page in a folder that has an id of Docusaurus: its path below
// the folder of all pages without numbers and extension, where the last part may
// be the id in front matter.
func (p *plan) byDoc(dir, id string) *file {
	if id == "" {
		return nil
	}
	for _, f := range p.files {
		if path.Dir(f.path) != dir {
			continue
		}
		parts := pathParts(f.path)
		if f.meta.last != "" && !strings.HasSuffix("/"+path.Join(parts...), "/"+id) {
			parts[len(parts)-1] = f.meta.last
		}
		if strings.HasSuffix("/"+path.Join(parts...), "/"+id) {
			return f
		}
	}
	return nil
}
