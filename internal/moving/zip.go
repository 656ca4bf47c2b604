package moving

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Limits of a zip.
const (
	MaxZip         = 4 << 30 // bytes of the file, unless another number is given
	unpackedFactor = 4       // times as much may be in it
	MaxFiles       = 100_000
	maxRatio       = 1100 // how far deflate can press a file together, and a bit
)

// ErrUnsafe tells that a zip is made to harm, or larger than any export.
var ErrUnsafe = errors.New("the zip is not safe to unpack")

// OpenZip returns the files in a zip, without the one folder that all are in. What is
// no file, or whose path leads out, is left out and told. A zip of more than most bytes, or
// with four times as much in it, is refused.
func OpenZip(file io.ReaderAt, size, most int64) (fs.FS, []Loss, error) {
	if size > most {
		return nil, nil, fmt.Errorf("%w: it has more than %d bytes", ErrUnsafe, most)
	}
	z, err := zip.NewReader(file, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // which is seen to below
		return nil, nil, fmt.Errorf("read the zip: %w", err)
	}
	if len(z.File) > MaxFiles {
		return nil, nil, fmt.Errorf("%w: it has more than %d files", ErrUnsafe, MaxFiles)
	}
	all := newFiles()
	var lost []Loss
	var packed, unpacked uint64
	unpackedMost := unpackedFactor * uint64(most)
	for _, f := range z.File {
		packed, unpacked = packed+f.CompressedSize64, unpacked+f.UncompressedSize64
		switch {
		case f.UncompressedSize64 > unpackedMost || unpacked > unpackedMost:
			return nil, nil, fmt.Errorf("%w: what is in it has more than %d bytes", ErrUnsafe, unpackedMost)
		case f.UncompressedSize64/maxRatio > f.CompressedSize64:
			return nil, nil, fmt.Errorf("%w: %q would grow more than %d times", ErrUnsafe, f.Name, maxRatio)
		case f.CompressedSize64 > uint64(size) || packed > uint64(size):
			return nil, nil, fmt.Errorf("%w: its files lie over each other", ErrUnsafe)
		}
		name, why := zipPath(f)
		if why == "" && !f.Mode().IsDir() && !all.add(name, entry{open: func() (content, error) { return unpack(f) }}) {
			why = "another file or folder has its path"
		}
		if why != "" {
			lost = append(lost, Loss{From: strings.ToValidUTF8(f.Name, "\uFFFD"), Line: 1, Construct: "zip", Words: why})
		}
	}
	all.sort()
	return topFolder(all), lost, nil
}

// zipPath returns the path of a file in a zip, or why it is left out.
func zipPath(f *zip.File) (name, why string) {
	name = f.Name
	if !utf8.ValidString(name) {
		name, _ = charmap.CodePage437.NewDecoder().String(name) // which has a letter for each byte
	}
	name = strings.TrimSuffix(strings.ReplaceAll(name, `\`, "/"), "/")
	switch {
	case f.Mode().IsDir():
	case !fs.ValidPath(name) || strings.ContainsRune(name, 0) || strings.Count(name, "/") > 100:
		return name, "its path leads out of the zip, or is none"
	case !f.Mode().IsRegular():
		return name, "it is no file, such as a symbolic link"
	case f.Flags&1 != 0:
		return name, "it is encrypted"
	}
	return name, ""
}

// unpack opens a file in a zip, which has not more bytes than it says.
func unpack(f *zip.File) (content, error) {
	again := func() (io.ReadCloser, error) {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{io.LimitReader(r, int64(f.UncompressedSize64)+1), r}, nil // the reader tells of one more
	}
	first, err := again()
	return content{first, int64(f.UncompressedSize64), again}, err
}

// topFolder returns what is in the one folder that everything is in.
func topFolder(f *files) fs.FS {
	var fsys fs.FS = f
	for dir := "."; ; {
		var inside []string
		for _, e := range f.folders[dir] {
			if name := e.Name(); name != "__MACOSX" && name != ".DS_Store" {
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
		dir, fsys = next, sub
	}
}
