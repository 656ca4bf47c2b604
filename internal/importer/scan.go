package importer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/importer/filename"
)

// listing is the result of scanning a folder, without reading files.
type listing struct {
	pages   []string          // Markdown files, sorted
	others  []string          // other files, sorted; some become assets
	folders map[string]string // folder → its _category_ file
	data    []string          // hidden files and folders that may configure the site
	unread  []string          // folders that cannot be read
	skipped []Entry
}

// scan lists the files below the root of fsys. It excludes node_modules and hidden files
// other than those that configure pages and pictures.
func scan(ctx context.Context, fsys fs.FS) (listing, error) {
	t := listing{folders: map[string]string{}}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && name == "." {
			return fmt.Errorf("read the tree: %w", err)
		}
		if err != nil {
			t.fail(name, err)
			return fs.SkipDir
		}
		base := path.Base(name)
		switch {
		case name == ".":
			return nil
		case strings.HasPrefix(base, "."), d.IsDir() && base == "node_modules":
			t.addHidden(fsys, name)
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		t.add(fsys, name, d)
		return nil
	})
	slices.Sort(t.pages)
	slices.Sort(t.others)
	return t, err
}

// fail records an unreadable folder.
func (t *listing) fail(dir string, err error) {
	if cause := errors.Unwrap(err); cause != nil {
		err = cause // the entry has the path
	}
	e := skipped(dir, "the folder cannot be read: %v", err)
	e.Failed = true
	t.skipped = append(t.skipped, e)
	t.unread = append(t.unread, dir)
}

func (t *listing) add(fsys fs.FS, name string, d fs.DirEntry) {
	skip := func(reason string) { t.skipped = append(t.skipped, skipped(name, "%s", reason)) }
	if !utf8.ValidString(name) {
		skip("the name of the file is not UTF-8")
		t.skipped[len(t.skipped)-1].Failed = reference.IsText(name)
		return
	}
	mode := d.Type()
	if mode&fs.ModeSymlink != 0 {
		info, err := fs.Stat(fsys, name)
		if err != nil {
			skip("the symbolic link leads out of the tree or nowhere")
			return
		}
		if mode = info.Mode(); mode.IsDir() {
			skip("symbolic links to folders are not followed")
			return
		}
	}
	base := path.Base(name)
	switch {
	case !mode.IsRegular():
		skip("not a regular file")
	case base == "_category_.json" || base == "_category_.yml" || base == "_category_.yaml":
		t.folders[path.Dir(name)] = name
	case !reference.IsText(name):
		t.others = append(t.others, name)
	case isPart(name):
		t.others = append(t.others, name)
	default:
		t.pages = append(t.pages, name)
	}
}

// isPart reports whether pages embed the file by convention: its name begins with an
// underscore (Docusaurus, Starlight), or its folder is one used for parts. Other
// folders with an underscore contain pages (Jekyll).
func isPart(name string) bool {
	base := path.Base(name)
	return base[0] == '_' && !filename.IsFolderPage(base) && !filename.IsSection(base) || slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool {
		return slices.Contains([]string{"_includes", "_partials", "_snippets", "_fragments", "_common"}, dir)
	}) || strings.HasPrefix(name, "snippets/")
}
