// Package beside finds the files that pages refer to outside of the pages' folder, such
// as code examples. It imports nothing and knows no pages.
package beside

import (
	"errors"
	"io/fs"
	"slices"
)

// FS is the folder of the pages, in which files are found too that only the tree
// around it has.
type FS struct {
	fs.FS
	Around fs.FS
}

// Open opens a file of the folder, or else of the tree.
func (f FS) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return f.Around.Open(name)
	}
	return file, err
}

// Find returns which of some names are those of files that only the tree has,
// sorted, each once.
func (f FS) Find(names []string) (found []string) {
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if !fs.ValidPath(name) {
			continue
		}
		if _, err := fs.Stat(f.FS, name); err == nil {
			continue
		}
		if info, err := fs.Stat(f.Around, name); err == nil && info.Mode().IsRegular() {
			found = append(found, name)
		}
	}
	return found
}
