package importer

import (
	"cmp"
	"io/fs"
	"path"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/home"
	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/importer/settings"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/slugify"
)

// Reading is the content of one file, read without its tree.
type Reading struct {
	Front    bool // there is front matter
	Title    string
	Slug     string
	Position *int64 // nil if unset
	Draft    bool   // regardless of dates
}

// Reader reads single files, for callers that write files to be imported.
type Reader struct{ slugs slugify.Maker }

func NewReader() Reader { return Reader{slugify.NewMaker()} }

// Read reads the text of a file with this name. Unreadable front matter is content.
func (r Reader) Read(name string, text []byte) Reading {
	f := newFile(name)
	body := f.split(text, false)
	title, format := f.meta.title, f.format(f.content)
	if title == "" {
		title = oneLine(cmp.Or(markdown.Title(body, format), home.Read(f.front).Name))
	}
	f.meta.publication.readModule(f.content, format, 1)
	n := Reading{Front: f.raw != nil || f.broken, Draft: f.meta.publication.why != "" || f.broken}
	n.Title, _ = cutTitle(cmp.Or(title, filename.Title(name)))
	p := new(plan)
	if filename.IsFolderPage(name) {
		p.folders = map[string]*file{path.Dir(name): f}
	}
	if n.Position = cmp.Or(f.meta.position, numberOf(p, f)); n.Position != nil && !fits(*n.Position) {
		n.Position = unspaced(n.Position)
	}
	n.Slug, _ = r.slugs.Join(p.address(f))
	return n
}

// readData reads a configuration file as leniently as generators.
func readData(fsys fs.FS, name string) (octavo.Value, error) {
	text, err := readFile(fsys, name)
	if err != nil {
		return octavo.Value{}, err
	}
	return settings.Lenient(name, text)
}
