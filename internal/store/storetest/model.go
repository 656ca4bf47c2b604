package storetest

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// op is one random operation. Pages and slugs are numbers into small pools, so
// that operations meet each other.
type op struct {
	Kind     string
	Page     int // the page it is about
	Parent   int // -1 for none
	Slug     int
	Text     int
	Status   octavo.PageStatus
	Policy   pagestore.ChildrenPolicy
	Revision int64
	Members  int // bits that say which members an update names
}

// The bits of op.Members.
const (
	hasTitle = 1 << iota
	hasSlug
	hasContent
	hasStatus
	hasParent
	hasPosition
)

const pool = 6

func drawOp(t *rapid.T) op {
	number := rapid.IntRange(0, pool-1)
	return op{
		Kind: rapid.SampledFrom([]string{"create", "update", "update", "update", "delete", "restore", "revision"}).Draw(t, "kind"),
		Page: number.Draw(t, "page"), Parent: number.Draw(t, "parent") - 1, Slug: number.Draw(t, "slug"),
		Text:     rapid.IntRange(0, 2).Draw(t, "text"),
		Status:   rapid.SampledFrom([]octavo.PageStatus{octavo.Draft, octavo.Published, octavo.Archived}).Draw(t, "status"),
		Policy:   rapid.SampledFrom([]pagestore.ChildrenPolicy{pagestore.ChildrenRefuse, pagestore.ChildrenCascade, pagestore.ChildrenReparent}).Draw(t, "policy"),
		Revision: rapid.Int64Range(1, 4).Draw(t, "revision"),
		Members:  drawMembers(t),
	}
}

// drawMembers draws each bit by itself; a drawn number would be small mostly.
func drawMembers(t *rapid.T) (members int) {
	for bit := 1; bit <= hasPosition; bit <<= 1 {
		if rapid.Bool().Draw(t, "member") {
			members |= bit
		}
	}
	return members
}

// names gives pool numbers their slugs and pages. A pool that has no page yet
// at a number stands for one that does not exist.
type names struct {
	prefix string
	pages  []octavo.ID
}

func (n names) slug(i int) string { return fmt.Sprintf("%s-%d", n.prefix, i) }

func (n names) page(i int) octavo.ID {
	switch {
	case i < 0:
		return ""
	case i < len(n.pages):
		return n.pages[i]
	}
	return "page_unknown"
}

// create is the page that a create operation asks for.
func (o op) create(n names) pagestore.NewPage {
	return pagestore.NewPage{
		PageCreate: octavo.PageCreate{Title: fmt.Sprint("Title ", o.Text), Slug: n.slug(o.Slug), Content: fmt.Sprint(o.Text), Status: o.Status},
		ParentID:   n.page(o.Parent),
	}
}

// change is what an update operation asks for.
func (o op) change(n names) (c pagestore.Change) {
	if o.Members&hasTitle != 0 {
		c.Title = ref(fmt.Sprint("Title ", o.Text))
	}
	if o.Members&hasSlug != 0 {
		c.Slug = ref(n.slug(o.Slug))
	}
	if o.Members&hasContent != 0 {
		c.Content = ref(fmt.Sprint(o.Text))
	}
	if o.Members&hasStatus != 0 {
		c.Status = &o.Status
	}
	if o.Members&hasParent != 0 {
		c.ParentID = ref(n.page(o.Parent))
	}
	if o.Members&hasPosition != 0 {
		c.Position = &octavo.OptInt{Value: ref(int64(o.Text))}
	}
	return c
}

// run carries the operation out.
func (o op) run(tx *sqldb.Tx, pages *pagestore.Pages, n names) (octavo.Page, error) {
	switch id := n.page(o.Page); o.Kind {
	case "create":
		return pages.Create(tx, o.create(n))
	case "update":
		return pages.Update(tx, id, o.change(n), nil)
	case "delete":
		return octavo.Page{}, pages.Delete(tx, id, o.Policy, nil)
	case "restore":
		return pages.Restore(tx, id)
	default:
		return pages.RestoreRevision(tx, id, o.Revision, nil)
	}
}

// text is the part of a page that revisions keep, in a form to compare.
type text struct{ title, slug, content string }

// state is what the model knows of a page.
type state struct {
	text
	status    octavo.PageStatus
	parent    octavo.ID
	position  string // "" for none
	version   int64
	revisions []text
	deleted   bool
}

// stateOf is the state that a page shows, without its earlier revisions.
func stateOf(p octavo.Page) state {
	s := state{text: text{p.Title, p.Slug, p.Content}, status: p.Status, parent: p.ParentID, version: p.Version}
	if p.Position != nil {
		s.position = fmt.Sprint(*p.Position)
	}
	return s
}

// with returns the state after a change that has been permitted, and whether
// it differs.
func (s state) with(c pagestore.Change) (state, bool) {
	old := s
	take(&s.title, c.Title)
	take(&s.slug, c.Slug)
	take(&s.content, c.Content)
	take(&s.status, c.Status)
	take(&s.parent, c.ParentID)
	if c.Position != nil {
		s.position = fmt.Sprint(*c.Position.Value)
	}
	if s.text != old.text {
		s.revisions = append(s.revisions[:len(s.revisions):len(s.revisions)], s.text)
	}
	changed := s.text != old.text || s.status != old.status || s.parent != old.parent || s.position != old.position
	if changed {
		s.version++
	}
	return s, changed
}

func take[T any](dest *T, value *T) {
	if value != nil {
		*dest = *value
	}
}

// shown is the state without what a page does not show.
func (s state) shown() state {
	s.revisions = nil
	return s
}
