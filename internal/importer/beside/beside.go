// Package beside finds files outside of the pages' folder that pages refer to, such as
// code examples. It imports nothing and knows no pages.
package beside

import (
	"errors"
	"io/fs"
	"slices"
)

// FS is the folder of the pages, with a fallback to the surrounding tree.
type FS struct {
	fs.FS
	Around fs.FS
}

func (f FS) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return f.Around.Open(name)
	}
	return file, err
}

// Find returns the names of files that only the tree has, sorted and without duplicates.
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
