package proposalstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Mails finds the people who get notifications by mail. It is safe for concurrent use.
type Mails struct{ db *sqldb.DB }

// NewMails returns the mails of a database.
func NewMails(db *sqldb.DB) *Mails { return &Mails{db} }

// MailWaits are the delays before notifications are mailed.
type MailWaits struct {
	Gather time.Duration // for the oldest, so that others join it and it may be read meanwhile
	Pause  time.Duration // for a person, from one mail to the next
	Retry  time.Duration // for a person, maximum backoff after failures
	Old    time.Duration // age at which they are no longer mailed
}

// Mail is one mail: a person's notifications, oldest first.
type Mail struct {
	User  octavo.ID
	Email string
	Name  string
	Tries int // failed attempts so far
	Notes []octavo.Notification
}

// Due returns at most limit people with notifications to mail.
func (s *Mails) Due(ctx context.Context, w MailWaits, limit int) ([]octavo.ID, error) {
	now := s.db.Now()
	list, err := sqldb.Collect(ctx, s.db.Read(), sqldb.Column[octavo.ID], `SELECT DISTINCT n.user_id
		FROM notifications n JOIN users u ON u.id = n.user_id LEFT JOIN notifications_read r ON r.user_id = n.user_id
		WHERE NOT n.mailed AND n.created_at <= $1 AND `+mayBeMailed+` LIMIT $4`,
		now.Add(-w.Gather).UnixMilli(), now.UnixMilli(), now.Add(w.Retry+sqldb.ClockSlack).UnixMilli(), limit)
	if err != nil {
		return nil, fmt.Errorf("find who is to be mailed notifications: %w", err)
	}
	return list, nil
}

// mayBeMailed is the condition under which person r is not in a pause at the time $2. A
// pause that ends after $3 was set by a clock that has been set back since.
const mayBeMailed = `(r.mail_after IS NULL OR r.mail_after <= $2 OR r.mail_after > $3)`

// Claim takes a person's notifications to mail, and begins their pause. It returns nil
// if there are none, or another process has taken them. All of them count as mailed
// from now on; those that the person has read, may not see or does not want are
// omitted. suggestions says whether readers see proposals of others.
func (s *Mails) Claim(ctx context.Context, user octavo.ID, w MailWaits, suggestions bool) (m *Mail, err error) {
	err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		m = nil
		if err := ensureRead(tx, user); err != nil {
			return err
		}
		now := tx.Now()
		// The lock of this row makes another process wait, which then finds the pause.
		n, err := tx.Exec(`UPDATE notifications_read AS r SET mail_after = $4 WHERE r.user_id = $1 AND `+mayBeMailed,
			user, now.UnixMilli(), now.Add(w.Retry+sqldb.ClockSlack).UnixMilli(), now.Add(w.Pause).UnixMilli())
		if err != nil {
			return fmt.Errorf("begin to mail %s: %w", user, err)
		}
		if n == 0 {
			return nil
		}
		m, err = claimMail(tx, user, now.Add(-w.Old), suggestions)
		return err
	})
	return m, err
}

// ensureRead creates the row of a person in notifications_read.
func ensureRead(tx *sqldb.Tx, user octavo.ID) error {
	if _, err := tx.Exec(`INSERT INTO notifications_read (user_id, read_until, mail)
		SELECT u.id, -1, TRUE FROM users u WHERE u.id = $1 ON CONFLICT (user_id) DO NOTHING`, user); err != nil {
		return fmt.Errorf("begin what %s has read: %w", user, err)
	}
	return nil
}

// claimMail is Claim for a person whose pause has begun.
func claimMail(tx *sqldb.Tx, user octavo.ID, since time.Time, suggestions bool) (*Mail, error) {
	m := Mail{User: user}
	var role octavo.Role
	var read int64
	found, err := tx.Row([]any{&m.Email, &m.Name, &role, &m.Tries, &read}, `SELECT u.email, u.name, u.role, r.mail_tries, r.read_until
		FROM users u JOIN notifications_read r ON r.user_id = u.id
		WHERE u.id = $1 AND u.disabled_at IS NULL AND NOT u.invited AND r.mail`, user)
	if err != nil {
		return nil, fmt.Errorf("read whom to mail: %w", err)
	}
	scopes := role.Scopes()
	var a sqldb.Args
	sees := Viewer{ID: string(user)}.sees(&a)
	if !scopes.Allow(octavo.ScopePropose) && !suggestions {
		sees += " AND p.author_id = " + a.Add(string(user))
	}
	err = tx.Query(func(row sqldb.Scanner) error {
		var n octavo.Notification
		var title *string // NULL if the person does not see the proposal
		err := row.Scan(&n.ID, &n.Kind, &n.ProposalID, &n.Actor.Name, sqldb.ScanTime(&n.CreatedAt), &title)
		if title != nil && n.CreatedAt.UnixMilli() > read && n.CreatedAt.After(since) {
			n.Title = *title
			m.Notes = append(m.Notes, n)
		}
		return err
	}, `UPDATE notifications SET mailed = TRUE WHERE NOT mailed AND user_id = `+a.Add(string(user))+`
		RETURNING id, kind, proposal_id, actor_name, created_at, (SELECT p.title FROM proposals p WHERE p.id = notifications.proposal_id AND `+sees+`)`, a...)
	if err != nil {
		return nil, fmt.Errorf("take the notifications of %s: %w", user, err)
	}
	if !found || !scopes.Allow(octavo.ScopeRead) || len(m.Notes) == 0 {
		return nil, nil
	}
	slices.SortFunc(m.Notes, func(x, y octavo.Notification) int { return cmp.Compare(x.ID, y.ID) })
	return &m, nil
}

// Sent records that a mail was sent, or given up, and resets the failures.
func (s *Mails) Sent(ctx context.Context, m *Mail) error {
	if m.Tries == 0 {
		return nil
	}
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		if _, err := tx.Exec(`UPDATE notifications_read SET mail_tries = 0 WHERE user_id = $1`, m.User); err != nil {
			return fmt.Errorf("note that %s was mailed: %w", m.User, err)
		}
		return nil
	})
}

// Again returns an unsent mail after a number of failed attempts. Its
// notifications are mailed after a delay, with those that come meanwhile.
func (s *Mails) Again(ctx context.Context, m *Mail, tries int, after time.Duration) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		if _, err := tx.Exec(`UPDATE notifications_read SET mail_tries = $2, mail_after = $3 WHERE user_id = $1`,
			m.User, tries, tx.Now().Add(after).UnixMilli()); err != nil {
			return fmt.Errorf("have %s mailed again: %w", m.User, err)
		}
		for some := range slices.Chunk(m.Notes, 100) {
			var a sqldb.Args
			ids := make([]octavo.ID, len(some))
			for i, n := range some {
				ids[i] = n.ID
			}
			if _, err := tx.Exec(`UPDATE notifications SET mailed = FALSE WHERE id IN `+sqldb.List(&a, ids), a...); err != nil {
				return fmt.Errorf("give back %d notifications of %s: %w", len(some), m.User, err)
			}
		}
		return nil
	})
}

// Wanted reports whether a person gets notifications by mail.
func (s *Mails) Wanted(ctx context.Context, user octavo.ID) (on bool, err error) {
	found, err := s.db.Read().Row(ctx, []any{&on}, `SELECT r.mail FROM notifications_read r WHERE r.user_id = $1`, user)
	if err != nil {
		return false, fmt.Errorf("read whether %s is mailed: %w", user, err)
	}
	return on || !found, nil
}

// SetWanted turns a person's notification mails on or off.
func (s *Mails) SetWanted(ctx context.Context, cause sqldb.Cause, user octavo.ID, on bool) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if err := ensureRead(tx, user); err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE notifications_read SET mail = $2 WHERE user_id = $1`, user, on); err != nil {
			return fmt.Errorf("set whether %s is mailed: %w", user, err)
		}
		return nil
	})
}
