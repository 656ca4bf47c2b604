package proposals

import (
	"context"
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/proposals/rewrite"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Refactor proposes to rename, split or join pages, and to update all links
// that the asker sees to their targets' new places. Errors are those of
// Create, and Conflict if more pages would change than a proposal may.
func (s *Service) Refactor(ctx context.Context, cause sqldb.Cause, a Asker, in octavo.Refactor, reply func(octavo.Proposal) sqldb.Response) (octavo.Proposal, error) {
	r := refactoring{
		Service: s, ctx: ctx, aud: a.Audience,
		links:   rewrite.Links{Names: rewrite.NewNames(s.PublicURL), Moved: map[octavo.ID]rewrite.Moved{}},
		changes: map[octavo.ID]*octavo.PageChange{},
	}
	var err error
	switch in.Kind {
	case octavo.RefactorRename:
		err = r.rename(in)
	case octavo.RefactorSplit:
		err = r.split(in)
	case octavo.RefactorJoin:
		err = r.join(in)
	}
	if err != nil {
		return octavo.Proposal{}, err
	}
	if n := len(r.order); n > octavo.MaxChanges {
		return octavo.Proposal{}, octavo.Errorf(octavo.Conflict, "%d pages would change; a proposal has at most %d changes.", n, octavo.MaxChanges)
	}
	changes := make([]octavo.PageChange, len(r.order))
	for i, id := range r.order {
		changes[i] = *r.changes[id]
	}
	title := r.title
	if cut := []rune(title); len(cut) > octavo.MaxTitle {
		title = string(cut[:octavo.MaxTitle-1]) + "…"
	}
	return s.Create(ctx, cause, a, octavo.ProposalPatch{Title: &title}, changes, reply)
}

// refactoring collects the changes of one proposal.
type refactoring struct {
	*Service
	ctx   context.Context //nolint:containedctx // of the single call
	aud   octavo.Audience
	links rewrite.Links

	title   string
	changes map[octavo.ID]*octavo.PageChange
	order   []octavo.ID
}

// page returns a page that the request names.
func (r *refactoring) page(id octavo.ID, path string) (*pagestore.PresentPage, *rewrite.Text, error) {
	pages, err := pagestore.Present(r.ctx, r.db.Read(), r.aud, []octavo.ID{id})
	if err != nil {
		return nil, nil, err
	}
	p := pages[id]
	if p == nil || p.Deleted {
		return nil, nil, octavo.Invalid(path, "must be the identifier of an existing page; %q does not exist", id)
	}
	return p, textOf(p), nil
}

func textOf(p *pagestore.PresentPage) *rewrite.Text { return rewrite.Read(p.Content, formatOf(p.Page)) }

func formatOf(p octavo.Page) markdown.Format {
	return markdown.FormatOf(p.Content, p.Source, p.Frontmatter, p.Dialect)
}

// named is a page as rewrite uses it.
func named(p *pagestore.PresentPage) rewrite.Page {
	return rewrite.Page{ID: p.ID, Slug: p.Slug, Source: p.Source}
}

// update returns the single change of a page, adding it if needed.
func (r *refactoring) update(p *pagestore.PresentPage) *octavo.PageChange {
	if c := r.changes[p.ID]; c != nil {
		return c
	}
	return r.add(p.ID, octavo.PageChange{Op: octavo.ChangeUpdate, PageID: p.ID, BaseRevision: p.Revision})
}

func (r *refactoring) add(key octavo.ID, c octavo.PageChange) *octavo.PageChange {
	r.changes[key], r.order = &c, append(r.order, key)
	return &c
}

// settle repeats compute until all names of pages that it needs are known.
func (r *refactoring) settle(compute func() error) error {
	for {
		if err := compute(); err != nil {
			return err
		}
		asked, err := r.links.Ask(func(from octavo.ID, candidates []pagestore.Target) ([]pagestore.LinkTarget, error) {
			return r.pages.Resolve(r.ctx, r.aud, from, candidates)
		})
		if err != nil || !asked {
			return err
		}
	}
}

// atOnce is how many pages are read at a time, and backlinksAtOnce how many links.
const (
	atOnce          = 50
	backlinksAtOnce = 1000
)

// relink proposes to update the links to some pages on all other pages.
func (r *refactoring) relink(to ...*pagestore.PresentPage) error {
	var from []octavo.ID
	own := map[octavo.ID]bool{}
	for _, p := range to {
		own[p.ID] = true
	}
	for _, p := range to {
		for mark, more := (sqldb.Cursor{}), true; more; {
			links, next, left, err := r.pages.Backlinks(r.ctx, r.aud, p.ID, mark, backlinksAtOnce)
			if err != nil {
				return fmt.Errorf("find the links to page %s: %w", p.ID, err)
			}
			for _, link := range links {
				if !own[link.ID] {
					own[link.ID] = true
					from = append(from, link.ID)
				}
			}
			mark, more = next, left
		}
	}
	for ids := range slices.Chunk(from, atOnce) {
		pages, err := pagestore.Present(r.ctx, r.db.Read(), r.aud, ids)
		if err != nil {
			return err
		}
		whole, edited := map[octavo.ID]rewrite.Piece{}, map[octavo.ID][]rewrite.Edit{}
		for id, p := range pages {
			whole[id] = textOf(p).Whole()
		}
		if err := r.settle(func() error {
			for id, piece := range whole {
				edited[id] = r.links.Edits(piece, named(pages[id]), named(pages[id]))
			}
			return nil
		}); err != nil {
			return err
		}
		for _, id := range ids {
			piece := whole[id]
			if piece.Edits = edited[id]; len(piece.Edits) == 0 {
				continue
			}
			if c := r.update(pages[id]); len(r.order) <= octavo.MaxChanges { // more are counted and refused
				c.Content = new(piece.Restore(rewrite.Join([]rewrite.Piece{piece}, nil)))
			}
		}
	}
	return nil
}

// rename proposes another slug, title or parent.
func (r *refactoring) rename(in octavo.Refactor) error {
	p, text, err := r.page(in.PageID, "/pageId")
	if err != nil {
		return err
	}
	if in.ParentID != nil && *in.ParentID != "" {
		if _, _, err := r.page(*in.ParentID, "/parentId"); err != nil {
			return err
		}
	}
	c := r.update(p)
	if in.Title != nil && *in.Title != p.Title {
		c.Title = in.Title
	}
	if in.ParentID != nil && *in.ParentID != p.ParentID {
		c.ParentID = in.ParentID
	}
	r.title = "Rename " + p.Title
	if c.Title != nil {
		r.title += " to " + *c.Title
	}
	if in.Slug == nil || *in.Slug == p.Slug {
		if c.Title == nil && c.ParentID == nil {
			return octavo.Invalid("", "must change the page; it already has that slug, title and parent")
		}
		if c.Title == nil {
			r.title = "Move " + p.Title
		}
		return nil
	}
	c.Slug = in.Slug
	then := named(p)
	then.Slug = *in.Slug
	r.links.Change(named(p), then)
	piece := text.Whole()
	if err := r.settle(func() error {
		piece.Edits = r.links.Edits(piece, named(p), then)
		return nil
	}); err != nil {
		return err
	}
	if len(piece.Edits) > 0 {
		c.Content = new(text.Restore(rewrite.Join([]rewrite.Piece{piece}, nil)))
	}
	return r.relink(p)
}

// relinked joins pieces from different pages into a text of another page,
// with updated links.
func (r *refactoring) relinked(pieces []rewrite.Piece, from map[*rewrite.Text]rewrite.Page, to rewrite.Page) string {
	return rewrite.Join(pieces, func(p rewrite.Piece) []rewrite.Edit { return r.links.Edits(p, from[p.Text], to) })
}

// errOpen refuses texts that cannot be joined, because a block in one of
// them does not end.
func errOpen(p *pagestore.PresentPage) error {
	return octavo.Errorf(octavo.Conflict, "The text of page %s has a block, such as code, that begins and does not end, so what follows it would change its meaning.", p.ID)
}

// anchorsOf returns the anchors of some headings.
func anchorsOf(headings []rewrite.Heading) (names []string) {
	for _, h := range headings {
		names = append(names, h.Anchor)
	}
	return names
}

// retarget records the new places of headings. Among those with the same
// anchor, the first counts.
func retarget(to map[string]rewrite.Spot, was []rewrite.Heading, page octavo.ID, now []string) {
	for i, h := range was {
		if _, known := to[h.Anchor]; !known {
			to[h.Anchor] = rewrite.Spot{Page: page, Anchor: now[i]}
		}
	}
}
