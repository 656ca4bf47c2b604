package importer

import (
	"cmp"
	"path"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/frontmatter"
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

// Reader reads single files, for who writes such that are to be imported.
type Reader struct{ slugs slugify.Maker }

// NewReader makes a reader.
func NewReader() Reader { return Reader{slugify.NewMaker()} }

// Read returns what the file of that name says. Front matter that cannot be
// read is content.
func (r Reader) Read(name string, text []byte) Reading {
	f := newFile(name)
	raw, body, format, err := frontmatter.Split(text)
	var front octavo.Value
	if err == nil && format != frontmatter.None {
		front, err = f.readFront(raw, format)
	}
	content := text
	switch {
	case f.raw != nil:
		content = body
	case err == nil:
		body = text
		f.holdLate(text)
	}
	heading := ""
	if f.meta.title == "" {
		heading = f.headingWithin(front, content, body)
	}
	n := Reading{Front: f.raw != nil || err != nil, Draft: f.meta.hold.why != "" || err != nil}
	title := cmp.Or(f.meta.title, heading)
	if title == "" {
		title = titleOfName(name)
	}
	n.Title, _ = cutTitle(title)
	p := new(plan)
	if isFolderPage(name) {
		p.folders = map[string]*file{path.Dir(name): f}
	}
	n.Position = cmp.Or(f.meta.position, numberOf(p, f))
	n.Slug, _ = r.slugs.Join(p.address(f))
	return n
}

// headingWithin returns the heading that names the body of a file, which is its
// content but for front matter that cannot be read; "" for none. Most begin with
// one, and need no look at the language that they are written in.
func (f *file) headingWithin(front octavo.Value, content, body []byte) string {
	if heading := markdown.LeadingTitle(body); heading != "" {
		return oneLine(heading)
	}
	f.content = string(content)
	return headingOf(body, f.detectFormat(front))
}
