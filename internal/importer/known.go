package importer

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/importer/brought"
	"github.com/octavo-docs/octavo/internal/importer/likeness"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// known is the state of the target before the import.
type known struct {
	pages    []*knownPage          // of earlier imports
	bySource map[string]*knownPage // one of them per path
	bySlug   map[string]*knownPage // all pages
}

// knownPage is a page in the target, as far as needed to detect changes.
type knownPage struct {
	id          octavo.ID
	title       string
	slug        string
	source      string // the path of its file
	language    string
	dialect     octavo.Dialect
	set         string
	last        brought.Base    // base of the last import; the present page if unknown
	imported    bool            // last is known
	text        text            // of last
	here        text            // of the page
	sketch      likeness.Sample // set if the tree has no such file, or one with another text
	publication publication     // of its file, with inherited values
	own         publication     // of its file alone
	status      octavo.PageStatus
	publish     *time.Time // when the server publishes it
	parent      octavo.ID
	position    *int64

	file *file // nil if no file of this tree makes the page
	kept bool  // its file exists but makes no page now
}

func readKnown(ctx context.Context, target Target, files map[string]*file) (known, error) {
	k := known{bySource: map[string]*knownPage{}, bySlug: map[string]*knownPage{}}
	var content []byte // reused
	for page, err := range target.Pages(ctx) {
		if err != nil {
			return k, err
		}
		content = append(content[:0], page.Content...)
		last, _, imported := brought.Read(page.Imported)
		front, f := page.Frontmatter, files[page.Source]
		if len(front) > 0 && (f == nil || string(f.front) != string(front)) {
			if v, err := octavo.ValueOf(front); err == nil {
				front = v.AppendJSON(nil) // in the format of files
			}
		}
		p := &knownPage{
			id: page.ID, title: page.Title, slug: page.Slug, source: page.Source, set: page.ImportSet, language: page.Language, dialect: page.Dialect,
			here: text{sha256.Sum256(content), string(front)}, parent: page.ParentID, position: page.Position, status: page.Status,
			publish: page.PublishAt, last: last, imported: imported,
		}
		if !imported {
			p.last = brought.Base{Title: p.title, Slug: p.slug, Parent: p.parent, Position: p.position, Sum: p.here.content}
			if len(front) > 0 {
				p.last.Front = json.RawMessage(p.here.front)
			}
		}
		p.text = text{p.last.Sum, string(p.last.Front)}
		front = p.last.Front
		if f != nil && f.text() == p.text {
			p.own = f.meta.publication
		} else {
			v, _ := octavo.ValueOf(front) // empty without front matter
			p.own = publicationOf(page.Source, v, func(string) int { return 0 })
			if _, _, _, err := frontmatter.Split(content); err == nil && len(front) == 0 {
				p.own.readLate(content)
			}
			p.own.readModule(page.Content, markdown.FormatOf(page.Content, page.Source, front, page.Dialect), 1)
		}
		p.publication = p.own
		k.bySlug[p.slug] = p
		if page.Source != "" {
			k.pages, k.bySource[page.Source] = append(k.pages, p), p
			if f == nil || f.text() != p.text {
				p.sketch = likeness.Sketch(page.Title + " " + page.Content)
			}
		}
	}
	return k, nil
}

// leave detaches the page from its path.
func (k known) leave(p *knownPage) {
	if k.bySource[p.source] == p {
		delete(k.bySource, p.source)
	}
}

// differs reports whether the page has to change for f.
func (k *knownPage) differs(f *file, opts Options) bool {
	orphan := f.parent != nil && f.parentID() == "" // its parent does not exist yet
	return orphan && k.parent == k.last.Parent || k.source != f.path || k.set != opts.Set || f.speaksOther(opts) || k.title != f.title || k.slug != f.slug || k.language != octavo.PageLanguage(f.front, f.language) || k.parent != f.under ||
		!samePosition(k.position, f.position) || k.here != text{f.want, string(f.front)} || f.reform
}

// edited reports whether the page was changed since the last import.
func (k *knownPage) edited() bool {
	return k.here != k.text || k.title != k.last.Title || k.slug != k.last.Slug
}

func samePosition(a, b *int64) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}
