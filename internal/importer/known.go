package importer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/octavo-docs/octavo"
)

// known is what the target holds before the import.
type known struct {
	bySource map[string]*knownPage // pages of earlier imports, by path
	bySlug   map[string]*knownPage // all pages
}

// knownPage is what is remembered of a page in the target to tell whether it
// must change.
type knownPage struct {
	id       octavo.ID
	title    string
	slug     string
	content  [sha256.Size]byte
	front    []byte // compact
	hold     hold   // what its file says
	status   octavo.PageStatus
	publish  *time.Time // when the server publishes it
	parent   octavo.ID
	position *int64

	file *file // that makes this page; nil for one that is not of this tree
	kept bool  // its file is there but makes no page now
}

func readKnown(ctx context.Context, target Target) (known, error) {
	k := known{bySource: map[string]*knownPage{}, bySlug: map[string]*knownPage{}}
	for page, err := range target.Pages(ctx) {
		if err != nil {
			return k, err
		}
		front, hold := compact(page.Source, page.Frontmatter)
		p := &knownPage{
			id: page.ID, title: page.Title, slug: page.Slug, content: sha256.Sum256([]byte(page.Content)),
			front: front, hold: hold, parent: page.ParentID, position: page.Position, status: page.Status,
			publish: page.PublishAt,
		}
		k.bySlug[p.slug] = p
		if page.Source != "" {
			k.bySource[page.Source] = p
		}
	}
	return k, nil
}

// compact brings front matter into one form and tells how it holds the page of
// a file back.
func compact(file string, front json.RawMessage) ([]byte, hold) {
	var v octavo.Value
	var err error
	if len(front) > 0 {
		if v, err = octavo.ValueOf(front); err == nil {
			front = v.AppendJSON(nil)
		}
	}
	return front, holdOf(file, v, func(string) int { return 0 })
}

// differs reports whether the page must change to become what f says.
func (k *knownPage) differs(f *file) bool {
	orphan := f.parent != nil && f.parentID() == "" // its parent is still to be made
	return orphan || k.title != f.title || k.slug != f.slug || k.parent != f.parentID() ||
		!samePosition(k.position, f.position) ||
		!bytes.Equal(k.front, f.front) || k.content != f.sum
}

func samePosition(a, b *int64) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}
