package importer

import (
	"bytes"
	"cmp"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// takeParts returns the files that are pages. A file that pages embed as a component and
// none links to becomes one of the other files. Drafts are embedded nowhere and stay
// pages.
func (t *listing) takeParts(files []*file, now time.Time) []*file {
	byPath := map[string]*file{}
	for _, f := range files {
		byPath[f.path] = f
	}
	others := map[string]bool{}
	for _, name := range t.others {
		others[reference.FileKey(name)] = true
	}
	shows := map[*file][]*file{}
	shown := map[*file]bool{}
	for _, f := range files {
		for _, href := range f.shown {
			if !strings.Contains(strings.ToLower(href), ".m") {
				continue
			}
			names := reference.ShownFiles(href, f.path, "")
			if reference.Named(href) && slices.ContainsFunc(names, func(name string) bool { return others[name] }) {
				continue // a name means a file that is not a page first
			}
			for _, name := range names {
				if part := byPath[name]; part != nil {
					shows[f], shown[part] = append(shows[f], part), true
					break
				}
			}
		}
	}
	if len(shown) == 0 {
		return files
	}
	byKey, linked, parts := map[string]*file{}, map[*file]bool{}, map[*file]bool{}
	for _, f := range files {
		byKey[reference.PathKey(f.path)], byKey[reference.NameKey(f.path)] = f, f
	}
	for _, f := range files {
		for _, href := range f.links {
			for _, to := range reference.Targets(href, f.path, "") {
				linked[byKey[to.Path]] = true
			}
		}
	}
	for _, f := range files {
		if shown[f] && !linked[f] { // a cycle of embedded files stays pages
			continue
		}
		for _, part := range shows[f] {
			if linked[part] || part.meta.publication.draft(now) || part.broken || part.entry.Action == Skipped {
				continue
			}
			if !parts[part] {
				parts[part] = true
				t.others = append(t.others, part.path)
			}
		}
	}
	if len(parts) == 0 {
		return files
	}
	slices.Sort(t.others)
	return slices.DeleteFunc(files, func(f *file) bool { return parts[f] })
}

// refersToFiles reports whether the text has relative pictures.
func (f *file) refersToFiles() bool {
	return slices.ContainsFunc(f.shown, func(href string) bool {
		return !reference.IsText(href) && len(reference.ShownFiles(href, f.path, "")) > 0
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

// addParts adds the anchors of the parts embedded in f, notes missing parts, and returns the others.
func (f *file) addParts(fsys fs.FS, parts map[string]*file) (added []*file) {
	for _, href := range f.shown {
		names := reference.ShownFiles(href, f.path, "")
		i := slices.IndexFunc(names, func(name string) bool { return parts[name] != nil })
		if i < 0 {
			continue
		}
		part := parts[names[i]]
		if part.dialect != f.dialect { // as it is shown
			part.dialect, part.anchors = f.dialect, nil
		}
		f.readAnchors(fsys).Add(part.readAnchors(fsys))
		if slices.ContainsFunc(part.shown, reference.IsText) {
			f.entry.note(f.line, "%s shows other files in turn, whose text is missing here", part.path)
		}
		if part.refersToFiles() {
			f.entry.note(f.line, "pictures of %s may lead nowhere where it is shown", part.path)
		}
		added = append(added, part)
	}
	return added
}
