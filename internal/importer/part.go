package importer

import (
	"io/fs"
	"slices"
	"time"

	"github.com/octavo-docs/octavo/internal/document/reference"
)

// takeParts returns the files that are pages. One that pages show by a component
// and that none links to is a part of these, and among the other files from then
// on. What its author holds back now is shown nowhere, and stays a page.
func (t *listing) takeParts(files []*file, now time.Time) []*file {
	byPath, byKey, linked := map[string]*file{}, map[string]*file{}, map[*file]bool{}
	for _, f := range files {
		byPath[f.path], byKey[reference.PathKey(f.path)] = f, f
	}
	shows := map[*file][]*file{}
	shown := map[*file]bool{}
	for _, f := range files {
		for _, href := range f.links {
			for _, to := range reference.Targets(href, f.path, "") {
				linked[byKey[to.Path]] = true
			}
		}
		for _, href := range f.shown {
			for _, name := range reference.ShownFiles(href, f.path, "") {
				if part := byPath[name]; part != nil {
					shows[f], shown[part] = append(shows[f], part), true
					break
				}
			}
		}
	}
	parts := map[*file]bool{}
	for _, f := range files {
		if shown[f] && !linked[f] { // files that only show each other are pages
			continue
		}
		for _, part := range shows[f] {
			if linked[part] || part.isHeld(now) || part.entry.Action == Skipped {
				continue
			}
			if len(shows[part]) > 0 {
				f.entry.note(f.line, "%s shows other files in turn, whose text is missing here", part.path)
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

// isHeld reports whether the text of f may not be public now.
func (f *file) isHeld(now time.Time) bool { return f.broken || f.meta.hold.draft(now) }

// addParts takes up the anchors of the parts that the page of f shows.
func (f *file) addParts(fsys fs.FS, isAsset func([]string) bool) {
	for _, href := range f.shown {
		if !reference.IsText(href) {
			continue
		}
		for _, name := range reference.ShownFiles(href, f.path, "") {
			if !isAsset([]string{name}) {
				continue
			}
			if part := readPage(fsys, name, false); part.anchors != nil {
				f.anchors.Add(part.anchors)
			}
			break
		}
	}
}
