package importer

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"iter"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// readError is a failure to read a file for the second time.
type readError struct{ error }

var errChanged = errors.New("the file was changed while the tree was imported; import it again")

// forget drops the parts of the text that the plan does not need. It clones the kept
// strings: substrings would keep the whole text in memory.
func (f *file) forget(links []markdown.Link, shown []string) {
	f.heading = strings.Clone(f.heading)
	seen := map[string]bool{} // a link may have several labels
	for _, l := range links {
		if !seen[l.Href] {
			seen[l.Href] = true
			f.links = append(f.links, strings.Clone(l.Href))
		}
	}
	for _, href := range shown {
		f.shown = append(f.shown, strings.Clone(href))
	}
	f.content = ""
}

// again reads the content of the file a second time. It fails if the file has changed
// since the plan was made.
func (f *file) again(fsys fs.FS) (content string, err error) {
	if f.made {
		return "", nil
	}
	text, err := readFile(fsys, f.path)
	if err != nil {
		return "", readError{err}
	}
	text, ok := bytes.CutPrefix(text, []byte(f.head))
	if !ok {
		return "", readError{errChanged}
	}
	if sha256.Sum256(text) != f.sum {
		return "", readError{errChanged}
	}
	return string(text), nil
}

// maxBatch is the size in bytes of the texts after which a batch of pages is full.
const maxBatch = 8 << 20

// batches groups files into batches that are written together.
func batches(files []*file) iter.Seq[[]*file] {
	return func(yield func([]*file) bool) {
		from, size := 0, 0
		for i, f := range files {
			if i > from && (size+f.size > maxBatch || i-from == octavo.MaxBulk) {
				if !yield(files[from:i]) {
					return
				}
				from, size = i, 0
			}
			size += f.size
		}
		if from < len(files) {
			yield(files[from:])
		}
	}
}
