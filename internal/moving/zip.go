package moving

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Limits of a zip.
const (
	MaxZip         = 4 << 30 // bytes of the file by default
	unpackedFactor = 4       // limit of the total size, as a multiple of the file's
	MaxFiles       = 100_000
	maxRatio       = 1100     // slightly above the maximal ratio of deflate
	maxInner       = 64 << 20 // bytes of all nested zips
)

// ErrUnsafe means that a zip is malicious or too large.
var ErrUnsafe = errors.New("the zip is not safe to unpack")

// OpenZip returns the files in a zip, without a single top folder. If it contains only
// zips, as multi-part exports do, it returns their combined files. Special files and
// unsafe paths are omitted and reported. It refuses zips larger than most bytes, or with
// four times as much content.
func OpenZip(file io.ReaderAt, size, most int64) (fs.FS, []Loss, error) {
	u := &unzipping{all: newFiles(), most: uint64(most)}
	inner, err := u.open(file, size)
	if err != nil {
		return nil, nil, err
	}
	parts := len(u.all.entries) == 0
	for _, f := range inner {
		if !parts {
			u.add(f)
		} else if err := u.inner(f); err != nil {
			return nil, nil, fmt.Errorf("%q in the zip: %w", f.Name, err)
		}
	}
	u.all.sort()
	return topFolder(u.all), u.lost, nil
}

// unzipping is a zip being listed.
type unzipping struct {
	all      *files
	lost     []Loss
	most     uint64 // size limit of the zip in bytes
	unpacked uint64
	inMemory uint64 // bytes of nested zips in memory
	count    int
	deep     bool // in a nested zip
}

// open lists the files of a zip, and returns nested zips for later.
func (u *unzipping) open(file io.ReaderAt, size int64) (inner []*zip.File, err error) {
	if uint64(size) > u.most {
		return nil, fmt.Errorf("%w: it has more than %d bytes; --max-import of the command or server allows more", ErrUnsafe, u.most)
	}
	z, err := zip.NewReader(file, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // checked below
		return nil, fmt.Errorf("this is not a zip: give the folder that contains the file, a zip of it, or the zip that a system exported: %w", err)
	}
	if u.count += len(z.File); u.count > MaxFiles {
		return nil, fmt.Errorf("%w: it has more than %d files", ErrUnsafe, MaxFiles)
	}
	if overlap(z.File, uint64(size)) {
		return nil, fmt.Errorf("%w: its files lie over each other", ErrUnsafe)
	}
	for _, f := range z.File {
		u.unpacked += f.UncompressedSize64
		switch {
		case f.UncompressedSize64 > unpackedFactor*u.most || u.unpacked > unpackedFactor*u.most:
			return nil, fmt.Errorf("%w: what is in it has more than %d bytes, %d times what --max-import allows for the zip", ErrUnsafe, unpackedFactor*u.most, unpackedFactor)
		case f.UncompressedSize64/maxRatio > f.CompressedSize64:
			return nil, fmt.Errorf("%w: %q would grow more than %d times", ErrUnsafe, f.Name, maxRatio)
		}
		if strings.HasPrefix(f.Name, "__MACOSX/") {
			continue // metadata of macOS
		}
		if strings.HasSuffix(strings.ToLower(f.Name), ".zip") && !u.deep {
			inner = append(inner, f)
			continue
		}
		u.add(f)
	}
	return inner, nil
}

// overlap reports whether files share bytes of the zip, or refer to bytes outside of it.
// A file with an unreadable header fails when opened.
func overlap(all []*zip.File, size uint64) bool {
	type part struct{ from, to uint64 }
	spans := make([]part, 0, len(all))
	for _, f := range all {
		at, err := f.DataOffset()
		if packed := f.CompressedSize64; packed > size {
			return true
		} else if err == nil && packed > 0 {
			spans = append(spans, part{uint64(at), uint64(at) + packed})
		}
	}
	slices.SortFunc(spans, func(a, b part) int { return cmp.Compare(a.from, b.from) })
	for i, s := range spans {
		if s.to > size || i > 0 && s.from < spans[i-1].to {
			return true
		}
	}
	return false
}

// add lists a file, or records why it is omitted.
func (u *unzipping) add(f *zip.File) {
	name, why := zipPath(f)
	if why == "" && !f.Mode().IsDir() && !u.all.add(name, entry{open: func() (content, error) { return unpack(f) }}) {
		why = "another file or folder has its path"
	}
	if why != "" {
		u.lost = append(u.lost, Loss{From: strings.ToValidUTF8(f.Name, "\uFFFD"), Line: 1, Construct: "zip", Words: why})
	}
}

// inner lists the files of a nested zip, read into memory.
func (u *unzipping) inner(f *zip.File) error {
	u.deep = true
	size := int64(f.UncompressedSize64)
	if u.inMemory += f.UncompressedSize64; u.inMemory > maxInner {
		return fmt.Errorf("with those before it has more than %d MiB: unpack the zip around it first", maxInner>>20)
	}
	c, err := unpack(f)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(c)
	if err = errors.Join(err, c.Close()); err != nil {
		return err
	}
	_, err = u.open(bytes.NewReader(text), size)
	return err
}

// zipPath returns the path of a file in a zip, or why it is omitted.
func zipPath(f *zip.File) (name, why string) {
	name = f.Name
	if !utf8.ValidString(name) {
		name, _ = charmap.CodePage437.NewDecoder().String(name) // decodes any byte
	}
	name = strings.ReplaceAll(name, `\`, "/")
	leaves := strings.HasPrefix(name, "/") || slices.Contains(strings.Split(name, "/"), "..")
	name = path.Clean(name) // some tools write ./a.md
	switch {
	case f.Mode().IsDir():
	case leaves || !fs.ValidPath(name) || name == "." || strings.ContainsRune(name, 0) || strings.Count(name, "/") > 100:
		return name, "its path leads out of the zip, or is none"
	case !f.Mode().IsRegular():
		return name, "it is not a file, but for example a symbolic link"
	case f.Flags&1 != 0:
		return name, "it is encrypted"
	}
	return name, ""
}

// unpack opens a file in a zip; it fails if there are more bytes than declared.
func unpack(f *zip.File) (content, error) {
	again := func() (io.ReadCloser, error) {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{io.LimitReader(r, int64(f.UncompressedSize64)+1), r}, nil // one more byte is detected by the reader
	}
	first, err := again()
	return content{first, int64(f.UncompressedSize64), again}, err
}

// unwrapped is the content of a zip without its single top folder; around contains that
// folder, nil for none.
type unwrapped struct {
	fs.FS
	around fs.FS
}

// topFolder strips a single top folder.
func topFolder(f *files) fs.FS {
	fsys := unwrapped{FS: f}
	for dir := "."; ; {
		var inside []string
		for _, e := range f.folders[dir] {
			if name := e.Name(); name != ".DS_Store" {
				inside = append(inside, name)
			}
		}
		if len(inside) != 1 {
			return fsys
		}
		next := path.Join(dir, inside[0])
		if _, folder := f.folders[next]; !folder {
			return fsys
		}
		sub, err := fs.Sub(f, next)
		if err != nil {
			return fsys
		}
		dir, fsys = next, unwrapped{sub, fsys.FS}
	}
}
