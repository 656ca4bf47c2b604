package importer

import (
	"bytes"
	"cmp"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// takeParts makes other files of those that pages show. They are no longer pages, unless
// something links to them or the navigation lists them. Drafts are shown nowhere.
func (p *plan) takeParts(found *listing, now time.Time) {
	others := map[string]bool{}
	for _, name := range found.others {
		others[reference.FileKey(name)] = true
	}
	shows := map[*file][]*file{}
	shown := map[*file]bool{}
	for _, f := range p.files {
		for _, href := range f.shown {
			if !strings.Contains(strings.ToLower(href), ".m") {
				continue
			}
			names := reference.ShownFiles(href, f.path, "")
			if reference.Named(href) && slices.ContainsFunc(names, func(name string) bool { return others[name] }) {
				continue // a name means a file that is not a page first
			}
			for _, name := range names {
				if part := p.paths[name]; part != nil && !part.made {
					shows[f], shown[part] = append(shows[f], part), true
					break
				}
			}
		}
	}
	if len(shown) == 0 {
		return // the common case
	}
	byKey, stays, parts := map[string]*file{}, map[*file]bool{}, map[*file]bool{}
	for _, f := range p.files {
		byKey[reference.PathKey(f.path)], byKey[reference.NameKey(f.path)] = f, f
		_, stays[f] = p.listed[f]
	}
	for _, f := range p.files {
		for _, href := range f.links {
			for _, to := range reference.Targets(href, f.path, "") {
				stays[byKey[to.Path]] = true
			}
		}
	}
	for _, f := range p.files {
		if shown[f] && !stays[f] { // what it shows, and a cycle, stays pages
			continue
		}
		for _, part := range shows[f] {
			if !part.meta.publication.draft(now) && !part.broken && !parts[part] {
				parts[part] = true
				found.others = append(found.others, part.path)
			}
		}
	}
	slices.Sort(found.others)
	p.files = slices.DeleteFunc(p.files, func(f *file) bool {
		gone := parts[f] && !stays[f]
		if gone {
			delete(p.paths, f.path)
			maps.DeleteFunc(p.folders, func(_ string, page *file) bool { return page == f })
		}
		return gone
	})
}

// readPart reads a file that pages embed. If it is a draft or unreadable, why says so.
func readPart(fsys fs.FS, name string, now time.Time, rules []rule) (part *file, why string) {
	part = readPage(fsys, name, manner{dialect: func(string) octavo.Dialect { return "" }}, new(bytes.Buffer))
	part.inherit(rules)
	switch h := &part.meta.publication; {
	case part.entry.Failed || part.entry.Action == Skipped:
		why = part.entry.Notes[0].Message
	case part.broken:
		why = "its front matter cannot be read, so it is not imported"
	case h.draft(now):
		why = "marked as a draft, so it is not imported: " + cmp.Or(h.why, "its dates say so")
	}
	return part, why
}

// addParts adds the anchors of the parts embedded in f, notes what is missing of them, and
// returns them.
func (p *plan) addParts(fsys fs.FS, f *file) (shown []*file) {
	for _, href := range f.shown {
		names := reference.ShownFiles(href, f.path, "")
		i := slices.IndexFunc(names, func(name string) bool { return p.parts[name] != nil })
		if i < 0 {
			continue
		}
		part := p.parts[names[i]]
		if part.dialect != f.dialect { // as it is shown
			part.dialect, part.anchors = f.dialect, nil
		}
		f.readAnchors(fsys).Add(part.readAnchors(fsys))
		if p.paths[part.path] != nil {
			f.entry.note(f.line, "%s is a page too; when that page is edited, its text here stays as it is", part.path)
		}
		if slices.ContainsFunc(part.shown, reference.IsText) {
			f.entry.note(f.line, "%s shows other files in turn, whose text is missing here", part.path)
		}
		shown = append(shown, part)
	}
	return shown
}

// part notes the links of a part that lead nowhere on f, neither from there nor from the
// part, and its pictures, which only a page that refers to them itself can show.
func (c *linkCheck) part(f, part *file) {
	for _, href := range part.links {
		lost := 0
		for _, from := range []string{f.path, part.path} {
			at := *f
			at.path = from
			c.link(&at, href, func(string, string, ...any) { lost++ })
		}
		if lost == 2 {
			f.entry.note(f.line, "the link to %s in %s leads to no page or heading", reference.AsWritten(href), part.path)
		}
	}
	for _, href := range part.shown {
		files := slices.Concat(reference.ShownFiles(href, f.path, ""), reference.ShownFiles(href, part.path, ""))
		if !reference.IsText(href) && !slices.Contains(f.shown, href) && c.isAsset(files) {
			f.entry.note(f.line, "the picture %s in %s is not shown", reference.AsWritten(href), part.path)
		}
	}
}
