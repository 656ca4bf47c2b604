package proposals

import (
	"context"
	"errors"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Merged is the result of a merge.
type Merged struct {
	Proposal octavo.Proposal
	Pages    []octavo.MergedPage // the changed ones, in the order of the changes
}

// mergeTries is how often texts are merged before the transaction. If pages
// change during all of these attempts, they are merged within it.
const mergeTries = 4

// errStale is returned if a page has changed since the plan was made.
var errStale = errors.New("a page has changed in the meantime")

// Merge applies the changes of a proposal in one transaction, or none of
// them. Errors are NotFound, PreconditionFailed, Conflict, ReviewRequired,
// and MergeConflicts or another type, with all conflicts.
func (s *Service) Merge(ctx context.Context, cause sqldb.Cause, a Asker, id octavo.ID, match sqldb.IfMatch, reply func(Merged) sqldb.Response) (Merged, error) {
	for try := 0; ; try++ {
		var ahead *plan
		var of *proposalstore.Row
		if try < mergeTries {
			var err error
			if of, err = s.read(ctx, s.db.Read(), a, id, true); err != nil {
				return Merged{}, err
			}
			if ahead, err = s.plan(ctx, s.db.Read(), a.Audience, of); err != nil {
				return Merged{}, err
			}
		}
		merged, err := write(ctx, s, cause, reply, func(tx *sqldb.Tx) (Merged, error) {
			return s.merge(tx, a, id, match, of, ahead)
		})
		if e, refused := errors.AsType[*octavo.Error](err); refused && len(e.Conflicts) > 0 {
			return Merged{}, errors.Join(err, s.tellConflict(ctx, cause, a, id))
		}
		switch {
		case !errors.Is(err, errStale):
			return merged, err
		case try >= mergeTries:
			return Merged{}, octavo.Errorf(octavo.Conflict, "A page of proposal %s has changed while it was merged.", id)
		}
	}
}

// tellConflict notifies the author of an open proposal that it cannot be merged, unless
// the reason is pages that are hidden from them (decision 71).
func (s *Service) tellConflict(ctx context.Context, cause sqldb.Cause, a Asker, id octavo.ID) error {
	cause.Claim = nil
	p, err := s.read(ctx, s.db.Read(), a, id, true)
	if err != nil {
		return err
	}
	if p.PublishedOnly {
		seen, err := s.plan(ctx, s.db.Read(), octavo.Audience{PublishedOnly: true}, p)
		if err != nil || len(seen.conflicts) == 0 {
			return err
		}
	}
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		p, err := s.store.Lock(tx, a.viewer(), id)
		if err != nil || p.Status != octavo.ProposalOpen {
			return err
		}
		return s.notify(tx, p, octavo.NoteConflict, "")
	})
}

// merge is Merge within its transaction, by a plan that was made before, or nil.
func (s *Service) merge(tx *sqldb.Tx, a Asker, id octavo.ID, match sqldb.IfMatch, of *proposalstore.Row, ahead *plan) (Merged, error) {
	// Like all code that changes many pages, to avoid deadlocks.
	if err := tx.Lock(sqldb.TreeLock); err != nil {
		return Merged{}, fmt.Errorf("lock the page tree: %w", err)
	}
	p, err := s.store.Lock(tx, a.viewer(), id)
	if err != nil {
		return Merged{}, err
	}
	if match != nil && !match(p.ID, p.Version) {
		return Merged{}, octavo.Errorf(octavo.PreconditionFailed, "Proposal %s has changed since it was read.", id)
	}
	draft := p.Status == octavo.ProposalDraft
	if !draft && p.Status != octavo.ProposalOpen {
		return Merged{}, octavo.Errorf(octavo.Conflict, "Proposal %s is %s. Only drafts and open proposals can be merged.", id, p.Status)
	}
	if ahead != nil && of.Version != p.Version {
		return Merged{}, errStale
	}
	if ahead == nil {
		if err := s.store.Changes(tx.Context(), tx.Conn(), a.viewer(), true, p); err != nil {
			return Merged{}, err
		}
		if err := lockPages(tx, p); err != nil {
			return Merged{}, err
		}
		if ahead, err = s.plan(tx.Context(), tx.Conn(), a.Audience, p); err != nil {
			return Merged{}, err
		}
	} else {
		p.Changes = of.Changes
	}
	if len(p.Changes) == 0 {
		return Merged{}, octavo.Errorf(octavo.Conflict, "Proposal %s has no changes.", id)
	}
	if len(ahead.conflicts) > 0 {
		return Merged{}, conflicts(ahead.conflicts)
	}
	if err := s.approved(tx, p, ahead); err != nil {
		return Merged{}, err
	}
	if err := s.files.Keep(tx, p.ID); err != nil {
		return Merged{}, err
	}
	pages, err := s.apply(tx, p, ahead)
	if octavo.IsType(err, octavo.ReviewRequired) && ahead.lacks != "" {
		return Merged{}, octavo.Errorf(octavo.ReviewRequired, "%s", ahead.lacks)
	}
	if err != nil {
		return Merged{}, err
	}
	now, merger := tx.Now(), tx.Cause().Actor
	p.Status, p.MergedAt, p.MergedBy = octavo.ProposalMerged, &now, &merger
	if err := s.save(tx, p, octavo.ProposalWasMerged); err != nil {
		return Merged{}, err
	}
	if err := s.notify(tx, p, octavo.NoteMerged, ""); err != nil {
		return Merged{}, err
	}
	return Merged{Proposal: p.Proposal, Pages: pages}, nil
}

// lockPages keeps others from changing the pages of a proposal until the
// transaction ends.
func lockPages(tx *sqldb.Tx, p *proposalstore.Row) error {
	for _, c := range p.Changes {
		if c.PageID == "" {
			continue
		}
		if err := tx.LockRow("pages", string(c.PageID)); err != nil {
			return fmt.Errorf("lock page %s: %w", c.PageID, err)
		}
	}
	return nil
}

// conflicts is the refusal of a merge, with a specific type if there is only
// one kind of conflict and it has one.
func conflicts(list []octavo.MergeConflict) error {
	kind := octavo.MergeConflicts
	only := list[0].Kind
	for _, x := range list {
		if x.Kind != only {
			only = octavo.CheckConflict
		}
	}
	switch only {
	case octavo.CheckSlugTaken:
		kind = octavo.SlugTaken
	case octavo.CheckParentMissing:
		kind = octavo.Conflict
	}
	e := octavo.Errorf(kind, "Changes of the proposal (%d) cannot be merged: %s", len(list), list[0].Message)
	e.Conflicts = list
	return e
}

// apply writes the steps of a plan.
func (s *Service) apply(tx *sqldb.Tx, p *proposalstore.Row, of *plan) ([]octavo.MergedPage, error) {
	m := merging{Service: s, tx: tx, proposal: p, made: map[octavo.ID]octavo.ID{}, pages: map[octavo.ID]octavo.MergedPage{}}
	defer func() { tx.Cause().Merge = nil }()
	for _, st := range of.steps {
		if st.update.Slug != nil || st.change.Op == octavo.ChangeDelete && !st.nothing { // another page may take it
			if err := pagestore.GiveUpSlug(tx, st.page.ID, st.page.Slug); err != nil {
				return nil, err
			}
		}
	}
	var revised []pagestore.RevisionRef
	for _, i := range of.order {
		st := of.steps[i]
		if err := m.run(st); err != nil {
			return nil, err
		}
		if page, ok := m.pages[st.change.ID]; ok && (st.page == nil || page.Revision > st.page.Revision) {
			revised = append(revised, pagestore.RevisionRef{Page: page.ID, Number: page.Revision})
		}
	}
	if err := s.pages.RecordMerge(tx, p.ID, revised); err != nil {
		return nil, err
	}
	pages := []octavo.MergedPage{}
	for _, st := range of.steps {
		if page, ok := m.pages[st.change.ID]; ok {
			pages = append(pages, page)
		}
	}
	return pages, nil
}

// merging is a merge within its transaction.
type merging struct {
	*Service
	tx       *sqldb.Tx
	proposal *proposalstore.Row
	made     map[octavo.ID]octavo.ID         // pages by the changes that created them
	pages    map[octavo.ID]octavo.MergedPage // changed pages, by change
}

// run applies one step.
func (m merging) run(st step) error {
	if st.nothing {
		return nil
	}
	c := st.change
	m.tx.Cause().Merge = &sqldb.Merge{Author: c.Authors[0]}
	var page octavo.Page
	var err error
	match := func(_ octavo.ID, version int64) bool { return version == st.page.Version }
	switch c.Op {
	case octavo.ChangeCreate:
		page, err = m.Service.pages.Create(m.tx, m.newPage(c))
		if err == nil && (c.Publish != nil || c.Unpublish != nil) {
			page, err = m.Service.pages.Update(m.tx, page.ID, pagestore.Change{Publish: c.Publish, Unpublish: c.Unpublish}, nil)
		}
		if err == nil {
			err = proposalstore.Made(m.tx, c.ID, page.ID)
		}
	case octavo.ChangeUpdate:
		update := st.update
		next := octavo.PageChange{ParentID: update.ParentID, Imported: update.Imported}
		next.Resolve(m.made)
		update.ParentID, update.Imported = next.ParentID, next.Imported
		page, err = m.Service.pages.Update(m.tx, c.PageID, update, match)
	case octavo.ChangeDelete:
		page = st.page.Page
		err = m.Service.pages.Delete(m.tx, c.PageID, pagestore.ChildrenPolicy(c.Children), match)
	case octavo.ChangeRestore:
		page, err = m.Service.pages.Restore(m.tx, c.PageID)
	}
	if e, refused := errors.AsType[*octavo.Error](err); refused {
		switch e.Type {
		case octavo.PreconditionFailed:
			return errStale
		case octavo.NotFound:
			if c.Op != octavo.ChangeRestore {
				return errStale
			}
			return refusal(c, e)
		case octavo.InvalidRequest, octavo.Conflict, octavo.SlugTaken:
			return refusal(c, e)
		}
		return err // such as a database error
	}
	if err != nil {
		return fmt.Errorf("merge change %s: %w", c.ID, err)
	}
	m.made[c.ID] = page.ID
	m.pages[c.ID] = octavo.MergedPage{ID: page.ID, Revision: page.Revision}
	return nil
}

// refusal is a conflict that the pages reported.
func refusal(c octavo.PageChange, e *octavo.Error) error {
	x := octavo.MergeConflict{ChangeID: c.ID, PageID: c.PageID, Kind: octavo.CheckConflict, Message: e.Detail}
	for _, f := range e.Fields {
		switch f.Path {
		case "/slug":
			x.Kind, x.Member = octavo.CheckSlugTaken, "slug"
		case "/parentId":
			x.Member = "parentId"
		}
		if x.Message == "" {
			x.Message = f.Path + " " + f.Message
		}
	}
	return conflicts([]octavo.MergeConflict{x})
}

// newPage is the page that a change creates.
func (m merging) newPage(c octavo.PageChange) pagestore.NewPage {
	c.Resolve(m.made)
	n := pagestore.NewPage{Imported: c.Imported, PageCreate: octavo.PageCreate{Title: *c.Title, Slug: *c.Slug, Content: *c.Content, Status: octavo.Draft, Dialect: c.Dialect}, FormerSlugs: c.FormerSlugs}
	if c.Status != nil {
		n.Status = *c.Status
	}
	if c.Frontmatter != nil {
		n.Frontmatter = *c.Frontmatter
	}
	if c.RawFront != nil {
		n.RawFront = []byte(*c.RawFront)
	}
	if c.ParentID != nil {
		n.ParentID = *c.ParentID
	}
	if c.Position != nil {
		n.Position = c.Position.Value
	}
	if c.Source != nil {
		n.Path = *c.Source
	}
	if c.ImportSet != nil {
		n.ImportSet = *c.ImportSet
	}
	return n
}
