package sitestore

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Limits of stored feedback: number and age; the newest is kept.
const (
	keepFeedback = 365 * 24 * time.Hour
	maxFeedback  = 50_000
)

// AddFeedback stores a reader's feedback.
func (s *Sites) AddFeedback(ctx context.Context, f octavo.Feedback) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		id, err := tx.NewID(octavo.PrefixFeedback)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO feedback (id, page_id, slug, revision, helpful, said, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			id, f.PageID, f.Slug, f.Revision, f.Helpful, sqldb.Plain(f.Text), tx.Now().UnixMilli()); err != nil {
			return fmt.Errorf("keep feedback: %w", err)
		}
		event, err := tx.NewID(octavo.PrefixEvent)
		if err != nil {
			return err
		}
		return changelog.Record(tx, event, octavo.FeedbackCreated, id, 1, false, changelog.SubjectOnly(id))
	})
}

// Feedback returns at most limit feedbacks before one, or from the newest
// with "", newest first, and whether more follow.
func (s *Sites) Feedback(ctx context.Context, before octavo.ID, limit int) (list []octavo.Feedback, more bool, err error) {
	where, args := "$1 = $1", []any{""}
	if before != "" {
		where, args = "id < $1", []any{sqldb.Plain(string(before))}
	}
	return sqldb.CollectUpTo(ctx, s.db.Read(), "list feedback", limit, func(row sqldb.Scanner) (f octavo.Feedback, err error) {
		err = row.Scan(&f.ID, &f.PageID, &f.Slug, &f.Revision, &f.Helpful, &f.Text, sqldb.ScanTime(&f.CreatedAt))
		return f, err
	}, `SELECT id, page_id, slug, revision, helpful, said, created_at FROM feedback WHERE `+where+` ORDER BY id DESC LIMIT $2`, append(args, limit+1)...)
}

// DeleteFeedback removes one feedback, or returns NotFound.
func (s *Sites) DeleteFeedback(ctx context.Context, cause sqldb.Cause, id octavo.ID) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		n, err := tx.Exec(`DELETE FROM feedback WHERE id = $1`, sqldb.Plain(string(id)))
		if err != nil {
			return fmt.Errorf("remove feedback %s: %w", id, err)
		}
		if n == 0 {
			return octavo.Errorf(octavo.NotFound, "There is no feedback %q.", id)
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.FeedbackRemoved, Subject: string(id)})
	})
}

// Sweep removes old feedback and queries.
func (s *Sites) Sweep(ctx context.Context) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		_, err := tx.Exec(`DELETE FROM feedback WHERE created_at <= $1 OR id <= (SELECT id FROM feedback ORDER BY id DESC LIMIT 1 OFFSET $2)`,
			tx.Now().Add(-keepFeedback).UnixMilli(), maxFeedback)
		if err == nil {
			_, err = tx.Exec(`DELETE FROM site_queries WHERE day <= $1`, dayOf(tx.Now().Add(-keepFeedback)))
		}
		if err != nil {
			return fmt.Errorf("remove what readers said long ago: %w", err)
		}
		return nil
	})
}
