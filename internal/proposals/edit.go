package proposals

import (
	"context"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Create creates a proposal with its changes. It is open unless it is a draft. Errors
// are InvalidRequest, Forbidden for a restoration without pages:write, and Conflict
// beyond the limits and for a second draft from Studio for one page.
func (s *Service) Create(ctx context.Context, cause sqldb.Cause, a Asker, in octavo.ProposalPatch, changes []octavo.PageChange, reply func(octavo.Proposal) sqldb.Response) (octavo.Proposal, error) {
	return write(ctx, s, cause, reply, func(tx *sqldb.Tx) (octavo.Proposal, error) {
		p := &proposalstore.Row{Proposal: octavo.Proposal{
			Title: *in.Title, Status: octavo.ProposalOpen, Origin: a.Origin, Author: tx.Cause().Actor, PublishedOnly: a.Audience.PublishedOnly,
		}}
		if in.Description != nil {
			p.Description = *in.Description
		}
		if in.Status != nil {
			p.Status = *in.Status
		}
		if in.Reviewers != nil {
			p.Reviewers = *in.Reviewers
		}
		if err := s.store.Insert(tx, p); err != nil {
			return octavo.Proposal{}, err
		}
		if err := s.add(tx, a, p, "/changes", changes); err != nil {
			return octavo.Proposal{}, err
		}
		if err := s.within(tx, a, p); err != nil {
			return octavo.Proposal{}, err
		}
		if p.Status == octavo.ProposalOpen {
			if err := s.store.Record(tx, octavo.ProposalOpened, p); err != nil {
				return octavo.Proposal{}, err
			}
			if err := s.askReviewers(tx, p, nil); err != nil {
				return octavo.Proposal{}, err
			}
		}
		err := s.hideParents(ctx, tx.Conn(), a.Audience, p)
		return p.Proposal, err
	})
}

// Import creates an open proposal from the changes of an import, in which a
// created page may be the parent of later ones by its id there. within runs
// at the end of the transaction.
func (s *Service) Import(ctx context.Context, cause sqldb.Cause, a Asker, title string, changes []octavo.PageChange, within func(*sqldb.Tx, octavo.ID) error) (octavo.ID, error) {
	return write(ctx, s, cause, nil, func(tx *sqldb.Tx) (octavo.ID, error) {
		p := &proposalstore.Row{Proposal: octavo.Proposal{Title: title, Status: octavo.ProposalOpen, Origin: a.Origin, Author: cause.Actor, PublishedOnly: a.Audience.PublishedOnly}}
		if err := s.store.Insert(tx, p); err != nil {
			return "", err
		}
		made, own := map[octavo.ID]octavo.ID{}, slices.Clone(changes)
		for i := range own {
			c := &own[i]
			c.Resolve(made)
			if c.Op == octavo.ChangeCreate {
				id, err := tx.NewID(octavo.PrefixChange)
				if err != nil {
					return "", err
				}
				made[c.ID], c.ID = id, id
			}
		}
		if err := s.add(tx, a, p, "/changes", own); err != nil {
			return "", err
		}
		if err := s.within(tx, a, p); err != nil {
			return "", err
		}
		if err := s.store.Record(tx, octavo.ProposalOpened, p); err != nil {
			return "", err
		}
		return p.ID, within(tx, p.ID)
	})
}

// within enforces the limits: of the proposal, and of a person who may not
// write pages (decisions 69 and 70).
func (s *Service) within(tx *sqldb.Tx, a Asker, p *proposalstore.Row) error {
	if len(p.Changes) > octavo.MaxChanges {
		return octavo.Errorf(octavo.Conflict, "A proposal has at most %d changes; this one would have %d.", octavo.MaxChanges, len(p.Changes))
	}
	if p.Size > octavo.MaxProposalText {
		return octavo.Errorf(octavo.Conflict, "The changes of a proposal have at most %d bytes of text; these would have %d.", octavo.MaxProposalText, p.Size)
	}
	if a.Write || !a.wrote(p) {
		return nil
	}
	use, err := s.store.Uses(tx, p.Author.ID)
	if err != nil {
		return err
	}
	switch {
	case use.Proposals > octavo.MaxOpenProposals:
		return octavo.Errorf(octavo.Conflict, "You have %d unmerged proposals, the limit without pages:write. Delete drafts or have some merged.", use.Proposals-1)
	case use.Text > octavo.MaxProposalText:
		return octavo.Errorf(octavo.Conflict, "Your unmerged proposals would have %d bytes of text; the limit without pages:write is %d.", use.Text, octavo.MaxProposalText)
	}
	return nil
}

// lock starts a change of a proposal: the asker must see it, its version
// must satisfy match, and it must not be merged.
func (s *Service) lock(tx *sqldb.Tx, a Asker, id octavo.ID, match sqldb.IfMatch) (*proposalstore.Row, error) {
	p, err := s.store.Lock(tx, a.viewer(), id)
	if err != nil {
		return nil, err
	}
	if match != nil && !match(p.ID, p.Version) {
		return nil, octavo.Errorf(octavo.PreconditionFailed, "Proposal %s has changed since it was read.", id)
	}
	if p.Status == octavo.ProposalMerged {
		return nil, octavo.Errorf(octavo.Conflict, "Proposal %s is merged and can no longer be changed.", id)
	}
	return p, s.store.Changes(tx.Context(), tx.Conn(), a.viewer(), false, p)
}

// mayEdit refuses askers who may not edit a proposal (decision 68).
func mayEdit(a Asker, p *proposalstore.Row) error {
	if a.wrote(p) || a.Write {
		return nil
	}
	return octavo.Errorf(octavo.Forbidden, "Only its author and credentials with pages:write can edit a proposal.")
}

// Patch changes the fields of a proposal. Errors are NotFound, PreconditionFailed,
// Forbidden, and Conflict for a status that cannot follow the present one.
func (s *Service) Patch(ctx context.Context, cause sqldb.Cause, a Asker, id octavo.ID, in octavo.ProposalPatch, match sqldb.IfMatch) (octavo.Proposal, error) {
	return write(ctx, s, cause, nil, func(tx *sqldb.Tx) (octavo.Proposal, error) {
		p, err := s.lock(tx, a, id, match)
		if err != nil {
			return octavo.Proposal{}, err
		}
		if err := mayEdit(a, p); err != nil {
			return octavo.Proposal{}, err
		}
		kind := octavo.ProposalUpdated
		if in.Status != nil && *in.Status != p.Status {
			if kind, err = follow(p.Status, *in.Status); err != nil {
				return octavo.Proposal{}, err
			}
			p.Status = *in.Status
		}
		if in.Title != nil {
			p.Title = *in.Title
		}
		if in.Description != nil {
			p.Description = *in.Description
		}
		before := p.Reviewers
		if in.Reviewers != nil {
			p.Reviewers = *in.Reviewers
			if err := s.store.SetReviewers(tx, p); err != nil {
				return octavo.Proposal{}, err
			}
		}
		if kind == octavo.ProposalOpened {
			before = nil // everybody is asked again
		}
		if err := s.save(tx, p, kind); err != nil {
			return octavo.Proposal{}, err
		}
		if p.Status == octavo.ProposalOpen {
			if err := s.askReviewers(tx, p, before); err != nil {
				return octavo.Proposal{}, err
			}
		}
		err = s.hideParents(ctx, tx.Conn(), a.Audience, p)
		return p.Proposal, err
	})
}

// follow returns the event of a change of status.
func follow(from, to octavo.ProposalStatus) (octavo.EventType, error) {
	switch {
	case to == octavo.ProposalOpen: // from a draft or a closed one
		return octavo.ProposalOpened, nil
	case from == octavo.ProposalOpen && to == octavo.ProposalClosed:
		return octavo.ProposalWasClosed, nil
	}
	if from == octavo.ProposalDraft {
		return "", octavo.Errorf(octavo.Conflict, "A draft cannot be closed. Delete it.")
	}
	return "", octavo.Errorf(octavo.Conflict, "A proposal that is %s cannot become %s.", from, to)
}

// save stores a changed proposal, with its event unless it is a draft.
func (s *Service) save(tx *sqldb.Tx, p *proposalstore.Row, kind octavo.EventType) error {
	if err := s.store.Save(tx, p); err != nil {
		return err
	}
	if p.Status == octavo.ProposalDraft {
		return nil
	}
	return s.store.Record(tx, kind, p)
}

// Delete removes a draft. Errors are NotFound, PreconditionFailed and
// Conflict for a proposal that others have seen.
func (s *Service) Delete(ctx context.Context, cause sqldb.Cause, a Asker, id octavo.ID, match sqldb.IfMatch) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		p, err := s.lock(tx, a, id, match)
		if err != nil {
			return err
		}
		if p.Status != octavo.ProposalDraft {
			return octavo.Errorf(octavo.Conflict, "Only drafts can be deleted. Close the proposal.")
		}
		return s.store.Delete(tx, id)
	})
}

// lockChanges is lock for changing the proposal's changes.
func (s *Service) lockChanges(tx *sqldb.Tx, a Asker, id octavo.ID) (*proposalstore.Row, error) {
	p, err := s.lock(tx, a, id, nil)
	if err != nil {
		return nil, err
	}
	if err := mayEdit(a, p); err != nil {
		return nil, err
	}
	if p.Status == octavo.ProposalClosed {
		return nil, octavo.Errorf(octavo.Conflict, "Proposal %s is closed. Open it before you change it.", id)
	}
	if p.PublishedOnly && !(a.wrote(p) && a.Audience.PublishedOnly) {
		return nil, octavo.Errorf(octavo.Conflict, "Its author sees only published pages, so nobody else can change this proposal.")
	}
	return p, nil
}

// AddChanges adds changes to a proposal, all or none.
func (s *Service) AddChanges(ctx context.Context, cause sqldb.Cause, a Asker, id octavo.ID, changes []octavo.PageChange, many bool, reply func([]octavo.PageChange) sqldb.Response) ([]octavo.PageChange, error) {
	return write(ctx, s, cause, reply, func(tx *sqldb.Tx) ([]octavo.PageChange, error) {
		p, err := s.lockChanges(tx, a, id)
		if err != nil {
			return nil, err
		}
		at := ""
		if many {
			at = many0
		}
		had := len(p.Changes)
		if err := s.add(tx, a, p, at, changes); err != nil {
			return nil, err
		}
		if err := s.changed(tx, a, p); err != nil {
			return nil, err
		}
		added := &proposalstore.Row{Proposal: octavo.Proposal{Changes: p.Changes[had:]}}
		err = s.hideParents(ctx, tx.Conn(), a.Audience, added)
		return added.Changes, err
	})
}

// changed stores a proposal with different changes, which ends its approvals.
func (s *Service) changed(tx *sqldb.Tx, a Asker, p *proposalstore.Row) error {
	if err := s.within(tx, a, p); err != nil {
		return err
	}
	p.Content++
	return s.save(tx, p, octavo.ProposalUpdated)
}

// PutChange replaces a change. Its base stays, unless it names another revision.
func (s *Service) PutChange(ctx context.Context, cause sqldb.Cause, a Asker, id, change octavo.ID, next octavo.PageChange, match sqldb.IfMatch) (octavo.PageChange, error) {
	return write(ctx, s, cause, nil, func(tx *sqldb.Tx) (octavo.PageChange, error) {
		p, before, err := s.lockChange(tx, a, id, change, match)
		if err != nil {
			return octavo.PageChange{}, err
		}
		next := next
		next.ID, next.Authors = before.ID, with(before.Authors, tx.Cause().Actor)
		if next.PageID != before.PageID {
			return octavo.PageChange{}, octavo.Invalid("/pageId", "must be the page that the change is about")
		}
		if next.BaseRevision == 0 {
			next.BaseRevision, next.Base = before.BaseRevision, before.Base
		}
		list := []octavo.PageChange{next}
		if err := s.complete(tx, a, p, "", list); err != nil {
			return octavo.PageChange{}, err
		}
		if err := s.store.UpdateChange(tx, p, before, &list[0]); err != nil {
			return octavo.PageChange{}, err
		}
		if err := s.changed(tx, a, p); err != nil {
			return octavo.PageChange{}, err
		}
		shown := &proposalstore.Row{Proposal: octavo.Proposal{Changes: list}}
		err = s.hideParents(ctx, tx.Conn(), a.Audience, shown)
		return list[0], err
	})
}

// RemoveChange removes a change from a proposal. A draft from Studio without
// changes is removed too.
func (s *Service) RemoveChange(ctx context.Context, cause sqldb.Cause, a Asker, id, change octavo.ID, match sqldb.IfMatch) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		p, before, err := s.lockChange(tx, a, id, change, match)
		if err != nil {
			return err
		}
		for _, other := range p.Changes {
			if other.ParentID != nil && *other.ParentID == change {
				return octavo.Errorf(octavo.Conflict, "Change %s makes a page below the one that this change makes.", other.ID)
			}
		}
		if err := s.store.DeleteChange(tx, p, before); err != nil {
			return err
		}
		return s.changed(tx, a, p)
	})
}

func (s *Service) lockChange(tx *sqldb.Tx, a Asker, id, change octavo.ID, match sqldb.IfMatch) (*proposalstore.Row, octavo.PageChange, error) {
	p, err := s.lockChanges(tx, a, id)
	if err != nil {
		return nil, octavo.PageChange{}, err
	}
	c, err := s.store.Change(tx.Context(), tx.Conn(), a.viewer(), id, change)
	if err == nil && match != nil && !match(c.ID, c.Version) {
		err = octavo.Errorf(octavo.PreconditionFailed, "Change %s has changed since it was read.", change)
	}
	return p, c, err
}

// with adds somebody to a list of people, unless present.
func with(list []octavo.Actor, actor octavo.Actor) []octavo.Actor {
	for _, known := range list {
		if known.ID == actor.ID {
			return list
		}
	}
	return append(list, actor)
}
