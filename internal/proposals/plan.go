package proposals

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/merge"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// plan is what a merge of a proposal would do now, and what prevents it.
type plan struct {
	steps     []step // in the order of the changes
	order     []int  // of writing
	conflicts []octavo.MergeConflict
	lacks     string // why it is not approved, if that matters
}

// step is the effect of one change on its page.
type step struct {
	change  octavo.PageChange
	page    *pagestore.PresentPage // the present page; nil for a page that is created
	update  pagestore.Change       // for an update: what differs from the page
	nothing bool                   // the page already matches the change
	slug    string                 // the page's new slug; "" if it keeps its own
	coarse  bool                   // the comparison of the texts was cut short
}

// planner makes a plan for an audience: hidden pages do not exist for it.
type planner struct {
	*plan
	aud   octavo.Audience
	texts *merge.Effort
	pages map[octavo.ID]*pagestore.PresentPage
	bases map[pagestore.RevisionRef]pagestore.RevisionBody
	below map[octavo.ID]string // of pages that are deleted with cascade
}

// plan plans a merge, from the pages as c reads them.
func (s *Service) plan(ctx context.Context, c sqldb.Conn, aud octavo.Audience, p *proposalstore.Row) (*plan, error) {
	var ids []octavo.ID
	var refs []pagestore.RevisionRef
	for _, change := range p.Changes {
		if change.PageID != "" {
			ids = append(ids, change.PageID)
			refs = append(refs, pagestore.RevisionRef{Page: change.PageID, Number: change.BaseRevision})
		}
		if change.ParentID != nil && change.ParentID.Is(octavo.PrefixPage) {
			ids = append(ids, *change.ParentID)
		}
	}
	pages, err := pagestore.Present(ctx, c, octavo.Audience{}, ids)
	if err != nil {
		return nil, err
	}
	for id, page := range pages {
		if seen(aud, page) == nil {
			delete(pages, id)
		}
	}
	bases, err := pagestore.RevisionBodies(ctx, c, refs)
	if err != nil {
		return nil, err
	}
	below, err := branches(ctx, c, p.Changes)
	if err != nil {
		return nil, err
	}
	w := planner{plan: &plan{}, aud: aud, texts: &merge.Effort{}, pages: pages, bases: bases, below: below}
	for _, change := range p.Changes {
		w.step(change)
	}
	w.order = inOrder(w.steps)
	if err := s.checkSlugs(ctx, c, w); err != nil {
		return nil, err
	}
	return w.plan, s.checkParents(ctx, c, w)
}

// step plans a single change.
func (w planner) step(c octavo.PageChange) {
	st := step{change: c, page: w.pages[c.PageID]}
	switch c.Op {
	case octavo.ChangeCreate:
		st.slug = *c.Slug
	case octavo.ChangeUpdate:
		if st.page == nil || st.page.Deleted {
			w.conflict(st, octavo.CheckConflict, "", "The page was deleted.")
			return
		}
		w.update(&st)
	case octavo.ChangeDelete:
		switch {
		case st.page == nil || st.page.Deleted:
			st.nothing = true
		case newer(c, st.page):
			w.conflict(st, octavo.CheckConflict, "", "The page has changed since its deletion was proposed.")
			return
		case c.Base.Below != w.below[c.PageID] && !w.aud.PublishedOnly:
			w.conflict(st, octavo.CheckConflict, "", "Pages below it have changed since its deletion was proposed.")
			return
		}
	case octavo.ChangeRestore:
		switch {
		case st.page == nil:
			w.conflict(st, octavo.CheckConflict, "", "The page was permanently removed.")
			return
		case !st.page.Deleted:
			st.nothing = true
		default:
			st.slug = st.page.Slug
		}
	}
	w.steps = append(w.steps, st)
}

// newer reports whether a page has changed since a change's base, except for
// its position (decision 72).
func newer(c octavo.PageChange, p *pagestore.PresentPage) bool {
	b := c.Base
	if b.Version == p.Version {
		return false
	}
	return b.Revision != p.Revision || b.Status != p.Status || b.ParentID != p.ParentID || b.Dialect != p.Dialect ||
		!sameTime(b.PublishAt, p.PublishAt) || !sameTime(b.UnpublishAt, p.UnpublishAt)
}

// conflict records what prevents a step.
func (w planner) conflict(st step, kind octavo.CheckKind, member, format string, args ...any) *found {
	x := octavo.MergeConflict{ChangeID: st.change.ID, PageID: st.change.PageID, Kind: kind, Member: member, Message: fmt.Sprintf(format, args...)}
	if st.page != nil {
		x.Revision = st.page.Revision
	}
	w.conflicts = append(w.conflicts, x)
	return (*found)(&w.conflicts[len(w.conflicts)-1])
}

// found is a recorded conflict.
type found octavo.MergeConflict

// values sets the two sides' values of a conflict.
func (x *found) values(base, present, proposed any) {
	x.Base, x.Present, x.Proposed = base, present, proposed
}

// checkSlugs finds slugs of other pages, and slugs that two changes want.
func (s *Service) checkSlugs(ctx context.Context, c sqldb.Conn, w planner) error {
	var slugs []string
	freed := map[octavo.ID]bool{} // pages that release their slug
	for _, st := range w.steps {
		if st.slug != "" {
			slugs = append(slugs, st.slug)
		}
		slugs = append(slugs, st.change.FormerSlugs...)
		freed[st.change.PageID] = st.change.Op == octavo.ChangeDelete || st.slug != "" && st.page != nil && st.slug != st.page.Slug
	}
	owners, err := pagestore.SlugOwners(ctx, c, w.aud, slugs)
	if err != nil {
		return err
	}
	wanted := map[string]octavo.ID{}
	for _, st := range w.steps {
		for _, slug := range st.change.FormerSlugs {
			if owner, taken := owners[slug]; taken && owner != st.change.PageID && !freed[owner] {
				w.conflict(st, octavo.CheckSlugTaken, "formerSlugs", "Another page uses the slug %q.", slug)
			}
		}
		if st.slug == "" {
			continue
		}
		owner, taken := owners[st.slug]
		switch other, twice := wanted[st.slug]; {
		case twice:
			w.conflict(st, octavo.CheckSlugTaken, "slug", "Change %s gives its page the slug %q too.", other, st.slug)
		case taken && owner != st.change.PageID && !freed[owner]:
			w.conflict(st, octavo.CheckSlugTaken, "slug", "Another page uses the slug %q.", st.slug)
		}
		wanted[st.slug] = st.change.ID
	}
	return nil
}

// checkParents finds missing parents, and moves that would make a cycle or a
// tree that is too deep (decision 11).
func (s *Service) checkParents(ctx context.Context, c sqldb.Conn, w planner) error {
	moves := map[octavo.ID]step{} // by page, and of new pages by change
	gone, back := map[octavo.ID]bool{}, map[octavo.ID]bool{}
	alone := map[octavo.ID]step{}    // pages that are deleted only if they have no children
	branches := map[octavo.ID]bool{} // pages that are deleted with cascade
	for _, st := range w.steps {
		switch st.change.Op {
		case octavo.ChangeCreate:
			moves[st.change.ID] = st
		case octavo.ChangeUpdate:
			if st.update.ParentID != nil {
				moves[st.change.PageID] = st
			}
		case octavo.ChangeDelete:
			gone[st.change.PageID] = true
			switch {
			case st.nothing:
			case st.change.Children == "":
				alone[st.change.PageID] = st
			case st.change.Children == string(pagestore.ChildrenCascade):
				branches[st.change.PageID] = true
			}
		case octavo.ChangeRestore:
			back[st.change.PageID] = true
		}
	}
	if len(moves)+len(alone)+len(branches) == 0 {
		return nil
	}
	parents, err := pagestore.Parents(ctx, c, w.aud)
	if err != nil {
		return err
	}
	for id, st := range moves {
		parents[id] = parentOf(st)
	}
	for id, parent := range parents {
		_, moved := moves[id]
		if st, ok := alone[parent]; ok && !gone[id] && !moved {
			w.conflict(st, octavo.CheckConflict, "", "The page has children. Set children to cascade (delete them) or reparent (move them up).")
			delete(alone, parent)
		}
	}
	fall(gone, branches, parents)
	for _, st := range w.steps {
		parent := parentOf(st)
		if st.change.Op == octavo.ChangeUpdate && gone[st.key()] && !gone[parent] {
			w.conflict(st, octavo.CheckConflict, "", "The page is below one that this proposal deletes.")
		}
		if moves[st.key()].change.ID != st.change.ID || parent == "" {
			continue
		}
		_, exists := parents[parent]
		if !exists && !back[parent] || gone[parent] {
			w.conflict(st, octavo.CheckParentMissing, "parentId", "There is no parent page %q.", parent)
			continue
		}
		depth := 1
		for up := parent; up != "" && depth <= octavo.MaxDepth; up = parents[up] {
			if depth++; up == st.key() {
				w.conflict(st, octavo.CheckConflict, "parentId", "The page cannot be moved under %s, which is the page itself or below it.", parent)
				depth = 0
				break
			}
		}
		if depth > octavo.MaxDepth {
			w.conflict(st, octavo.CheckConflict, "parentId", "The tree would be more than %d pages deep.", octavo.MaxDepth)
		}
	}
	return nil
}

// fall adds the pages below deleted branches to gone.
func fall(gone, branches map[octavo.ID]bool, parents map[octavo.ID]octavo.ID) {
	if len(branches) == 0 {
		return
	}
	for id := range parents {
		up := parents[id]
		for depth := 0; up != "" && depth <= octavo.MaxDepth && !gone[id]; depth++ {
			gone[id] = branches[up]
			up = parents[up]
		}
	}
}

// key identifies the page of a step, or the change that creates it.
func (st step) key() octavo.ID {
	if st.change.PageID != "" {
		return st.change.PageID
	}
	return st.change.ID
}

// parentOf is the new parent of a step's page; "" is the root.
func parentOf(st step) octavo.ID {
	switch {
	case st.change.Op == octavo.ChangeUpdate && st.update.ParentID != nil:
		return *st.update.ParentID
	case st.change.Op == octavo.ChangeCreate && st.change.ParentID != nil:
		return *st.change.ParentID
	}
	return ""
}
