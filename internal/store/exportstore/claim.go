package exportstore

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// LeaseTime is the length of a lease of an export.
const LeaseTime = sqldb.JobLease

// plainColumns returns columns without the table name.
func plainColumns(columns string) string { return strings.ReplaceAll(columns, "x.", "") }

// claimExportStatement expects the lease and the key in a before it.
func claimExportStatement(a *sqldb.Args, now time.Time, retry []time.Duration) string {
	ends, ready, latest := a.Add(now.Add(LeaseTime).UnixMilli()), a.Add(now.UnixMilli()), a.Add(now.Add(LeaseTime+sqldb.ClockSlack).UnixMilli())
	due := sqldb.Waits{Lease: LeaseTime, Retry: retry}.Due(a, now)
	return `UPDATE exports SET status = 'processing', attempt = attempt + 1, ready_at = ` + ends + `, lease = $1, blob = $2
		WHERE ` + due + ` AND id IN (SELECT d.id FROM exports d WHERE d.ready_at IS NOT NULL AND ` + due + ` AND NOT EXISTS (
				SELECT 1 FROM exports o WHERE o.subject = d.subject AND o.ready_at > ` + ready + ` AND o.ready_at <= ` + latest + ` AND o.lease <> 0)
			ORDER BY d.id LIMIT 1)
		RETURNING ` + plainColumns(exportColumns)
}

// Claim leases the oldest due export of a subject that has none in progress, for
// LeaseTime. lease is drawn for this call, by [sqldb.DrawLease], and blob is a new key
// for the result; both identify the claim when it is finished. retry are the longest
// waits, by attempt. The statement checks the row itself too, because PostgreSQL checks
// that again after a concurrent end.
func (s *Exports) Claim(ctx context.Context, lease int64, blob string, retry []time.Duration) (x Export, found bool, err error) {
	err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		found = false
		if err := tx.Lock(sqldb.ExportLock); err != nil {
			return fmt.Errorf("claim an export: %w", err)
		}
		a := sqldb.Args{lease, blob}
		claimed, err := sqldb.Collect(tx.Context(), tx.Conn(), scanExport, claimExportStatement(&a, tx.Now(), retry), a...)
		if err != nil {
			return fmt.Errorf("claim an export: %w", err)
		}
		if found = len(claimed) > 0; found {
			x = claimed[0]
		}
		return nil
	})
	return x, found && err == nil, err
}

// Beat renews a lease and records the progress; held is false if the lease
// has been lost, or the export is gone.
func (s *Exports) Beat(ctx context.Context, id octavo.ID, lease int64, done int) (held bool, err error) {
	return s.endLease(ctx, id, "keep the lease of", `UPDATE exports SET ready_at = $3, done = $4 WHERE id = $1 AND lease = $2`,
		func(tx *sqldb.Tx) []any { return []any{id, lease, tx.Now().Add(LeaseTime).UnixMilli(), done} })
}

// Release returns a claimed export unchanged: it is due at once.
func (s *Exports) Release(ctx context.Context, id octavo.ID, lease int64) error {
	_, err := s.endLease(ctx, id, "give back", `UPDATE exports SET status = 'queued', attempt = attempt - 1, ready_at = $3, lease = 0, blob = '', done = 0
		WHERE id = $1 AND lease = $2`, func(tx *sqldb.Tx) []any { return []any{id, lease, tx.Now().UnixMilli()} })
	return err
}

// Retry ends a lease without a result: the export is due again later.
func (s *Exports) Retry(ctx context.Context, id octavo.ID, lease int64, after time.Duration) error {
	_, err := s.endLease(ctx, id, "put back", `UPDATE exports SET ready_at = $3, lease = 0, blob = '', done = 0 WHERE id = $1 AND lease = $2`,
		func(tx *sqldb.Tx) []any { return []any{id, lease, tx.Now().Add(after).UnixMilli()} })
	return err
}

func (s *Exports) endLease(ctx context.Context, id octavo.ID, doing, statement string, values func(*sqldb.Tx) []any) (held bool, err error) {
	err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		n, err := tx.Exec(statement, values(tx)...)
		if err != nil {
			return fmt.Errorf("%s export %s: %w", doing, id, err)
		}
		held = n > 0
		return nil
	})
	return held, err
}

// Free ends every lease. It is for a process with exclusive access, at its
// start: the leases belong to a dead process.
func (s *Exports) Free(ctx context.Context) (freed int64, err error) {
	err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
		if freed, err = tx.Exec(`UPDATE exports SET ready_at = $1, lease = 0 WHERE ready_at IS NOT NULL AND lease <> 0`, tx.Now().UnixMilli()); err != nil {
			return err
		}
		_, err = tx.Exec(`UPDATE export_channels SET ready_at = $1, lease = 0 WHERE ready_at IS NOT NULL AND lease <> 0`, tx.Now().UnixMilli())
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("free exports: %w", err)
	}
	return freed, nil
}

// Outcome is how a claimed export ended.
type Outcome struct {
	Export   Export // as it was claimed
	Size     int64
	SHA256   string
	Done     int
	Warnings []octavo.ExportWarning
	Problem  *octavo.Problem // why it failed; nil on success
}

// Finish stores the result of an export, records the event, and queues its
// notifications. If the lease has been lost or the export is gone, kept is
// false and nothing happens.
func (s *Exports) Finish(ctx context.Context, o Outcome) (kept bool, err error) {
	status, kind, blob, problem := octavo.ExportReady, octavo.ExportIsReady, o.Export.Blob, ""
	if o.Problem != nil {
		text, err := json.Marshal(o.Problem)
		if err != nil {
			return false, fmt.Errorf("encode the problem of export %s: %w", o.Export.ID, err)
		}
		status, kind, blob, problem = octavo.ExportFailed, octavo.ExportHasFailed, "", string(text)
	}
	warnings, err := json.Marshal(o.Warnings)
	if err != nil {
		return false, fmt.Errorf("encode the warnings of export %s: %w", o.Export.ID, err)
	}
	cause, err := s.Cause(ctx, o.Export.ID)
	if err != nil {
		return false, err
	}
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		event, err := tx.NewID(octavo.PrefixEvent)
		if err != nil {
			return err
		}
		n, err := tx.Exec(`UPDATE exports SET status = $3, ready_at = NULL, lease = 0, blob = $4, size = $5, sha256 = $6, done = $7,
				warnings = $8, problem = $9, event_id = $10, ended_at = $11
			WHERE id = $1 AND lease = $2`, o.Export.ID, o.Export.Lease, status, blob, o.Size, o.SHA256, o.Done,
			string(warnings), problem, event, tx.Now().UnixMilli())
		if err != nil {
			return fmt.Errorf("finish export %s: %w", o.Export.ID, err)
		}
		if kept = n > 0; !kept {
			return nil
		}
		if _, err := tx.Exec(`DELETE FROM export_parts WHERE export_id = $1`, o.Export.ID); err != nil {
			return fmt.Errorf("drop what export %s was made of: %w", o.Export.ID, err)
		}
		if err := changelog.Record(tx, event, kind, o.Export.ID, 1, false, changelog.SubjectOnly(o.Export.ID)); err != nil {
			return err
		}
		return s.tell(tx, o.Export.ID, event, kind)
	})
	return kept, err
}

// Cause is the cause for later work on behalf of an export's request: with
// its trace, and without an identity.
func (s *Exports) Cause(ctx context.Context, id octavo.ID) (sqldb.Cause, error) {
	c := sqldb.Cause{Actor: octavo.Actor{ID: "octavo", Name: "Octavo"}}
	if _, err := s.read.Row(ctx, []any{&c.TraceID, &c.Traceparent}, `SELECT x.trace_id, x.traceparent FROM exports x WHERE x.id = $1`, id); err != nil {
		return sqldb.Cause{}, fmt.Errorf("read what caused export %s: %w", id, err)
	}
	return c, nil
}
