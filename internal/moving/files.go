package moving

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// files is a file system whose files are generated or decompressed when opened.
type files struct {
	entries map[string]entry
	folders map[string][]fs.DirEntry
}

type entry struct{ open func() (content, error) }

// content is an open file. again restarts it.
type content struct {
	io.ReadCloser
	size  int64
	again func() (io.ReadCloser, error)
}

func newFiles() *files {
	return &files{entries: map[string]entry{}, folders: map[string][]fs.DirEntry{".": nil}}
}

// add adds a file and its parent folders. It reports false if the path is taken.
func (f *files) add(name string, e entry) bool {
	if _, taken := f.folders[name]; taken || f.entries[name].open != nil {
		return false
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if f.entries[dir].open != nil {
			return false
		}
	}
	f.entries[name] = e
	child := fs.DirEntry(found{fs: f, name: name})
	for {
		dir := path.Dir(name)
		list, known := f.folders[dir]
		f.folders[dir] = append(list, child)
		if known {
			return true
		}
		name, child = dir, found{fs: f, name: dir, dir: true}
	}
}

func (f *files) sort() {
	for _, list := range f.folders {
		slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
}

func (f *files) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if list, ok := f.folders[name]; ok {
		return &openFolder{found: found{fs: f, name: name, dir: true}, rest: list}, nil
	}
	e, ok := f.entries[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	c, err := e.open()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &opened{content: c, name: name}, nil
}

func (f *files) ReadDir(name string) ([]fs.DirEntry, error) {
	list, ok := f.folders[name]
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	return slices.Clone(list), nil
}

// found is the directory entry of a file or folder.
type found struct {
	fs   *files
	name string
	dir  bool
	size int64
}

func (i found) Name() string       { return path.Base(i.name) }
func (i found) IsDir() bool        { return i.dir }
func (i found) Size() int64        { return i.size }
func (i found) ModTime() time.Time { return time.Time{} }
func (i found) Sys() any           { return nil }
func (i found) Type() fs.FileMode  { return i.Mode().Type() }

func (i found) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

func (i found) Info() (fs.FileInfo, error) {
	if i.dir {
		return i, nil
	}
	return fs.Stat(i.fs, i.name)
}

type openFolder struct {
	found
	rest []fs.DirEntry
}

func (d *openFolder) Stat() (fs.FileInfo, error) { return d.found, nil }
func (d *openFolder) Close() error               { return nil }

func (d *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fs.ErrInvalid}
}

func (d *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(d.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.rest) {
		n = len(d.rest)
	}
	list := d.rest[:n:n]
	d.rest = d.rest[n:]
	return list, nil
}

// opened is an open file with Seek.
type opened struct {
	content
	name string
	at   int64
	want int64 // offset of the next Read
}

func (o *opened) Stat() (fs.FileInfo, error) { return found{name: o.name, size: o.size}, nil }

func (o *opened) Read(p []byte) (int, error) {
	if err := o.move(); err != nil {
		return 0, err
	}
	n, err := o.ReadCloser.Read(p)
	o.at += int64(n)
	o.want = o.at
	return n, err
}

// move goes to the offset set by Seek. It restarts a stream to go back.
func (o *opened) move() error {
	if o.want < o.at {
		next, err := o.again()
		if err != nil {
			return err
		}
		_ = o.ReadCloser.Close() // it was only read
		o.ReadCloser, o.at = next, 0
	}
	n, err := io.CopyN(io.Discard, o.ReadCloser, o.want-o.at)
	o.at += n
	return err
}

func (o *opened) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += o.want
	case io.SeekEnd:
		offset += o.size
	}
	if offset < 0 || offset > o.size {
		return 0, fmt.Errorf("seek to %d of %d bytes: %w", offset, o.size, fs.ErrInvalid)
	}
	o.want = offset
	return offset, nil
}

func bytesOf(text []byte) content {
	again := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	first, _ := again()
	return content{first, int64(len(text)), again}
}

func openFile(fsys fs.FS, name string) (content, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return content{}, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return content{}, err
	}
	return content{file, info.Size(), func() (io.ReadCloser, error) { return fsys.Open(name) }}, nil
}
