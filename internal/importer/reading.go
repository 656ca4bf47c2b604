package importer

import (
	"bytes"
	"cmp"
	"path"

	"github.com/octavo-docs/octavo/internal/document/home"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/slugify"
)

// Reading is what a file says about its page by itself, whatever stands beside
// it in a tree.
type Reading struct {
	Front    bool // there is front matter
	Title    string
	Slug     string
	Position *int64 // nil when nothing says it
	Draft    bool   // whatever dates it has
}

// Reader reads single files, for callers that write files to be imported.
type Reader struct{ slugs slugify.Maker }

// NewReader makes a reader.
func NewReader() Reader { return Reader{slugify.NewMaker()} }

// Read returns what the file of that name says. Front matter that cannot be
// read is content.
func (r Reader) Read(name string, text []byte) Reading {
	f := newFile(name)
	body := f.split(text, false)
	title, format := f.meta.title, f.format(f.content)
	if title == "" {
		title = oneLine(cmp.Or(markdown.Title(body, format), home.Read(f.front).Name))
	}
	f.meta.hold.readModule(f.content, format, 1)
	n := Reading{Front: f.raw != nil || f.broken, Draft: f.meta.hold.why != "" || f.broken}
	n.Title, _ = cutTitle(cmp.Or(title, titleOfName(name)))
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

// FrontLines returns how many lines of a file are front matter.
func FrontLines(file []byte) int {
	raw, _, format, err := frontmatter.Split(file)
	if err != nil {
		return 0
	}
	if members, err := frontmatter.Parse(raw, format); err != nil || members == nil {
		return 0 // it is content
	}
	return bytes.Count(raw, []byte("\n"))
}
