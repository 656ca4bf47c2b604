package proposals

import (
	"context"
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Reviews returns the reviews of a proposal that the asker sees, oldest first.
func (s *Service) Reviews(ctx context.Context, a Asker, id octavo.ID) ([]octavo.Review, error) {
	p, err := s.read(ctx, s.db.Read(), a, id, false)
	if err != nil {
		return nil, err
	}
	return s.store.Reviews(ctx, s.db.Read(), p)
}

// Review adds a review to an open proposal. Approving and requesting changes
// needs pages:write. If match is given and the proposal has changed, the error is
// PreconditionFailed.
func (s *Service) Review(ctx context.Context, cause sqldb.Cause, a Asker, id octavo.ID, in octavo.Review, match sqldb.IfMatch, reply func(octavo.Review) sqldb.Response) (octavo.Review, error) {
	if in.Verdict != octavo.VerdictComment && !a.Write {
		return octavo.Review{}, octavo.Errorf(octavo.Forbidden, "The verdict %s needs the scope pages:write.", in.Verdict)
	}
	return write(ctx, s, cause, reply, func(tx *sqldb.Tx) (octavo.Review, error) {
		p, err := s.lock(tx, a, id, match)
		if err != nil {
			return octavo.Review{}, err
		}
		if p.Status != octavo.ProposalOpen {
			return octavo.Review{}, octavo.Errorf(octavo.Conflict, "Proposal %s is %s, and only open proposals can be reviewed.", id, p.Status)
		}
		r := in
		r.Author = tx.Cause().Actor
		if err := s.store.AddReview(tx, p, &r, a.Personal); err != nil {
			return octavo.Review{}, err
		}
		if err := s.store.RecordAbout(tx, octavo.ReviewCreated, p, r.ID); err != nil {
			return octavo.Review{}, err
		}
		all, err := s.store.Reviews(tx.Context(), tx.Conn(), p)
		if err != nil {
			return octavo.Review{}, err
		}
		r = all[len(all)-1]
		kind := octavo.NoteComment
		if r.Verdict == octavo.VerdictApprove && r.Counts {
			kind = octavo.NoteApproved
		}
		for _, user := range mentioned(r.Text) {
			if user == p.Author.ID {
				continue // gets a notification of the review
			}
			if err := s.store.Notify(tx, user, octavo.NoteMention, p.ID, ""); err != nil {
				return octavo.Review{}, err
			}
		}
		return r, s.notify(tx, p, kind, "")
	})
}

// Dismiss ends a request for changes. It needs admin.
func (s *Service) Dismiss(ctx context.Context, cause sqldb.Cause, a Asker, id, review octavo.ID) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if _, err := s.lock(tx, a, id, nil); err != nil {
			return err
		}
		return s.store.Dismiss(tx, id, review)
	})
}

// approved checks that a merge has the required reviews, and records that in
// the transaction (decision 74). Only changes of published pages need them,
// which is decided when those are written.
func (s *Service) approved(tx *sqldb.Tx, p *proposalstore.Row, of *plan) error {
	want, err := tx.SiteReview()
	if err != nil {
		return err
	}
	var behind octavo.ID // a page that is newer than its change's base
	for _, st := range of.steps {
		if st.page != nil && !st.nothing && newer(st.change, st.page) {
			if want.UpToDate && tx.Cause().Review == sqldb.ReviewOverridden {
				want.UpToDate, tx.Cause().Review = false, sqldb.Reviewed
				if err := tx.Audit(octavo.AuditEntry{Action: octavo.ReviewOverridden, Subject: string(p.ID)}); err != nil {
					return err
				}
			}
			if want.UpToDate {
				return octavo.Errorf(octavo.ReviewRequired, "Page %s has changed since its change was made. Make the change against revision %d.", st.page.ID, st.page.Revision)
			}
			if st.public() {
				behind = st.page.ID
			}
		}
	}
	if want.Approvals == 0 || tx.Cause().Review != sqldb.NotReviewed {
		return nil
	}
	reviews, err := s.store.Reviews(tx.Context(), tx.Conn(), p)
	if err != nil {
		return err
	}
	approvals := 0
	for _, r := range reviews {
		switch {
		case r.Counts && r.Verdict == octavo.VerdictChanges:
			return octavo.Errorf(octavo.ReviewRequired, "%s has requested changes. They must approve, or an admin must dismiss review %s.", r.Author.Name, r.ID)
		case r.Counts:
			approvals++
		}
	}
	switch {
	case behind != "":
		of.lacks = fmt.Sprintf("Page %s has changed since its change was made. Make the change against its newest revision, and have it approved.", behind)
	case approvals < want.Approvals:
		of.lacks = fmt.Sprintf("Proposal %s has %d of the %d approvals that changes of published pages need here.", p.ID, approvals, want.Approvals)
	default:
		tx.Cause().Review = sqldb.Reviewed
	}
	return nil
}

// public reports whether a step publishes a page, or changes one that is or
// will be published.
func (st step) public() bool {
	return st.page.Status == octavo.Published || st.page.PublishAt != nil || st.update.Publish != nil ||
		st.update.Status != nil && *st.update.Status == octavo.Published
}

// askReviewers notifies the new reviewers of a proposal.
func (s *Service) askReviewers(tx *sqldb.Tx, p *proposalstore.Row, before []octavo.ID) error {
	for _, id := range p.Reviewers {
		if slices.Contains(before, id) {
			continue
		}
		if err := s.store.Notify(tx, string(id), octavo.NoteReviewAsked, p.ID, ""); err != nil {
			return err
		}
	}
	return nil
}

// notify notifies the author of a proposal.
func (s *Service) notify(tx *sqldb.Tx, p *proposalstore.Row, kind octavo.NotificationKind, comment octavo.ID) error {
	return s.store.Notify(tx, p.Author.ID, kind, p.ID, comment)
}
