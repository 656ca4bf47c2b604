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
	MaxZip         = 4 << 30 // bytes of the file, unless another number is given
	unpackedFactor = 4       // times as much may be in it
	MaxFiles       = 100_000
	maxRatio       = 1100     // how far deflate can press a file together, and a bit
	maxInner       = 64 << 20 // bytes of all zips in the zip
)

// ErrUnsafe tells that a zip is made to harm, or larger than any export.
var ErrUnsafe = errors.New("the zip is not safe to unpack")

// OpenZip returns the files in a zip, without the one folder that all are in. Where it
// holds nothing but zips, as exports in several parts do, it is what they hold together.
// What is no file, or whose path leads out, is left out and told. A zip of more than most
// bytes, or with four times as much in it, is refused.
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

// unzipping is a zip while its files are listed.
type unzipping struct {
	all      *files
	lost     []Loss
	most     uint64 // bytes of the zip
	unpacked uint64
	held     uint64 // bytes of zips in the zip that are in memory
	count    int
	deep     bool // in a zip in the zip
}

// open lists the files of a zip, and returns those that are zips, which are not listed yet.
func (u *unzipping) open(file io.ReaderAt, size int64) (inner []*zip.File, err error) {
	if uint64(size) > u.most {
		return nil, fmt.Errorf("%w: it has more than %d bytes", ErrUnsafe, u.most)
	}
	z, err := zip.NewReader(file, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // which is seen to below
		return nil, fmt.Errorf("read the zip: %w", err)
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
			return nil, fmt.Errorf("%w: what is in it has more than %d bytes", ErrUnsafe, unpackedFactor*u.most)
		case f.UncompressedSize64/maxRatio > f.CompressedSize64:
			return nil, fmt.Errorf("%w: %q would grow more than %d times", ErrUnsafe, f.Name, maxRatio)
		}
		if strings.HasPrefix(f.Name, "__MACOSX/") {
			continue // what Macs note of each file
		}
		if strings.HasSuffix(strings.ToLower(f.Name), ".zip") && !u.deep {
			inner = append(inner, f)
			continue
		}
		u.add(f)
	}
	return inner, nil
}

// overlap reports whether files of a zip have bytes of it in common, or such as it has
// not. One whose header cannot be read has none, and is told of when it is opened.
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

// add lists a file, or says why it is left out.
func (u *unzipping) add(f *zip.File) {
	name, why := zipPath(f)
	if why == "" && !f.Mode().IsDir() && !u.all.add(name, entry{open: func() (content, error) { return unpack(f) }}) {
		why = "another file or folder has its path"
	}
	if why != "" {
		u.lost = append(u.lost, Loss{From: strings.ToValidUTF8(f.Name, "\uFFFD"), Line: 1, Construct: "zip", Words: why})
	}
}

// inner lists the files of a zip in the zip, which is read from memory.
func (u *unzipping) inner(f *zip.File) error {
	u.deep = true
	size := int64(f.UncompressedSize64)
	if u.held += f.UncompressedSize64; u.held > maxInner {
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
		return name, "it is not a file, but for example a symbolic link"
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
		dir, fsys = next, sub
	}
}
