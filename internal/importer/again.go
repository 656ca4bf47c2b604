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

// readError tells why a file could not be read for the second time.
type readError struct{ error }

var errChanged = errors.New("the file was changed while the tree was imported; import it again")

// forget leaves of the text what the plan needs. Its strings are copied, since
// they would keep the text that they are part of.
func (f *file) forget(links []markdown.Link, shown []string) {
	f.heading = strings.Clone(f.heading)
	seen := map[string]bool{} // a link may come with several labels
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

// again reads the content of the file for the second time. It is what the plan
// was made of: a file that was changed since is an error.
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

// maxBatch is from how many bytes of text on no more pages are written at once.
const maxBatch = 8 << 20

// batches divides files into those that are written at once.
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
