package proposalstore

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// MaxRemarks is the maximum of reviews and comments of one proposal.
const MaxRemarks = 2000

// AddReview adds a review. It sets its identifier and time. personal says
// that its author signed in here.
func (s *Proposals) AddReview(tx *sqldb.Tx, p *Row, r *octavo.Review, personal bool) (err error) {
	if err := s.fewRemarks(tx, p.ID); err != nil {
		return err
	}
	if r.ID, err = tx.NewID(octavo.PrefixReview); err != nil {
		return err
	}
	r.CreatedAt = tx.Now()
	_, err = tx.Exec(`INSERT INTO proposal_reviews (id, proposal_id, verdict, said, author_id, author_name, content, personal, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		r.ID, p.ID, r.Verdict, sqldb.Plain(r.Text), r.Author.ID, r.Author.Name, p.Content, personal, r.CreatedAt.UnixMilli())
	return octavo.Wrapf(err, "add a review to proposal %s", p.ID)
}

func (s *Proposals) fewRemarks(tx *sqldb.Tx, id octavo.ID) error {
	var n int
	if _, err := tx.Row([]any{&n}, `SELECT (SELECT COUNT(*) FROM proposal_reviews WHERE proposal_id = $1) + (SELECT COUNT(*) FROM proposal_comments WHERE proposal_id = $1)`, id); err != nil {
		return fmt.Errorf("count the remarks on proposal %s: %w", id, err)
	}
	if n >= MaxRemarks {
		return octavo.Errorf(octavo.Conflict, "A proposal has at most %d reviews and comments.", MaxRemarks)
	}
	return nil
}

// Reviews returns the reviews of a proposal, oldest first. Counts is set on
// those in force: for each person the last approval or request for changes.
// An approval is in force while the changes are the same, and its author is
// an editor or admin who wrote none of them and uploaded no file for them.
func (s *Proposals) Reviews(ctx context.Context, c sqldb.Conn, p *Row) ([]octavo.Review, error) {
	authors := map[string]bool{}
	for _, change := range p.Changes {
		for _, a := range change.Authors {
			authors[a.ID] = true
		}
	}
	last := map[string]int{}
	list, err := sqldb.Collect(ctx, c, func(row sqldb.Scanner) (r octavo.Review, err error) {
		var personal, dismissed, editor bool
		var content int64
		err = row.Scan(&r.ID, &r.Verdict, &r.Text, &r.Author.ID, &r.Author.Name, &content, &personal, &dismissed, &editor, sqldb.ScanTime(&r.CreatedAt))
		switch r.Verdict {
		case octavo.VerdictApprove:
			r.Counts = !dismissed && personal && editor && content == p.Content && !authors[r.Author.ID]
		case octavo.VerdictChanges:
			r.Counts = !dismissed
		}
		return r, err
	}, `SELECT w.id, w.verdict, w.said, w.author_id, w.author_name, w.content, w.personal, w.dismissed,
			EXISTS (SELECT 1 FROM users u WHERE u.id = w.author_id AND u.role IN ('editor', 'admin') AND u.disabled_at IS NULL), w.created_at
		FROM proposal_reviews w WHERE w.proposal_id = $1 ORDER BY w.id`, p.ID)
	if err != nil {
		return nil, fmt.Errorf("read the reviews of proposal %s: %w", p.ID, err)
	}
	for i, r := range list {
		if r.Verdict == octavo.VerdictComment {
			continue
		}
		if before, ok := last[r.Author.ID]; ok {
			list[before].Counts = false
		}
		last[r.Author.ID] = i
	}
	return list, nil
}

// Dismiss ends a request for changes, with review.dismissed in the audit
// log. Errors are NotFound, and Conflict for another kind of review.
func (s *Proposals) Dismiss(tx *sqldb.Tx, proposal, id octavo.ID) error {
	var verdict octavo.Verdict
	found, err := tx.Row([]any{&verdict}, `UPDATE proposal_reviews SET dismissed = verdict = 'request-changes' WHERE proposal_id = $1 AND id = $2 RETURNING verdict`,
		proposal, sqldb.Plain(string(id)))
	switch {
	case err != nil:
		return fmt.Errorf("dismiss review %s: %w", id, err)
	case !found:
		return octavo.Errorf(octavo.NotFound, "Proposal %s has no review %q.", proposal, id)
	case verdict != octavo.VerdictChanges:
		return octavo.Errorf(octavo.Conflict, "Only a request for changes can be dismissed.")
	}
	return tx.Audit(octavo.AuditEntry{Action: octavo.ReviewDismissed, Subject: string(id), Detail: map[string]any{"proposal": proposal}})
}

// RecordAbout records an event of a review or a comment, with its id and
// that of its proposal.
func (s *Proposals) RecordAbout(tx *sqldb.Tx, kind octavo.EventType, p *Row, subject octavo.ID) error {
	payload := octavo.AppendString([]byte(`{"id":`), string(subject))
	payload = octavo.AppendString(append(payload, `,"proposalId":`...), string(p.ID))
	return s.record(tx, kind, p, append(payload, '}'))
}
