package proposals

import (
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/proposals/rewrite"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// join proposes to make one page a section of another, and to delete it. Its
// address and the pages below it move to the other page.
func (r *refactoring) join(in octavo.Refactor) error {
	p, text, err := r.page(in.PageID, "/pageId")
	if err != nil {
		return err
	}
	other, add, err := r.page(in.With, "/with")
	if err != nil {
		return err
	}
	if text.Format != add.Format {
		return octavo.Invalid("/with", "must be written in the same language as the page: Markdown or MDX, and the same dialect")
	}
	if label := add.Shared(text); label != "" {
		return errShared(label)
	}
	r.title = "Join " + other.Title + " into " + p.Title
	pieces, first := joined(text, add, other.Title)
	whole := rewrite.Read(rewrite.Join(pieces, nil), text.Format)
	had, added := text.HeadingsIn(0, len(text.Content)), add.HeadingsIn(first, len(add.Content))
	if len(whole.Headings) < len(had)+1+len(added) {
		return errOpen(p)
	}
	anchors := anchorsOf(whole.Headings[len(had):])
	for _, anchor := range anchors { // only anchors by authors are kept as they are
		if anchor != "" && text.Doc.Anchors().Find(anchor) == anchor {
			return errShared("{#" + anchor + "}")
		}
	}
	section := rewrite.Spot{Page: p.ID, Anchor: anchors[0]}
	moved := rewrite.Moved{Anchors: add.Doc.Anchors(), To: map[string]rewrite.Spot{}, Part: p.ID, Others: add.Doc.Anchors(), Whole: &section}
	retarget(moved.To, added, p.ID, anchors[1:])
	r.links.Moved[other.ID] = moved
	slugs, err := pagestore.SlugsOf(r.ctx, r.db.Read(), other.ID)
	if err != nil {
		return err
	}
	if r.aud.PublishedOnly { // it must not learn the page's former draft names
		slugs = []string{other.Slug}
	}
	r.links.Change(named(p), named(p))
	r.links.Delete(named(other), slugs)

	c := r.update(p)
	c.FormerSlugs = slugs
	from := map[*rewrite.Text]rewrite.Page{text: named(p), add: named(other)}
	if err := r.settle(func() error {
		c.Content = new(text.Restore(r.relinked(pieces, from, named(p))))
		return nil
	}); err != nil {
		return err
	}
	if err := r.relink(p, other); err != nil {
		return err
	}
	if err := r.adopt(p, other); err != nil {
		return err
	}
	r.add(other.ID, octavo.PageChange{
		Op: octavo.ChangeDelete, PageID: other.ID, BaseRevision: other.Revision, Children: string(pagestore.ChildrenReparent),
	})
	return nil
}

// errShared refuses to join texts in which one name has two meanings.
func errShared(name string) error {
	return octavo.Errorf(octavo.Conflict, "Both pages define %s: give it another name in one of them first.", name)
}

// joined returns the pieces of a text followed by another as a section of level 2, and
// the index of the other's first piece, without a heading that repeats its title.
func joined(text, add *rewrite.Text, title string) (pieces []rewrite.Piece, first int) {
	if h, block := add.Doc.Title(); block == 0 && h.Text == title {
		for _, heading := range add.Headings {
			if heading.Heading == h {
				first = add.HeadingEnd(heading)
			}
		}
	}
	body := rewrite.Piece{Text: add, From: first, To: len(add.Content)}
	headings, highest := add.HeadingsIn(first, len(add.Content)), 6
	for _, h := range headings {
		highest = min(highest, h.Level)
	}
	body.Edits = add.Shift(headings, max(0, 3-highest))
	end := len(strings.TrimRight(text.Content, "\n"))
	gap := "\n\n"
	if end == 0 {
		gap = ""
	}
	return []rewrite.Piece{{Text: text, To: end}, {Literal: gap + "## " + rewrite.Escape(title) + "\n\n"}, body}, first
}

// adopt proposes to move the pages below a deleted one to another page.
// Pages above the other one stay where the deletion puts them.
func (r *refactoring) adopt(p, other *pagestore.PresentPage) error {
	parents, err := pagestore.Parents(r.ctx, r.db.Read(), r.aud)
	if err != nil {
		return err
	}
	above := map[octavo.ID]bool{}
	for id := p.ID; id != "" && !above[id]; id = parents[id] {
		above[id] = true
	}
	var children []octavo.ID
	for id, parent := range parents {
		if parent == other.ID && !above[id] {
			children = append(children, id)
		}
	}
	pages, err := pagestore.Present(r.ctx, r.db.Read(), r.aud, children)
	if err != nil {
		return err
	}
	slices.Sort(children)
	for _, id := range children {
		if child := pages[id]; child != nil {
			r.update(child).ParentID = &p.ID
		}
	}
	return nil
}
