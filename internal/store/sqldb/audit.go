package sqldb

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
)

// Limits of one audit log entry, in bytes. Longer texts are cut, since some
// come from strangers.
const (
	maxAuditText   = 256
	maxAuditDetail = 4096
)

// Audit appends an entry to the audit log in the transaction that it
// describes. It sets identifier and time. Actor, address and trace default
// to those of the transaction's cause.
func (tx *Tx) Audit(e octavo.AuditEntry) error { return tx.AuditUntil(e, time.Time{}) }

// AuditUntil is Audit for an entry that may be removed after until. With a
// zero time it never is.
func (tx *Tx) AuditUntil(e octavo.AuditEntry, until time.Time) error {
	id, err := tx.NewID(octavo.PrefixAudit)
	if err != nil {
		return err
	}
	e.Actor, e.Address, e.TraceID = cmp.Or(e.Actor, tx.cause.Actor), cmp.Or(e.Address, tx.cause.Address), cmp.Or(e.TraceID, tx.cause.TraceID)
	detail := ""
	if len(e.Detail) > 0 {
		text, err := json.Marshal(e.Detail)
		if err != nil {
			return fmt.Errorf("record %s: %w", e.Action, err)
		}
		if len(text) > maxAuditDetail {
			return fmt.Errorf("record %s: the detail has %d bytes, more than %d", e.Action, len(text), maxAuditDetail)
		}
		detail = Plain(string(text))
	}
	_, err = tx.Exec(`INSERT INTO audit (id, created_at, action, actor_id, actor_name, subject, address, trace_id, detail, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		id, tx.now.UnixMilli(), e.Action, auditText(e.Actor.ID), auditText(e.Actor.Name), auditText(e.Subject),
		auditText(e.Address), auditText(e.TraceID), detail, UnlessZero(until))
	return octavo.Wrapf(err, "record %s", e.Action)
}

func auditText(s string) string {
	if s = Plain(s); len(s) > maxAuditText {
		s = strings.ToValidUTF8(s[:maxAuditText], "")
	}
	return s
}
