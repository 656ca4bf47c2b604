// Package beside finds files outside of the pages' folder that pages refer to, such as
// code examples. It imports nothing and knows no pages.
package beside

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/octavo-docs/octavo/internal/importer/filename"
)

// FS is the folder of the pages, with a fallback to the surrounding tree.
type FS struct {
	fs.FS
	Around  fs.FS
	Folders []string // of the tree, in which files may be as well
	Folder  string   // of the pages, in the tree
}

func (f FS) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return f.Around.Open(name)
	}
	return file, err
}

// Find returns the names of files that are hidden, or that only the tree has, sorted and
// without duplicates.
func (f FS) Find(names []string) (found []string) {
	for _, name := range slices.Clip(names) {
		for _, folder := range f.Folders {
			names = append(names, path.Join(folder, name))
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if !fs.ValidPath(name) {
			continue
		}
		if _, err := fs.Stat(f.FS, name); err == nil && !filename.IsHidden(name) {
			continue
		}
		if info, err := fs.Stat(f, name); err == nil && info.Mode().IsRegular() {
			found = append(found, name)
		}
	}
	return found
}
