package proposalstore

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// keepNotifications is how long notifications are kept.
const keepNotifications = 90 * 24 * time.Hour

// keepConflict is how long a mailed conflict is not repeated: many attempts
// to merge are one conflict.
const keepConflict = 24 * time.Hour

// Notify notifies a person about a proposal, unless the same notification is
// still unread or unmailed. It ignores other subjects, and the actor.
func (s *Proposals) Notify(tx *sqldb.Tx, user string, kind octavo.NotificationKind, proposal, comment octavo.ID) error {
	actor := tx.Cause().Actor
	if !octavo.ID(user).Is(octavo.PrefixUser) || user == actor.ID {
		return nil
	}
	id, err := tx.NewID(octavo.PrefixNotification)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO notifications (id, user_id, kind, proposal_id, comment_id, actor_id, actor_name, created_at)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE EXISTS (SELECT 1 FROM users u WHERE u.id = $2 AND u.disabled_at IS NULL)
			AND NOT EXISTS (SELECT 1 FROM notifications o LEFT JOIN notifications_read r ON r.user_id = o.user_id
				WHERE o.user_id = $2 AND o.proposal_id = $4 AND o.kind = $3 AND o.comment_id = $5 AND o.created_at > COALESCE(r.read_until, -1)
					AND (NOT o.mailed OR o.kind = 'conflict' AND o.created_at > $9))`,
		id, user, kind, proposal, comment, actor.ID, actor.Name, tx.Now().UnixMilli(), tx.Now().Add(-keepConflict).UnixMilli()); err != nil {
		return fmt.Errorf("tell %s of proposal %s: %w", user, proposal, err)
	}
	return nil
}

// Notifications returns at most limit notifications of a viewer before one,
// or from the newest with "", newest first, and whether more follow. Those
// about proposals that the viewer does not see are omitted.
func (s *Proposals) Notifications(ctx context.Context, v Viewer, before octavo.ID, limit int) ([]octavo.Notification, bool, error) {
	var a sqldb.Args
	where := "n.user_id = " + a.Add(sqldb.Plain(v.ID)) + " AND " + v.sees(&a)
	if before != "" {
		where += " AND n.id < " + a.Add(sqldb.Plain(string(before)))
	}
	return sqldb.CollectUpTo(ctx, s.db.Read(), "list notifications", limit, func(row sqldb.Scanner) (n octavo.Notification, err error) {
		err = row.Scan(&n.ID, &n.Kind, &n.ProposalID, &n.Title, &n.CommentID, &n.Actor.ID, &n.Actor.Name, sqldb.ScanTime(&n.CreatedAt), &n.Read)
		return n, err
	}, `SELECT n.id, n.kind, n.proposal_id, p.title, n.comment_id, n.actor_id, n.actor_name, n.created_at, n.created_at <= COALESCE(r.read_until, -1)
		FROM notifications n JOIN proposals p ON p.id = n.proposal_id LEFT JOIN notifications_read r ON r.user_id = n.user_id
		WHERE `+where+` ORDER BY n.id DESC LIMIT `+a.Add(limit+1), a...)
}

// ReadUntil marks a person's notifications up to a time as read.
func (s *Proposals) ReadUntil(ctx context.Context, cause sqldb.Cause, user string, until time.Time) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if _, err := tx.Exec(`INSERT INTO notifications_read (user_id, read_until, mail) VALUES ($1, $2, TRUE)
			ON CONFLICT (user_id) DO UPDATE SET read_until = excluded.read_until`, sqldb.Plain(user), until.UnixMilli()); err != nil {
			return fmt.Errorf("note what %s has read: %w", user, err)
		}
		return nil
	})
}

// Sweep removes old notifications.
func (s *Proposals) Sweep(ctx context.Context) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		if _, err := tx.Exec(`DELETE FROM notifications WHERE created_at <= $1`, tx.Now().Add(-keepNotifications).UnixMilli()); err != nil {
			return fmt.Errorf("remove old notifications: %w", err)
		}
		return nil
	})
}
