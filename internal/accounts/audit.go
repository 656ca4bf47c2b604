package accounts

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// AuditQuery selects entries of the audit log. Zero members do not filter.
type AuditQuery struct {
	Action octavo.AuditAction
	Actor  string        // the actor's id
	Since  time.Time     // inclusive
	Newest bool          // newest first, otherwise oldest first
	After  *sqldb.Cursor // continue after this entry, see AuditCursor
	Limit  int
}

// AuditCursor returns the position of an entry in the audit log.
func AuditCursor(e octavo.AuditEntry) sqldb.Cursor {
	return sqldb.Cursor{Key: strconv.FormatInt(e.CreatedAt.UnixMilli(), 10), ID: e.ID}
}

// Record appends an entry about something that changed nothing else. It may
// be removed after keep; 0 means never. If strangers can cause such entries,
// the caller has to limit their number.
func (s *Audit) Record(ctx context.Context, e octavo.AuditEntry, keep time.Duration) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		var until time.Time
		if keep > 0 {
			until = tx.Now().Add(keep)
		}
		return tx.AuditUntil(e, until)
	})
}

// List returns at most q.Limit entries by time, and whether more follow. If several
// processes write, an entry may come after one with a slightly later time.
func (s *Audit) List(ctx context.Context, q AuditQuery) (entries []octavo.AuditEntry, more bool, err error) {
	ctx, end, err := s.db.List(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("list the audit log: %w", err)
	}
	defer end()
	var a sqldb.Args
	text, err := auditStatement(q, &a)
	if err != nil {
		return nil, false, err
	}
	return sqldb.CollectUpTo(ctx, s.read, "list the audit log", q.Limit, scanAudit, text, a...)
}

func auditStatement(q AuditQuery, a *sqldb.Args) (string, error) {
	where := "1 = 1"
	if q.Action != "" {
		where += " AND action = " + a.Add(sqldb.Plain(string(q.Action)))
	}
	if q.Actor != "" {
		where += " AND actor_id = " + a.Add(sqldb.Plain(q.Actor))
	}
	if !q.Since.IsZero() {
		where += " AND created_at >= " + a.Add(sqldb.CeilMilli(q.Since))
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
		where += fmt.Sprintf(" AND (created_at, id) %s (%s, %s)", compare, a.Add(ms), a.Add(sqldb.Plain(string(q.After.ID))))
	}
	return `SELECT id, created_at, action, actor_id, actor_name, subject, address, trace_id, detail FROM audit
		WHERE ` + where + ` ORDER BY ` + order + ` LIMIT ` + a.Add(q.Limit+1), nil
}

func scanAudit(row sqldb.Scanner) (octavo.AuditEntry, error) {
	var (
		e      octavo.AuditEntry
		detail string
	)
	if err := row.Scan(&e.ID, sqldb.ScanTime(&e.CreatedAt), &e.Action, &e.Actor.ID, &e.Actor.Name, &e.Subject, &e.Address, &e.TraceID, &detail); err != nil {
		return e, err
	}
	if detail != "" {
		if err := json.Unmarshal([]byte(detail), &e.Detail); err != nil {
			return e, fmt.Errorf("read the detail of %s: %w", e.ID, err)
		}
	}
	return e, nil
}
