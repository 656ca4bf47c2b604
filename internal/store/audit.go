package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
)

// Bounds of one entry of the audit log, in bytes. Longer texts are cut, since
// some of them come from strangers.
const (
	maxAuditText   = 256
	maxAuditDetail = 4096
)

// AuditQuery selects entries of the audit log. Zero members do not narrow.
type AuditQuery struct {
	Action octavo.AuditAction
	Actor  string    // the actor's id
	Since  time.Time // inclusive
	Newest bool      // the newest first, else the oldest
	After  *Mark     // continue behind this entry, see AuditMark
	Limit  int
}

// AuditMark returns the place of an entry in the audit log.
func AuditMark(e octavo.AuditEntry) Mark {
	return Mark{Key: strconv.FormatInt(e.CreatedAt.UnixMilli(), 10), ID: e.ID}
}

// Audit appends an entry to the audit log in the transaction of what it tells.
// The store gives it identifier and time; actor, address and trace are those
// of the transaction's cause where the entry has none.
func (tx *Tx) Audit(e octavo.AuditEntry) error { return tx.audit(e, time.Time{}) }

// RecordAudit appends an entry about something that changed nothing else, and
// may remove it after keep; 0 is never. Whoever lets strangers cause such
// entries has to bound how many there are.
func (s *Store) RecordAudit(ctx context.Context, e octavo.AuditEntry, keep time.Duration) error {
	return s.write(ctx, Cause{}, func(tx *Tx) error {
		var until time.Time
		if keep > 0 {
			until = tx.now.Add(keep)
		}
		return tx.audit(e, until)
	})
}

func (tx *Tx) audit(e octavo.AuditEntry, until time.Time) error {
	id, err := tx.s.opts.IDs.New(octavo.PrefixAudit)
	if err != nil {
		return err
	}
	if e.Actor == (octavo.Actor{}) {
		e.Actor = tx.cause.Actor
	}
	if e.Address == "" {
		e.Address = tx.cause.Address
	}
	if e.TraceID == "" {
		e.TraceID = tx.cause.TraceID
	}
	detail := ""
	if len(e.Detail) > 0 {
		text, err := json.Marshal(e.Detail)
		if err != nil {
			return fmt.Errorf("record %s: %w", e.Action, err)
		}
		if len(text) > maxAuditDetail {
			return fmt.Errorf("record %s: the detail has %d bytes, more than %d", e.Action, len(text), maxAuditDetail)
		}
		detail = plain(string(text))
	}
	_, err = tx.exec(`INSERT INTO audit (id, created_at, action, actor_id, actor_name, subject, address, trace_id, detail, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		id, tx.now.UnixMilli(), e.Action, auditText(e.Actor.ID), auditText(e.Actor.Name), auditText(e.Subject),
		auditText(e.Address), auditText(e.TraceID), detail, unlessZero(until))
	if err != nil {
		return fmt.Errorf("record %s: %w", e.Action, err)
	}
	return nil
}

func auditText(s string) string {
	if s = plain(s); len(s) > maxAuditText {
		s = strings.ToValidUTF8(s[:maxAuditText], "")
	}
	return s
}

// ListAudit returns at most q.Limit entries in order of time, and whether more
// follow. Where several processes write, an entry may appear behind one with a
// slightly later time.
func (s *Store) ListAudit(ctx context.Context, q AuditQuery) (entries []octavo.AuditEntry, more bool, err error) {
	ctx, end, err := s.lists.enter(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("list the audit log: %w", err)
	}
	defer end()
	var a args
	text, err := auditStatement(q, &a)
	if err != nil {
		return nil, false, err
	}
	entries, err = collect(ctx, s.read, scanAudit, text, a...)
	if err != nil {
		return nil, false, fmt.Errorf("list the audit log: %w", err)
	}
	entries, more = cut(entries, q.Limit)
	return entries, more, nil
}

func auditStatement(q AuditQuery, a *args) (string, error) {
	where := "1 = 1"
	if q.Action != "" {
		where += " AND action = " + a.add(plain(string(q.Action)))
	}
	if q.Actor != "" {
		where += " AND actor_id = " + a.add(plain(q.Actor))
	}
	if !q.Since.IsZero() {
		where += " AND created_at >= " + a.add(ceilMilli(q.Since))
	}
	order, compare := "created_at, id", ">"
	if q.Newest {
		order, compare = "created_at DESC, id DESC", "<"
	}
	if q.After != nil {
		ms, err := strconv.ParseInt(q.After.Key, 10, 64)
		if err != nil {
			return "", fmt.Errorf("list the audit log: continue behind %q: %w", q.After.Key, err)
		}
		where += fmt.Sprintf(" AND (created_at, id) %s (%s, %s)", compare, a.add(ms), a.add(plain(string(q.After.ID))))
	}
	return `SELECT id, created_at, action, actor_id, actor_name, subject, address, trace_id, detail FROM audit
		WHERE ` + where + ` ORDER BY ` + order + ` LIMIT ` + a.add(q.Limit+1), nil
}

// ceilMilli is the first stored moment that is not before t.
func ceilMilli(t time.Time) int64 { return t.Add(time.Millisecond - 1).UnixMilli() }

func scanAudit(row scanner) (octavo.AuditEntry, error) {
	var (
		e      octavo.AuditEntry
		at     int64
		detail string
	)
	if err := row.Scan(&e.ID, &at, &e.Action, &e.Actor.ID, &e.Actor.Name, &e.Subject, &e.Address, &e.TraceID, &detail); err != nil {
		return e, err
	}
	e.CreatedAt = moment(at)
	if detail != "" {
		if err := json.Unmarshal([]byte(detail), &e.Detail); err != nil {
			return e, fmt.Errorf("read the detail of %s: %w", e.ID, err)
		}
	}
	return e, nil
}

// removeAudit removes the entries that were recorded with an end.
func (s *Store) removeAudit(ctx context.Context) error {
	return s.write(ctx, Cause{}, func(tx *Tx) error {
		if _, err := tx.exec(`DELETE FROM audit WHERE expires_at <= $1`, tx.now.UnixMilli()); err != nil {
			return fmt.Errorf("remove old entries of the audit log: %w", err)
		}
		return nil
	})
}
