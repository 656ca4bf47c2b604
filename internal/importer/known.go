package importer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"

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
	draft    bool   // what the front matter says, not the status
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
		front, draft := compact(page.Frontmatter)
		p := &knownPage{
			id: page.ID, title: page.Title, slug: page.Slug, content: sha256.Sum256([]byte(page.Content)),
			front: front, draft: draft, parent: page.ParentID, position: page.Position,
		}
		k.bySlug[p.slug] = p
		if page.Source != "" {
			k.bySource[page.Source] = p
		}
	}
	return k, nil
}

// compact brings front matter into one form and tells whether it marks a
// draft.
func compact(front json.RawMessage) ([]byte, bool) {
	if len(front) == 0 {
		return nil, false
	}
	v, err := octavo.ValueOf(front)
	if err != nil {
		return front, false
	}
	return v.AppendJSON(nil), isDraft(v)
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
