package importer

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// known is what the target holds before the import.
type known struct {
	pages    []*knownPage          // of earlier imports
	bySource map[string]*knownPage // one of them for each path
	bySlug   map[string]*knownPage // all pages
}

// knownPage is what is remembered of a page in the target to tell whether it
// must change.
type knownPage struct {
	id       octavo.ID
	title    string
	slug     string
	source   string // the path of its file
	language string
	dialect  octavo.Dialect
	set      string
	text     text
	sketch   []uint32 // where the tree has no such file, or with another text
	hold     hold     // what its file says, and what that inherits
	own      hold     // what its file says
	status   octavo.PageStatus
	publish  *time.Time // when the server publishes it
	parent   octavo.ID
	position *int64

	file *file // that makes this page; nil for one that is not of this tree
	kept bool  // its file is there but makes no page now
}

func readKnown(ctx context.Context, target Target, files map[string]*file) (known, error) {
	k := known{bySource: map[string]*knownPage{}, bySlug: map[string]*knownPage{}}
	var content []byte // used again
	for page, err := range target.Pages(ctx) {
		if err != nil {
			return k, err
		}
		content = append(content[:0], page.Content...)
		front, f := page.Frontmatter, files[page.Source]
		if len(front) > 0 && (f == nil || string(f.front) != string(front)) {
			if v, err := octavo.ValueOf(front); err == nil {
				front = v.AppendJSON(nil) // in the form that files have
			}
		}
		p := &knownPage{
			id: page.ID, title: page.Title, slug: page.Slug, source: page.Source, set: page.ImportSet, language: page.Language, dialect: page.Dialect,
			text: text{sha256.Sum256(content), string(front)}, parent: page.ParentID, position: page.Position, status: page.Status,
			publish: page.PublishAt,
		}
		if f != nil && f.text() == p.text {
			p.own = f.meta.hold
		} else {
			v, _ := octavo.ValueOf(front) // no members where there is none
			p.own = holdOf(page.Source, v, func(string) int { return 0 })
			if _, _, _, err := frontmatter.Split(content); err == nil && len(front) == 0 {
				p.own.readLate(content)
			}
			p.own.readModule(page.Content, markdown.FormatOf(page.Content, page.Source, front, page.Dialect), 1)
		}
		p.hold = p.own
		k.bySlug[p.slug] = p
		if page.Source != "" {
			k.pages, k.bySource[page.Source] = append(k.pages, p), p
			if f == nil || f.text() != p.text {
				p.sketch = sketch(page.Title + " " + page.Content)
			}
		}
	}
	return k, nil
}

// leave forgets that a page has its path.
func (k known) leave(p *knownPage) {
	if k.bySource[p.source] == p {
		delete(k.bySource, p.source)
	}
}

// differs reports whether the page must change to become what f says.
func (k *knownPage) differs(f *file, opts Options) bool {
	orphan := f.parent != nil && f.parentID() == "" // its parent is still to be made
	return orphan || k.source != f.path || k.set != opts.Set || opts.Dialect != "" && k.dialect != opts.Dialect || k.title != f.title || k.slug != f.slug || k.language != octavo.PageLanguage(f.front, f.language) || k.parent != f.parentID() ||
		!samePosition(k.position, f.position) || k.text != f.text()
}

func samePosition(a, b *int64) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}
