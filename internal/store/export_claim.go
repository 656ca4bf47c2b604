package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
)

// ExportLease is how long a claimed export is left to who claimed it, and again
// with each beat. When it was not finished by then it is due again.
const ExportLease = 30 * time.Second

// plainColumns are columns without the name of their table.
func plainColumns(columns string) string { return strings.ReplaceAll(columns, "x.", "") }

// claimExportStatement follows the lease and the key in a.
func claimExportStatement(a *args, now time.Time, retry []time.Duration) string {
	ends, ready, latest := a.add(now.Add(ExportLease).UnixMilli()), a.add(now.UnixMilli()), a.add(now.Add(ExportLease+clockSlack).UnixMilli())
	due := Waits{ExportLease, retry}.due(a, now)
	return `UPDATE exports SET status = 'processing', attempt = attempt + 1, ready_at = ` + ends + `, lease = $1, blob = $2
		WHERE ` + due + ` AND id IN (SELECT d.id FROM exports d WHERE d.ready_at IS NOT NULL AND ` + due + ` AND NOT EXISTS (
				SELECT 1 FROM exports o WHERE o.subject = d.subject AND o.ready_at > ` + ready + ` AND o.ready_at <= ` + latest + ` AND o.lease <> 0)
			ORDER BY d.id LIMIT 1)
		RETURNING ` + plainColumns(exportColumns)
}

// ClaimExport takes the oldest export that is due, of a subject that has none
// under way, and leases it for ExportLease. lease is drawn for this call, by
// [DrawLease], and blob is the key that the result is to be written under,
// unused so far; with them it is finished. retry are the longest waits until an
// export is due, by its attempt. That it is due is asked of the row itself too:
// PostgreSQL asks that again of one which was ended meanwhile.
func (s *Store) ClaimExport(ctx context.Context, lease int64, blob string, retry []time.Duration) (x Export, found bool, err error) {
	err = s.write(ctx, Cause{}, func(tx *Tx) error {
		found = false
		if err := s.db.lockExports(tx.ctx, tx.c); err != nil {
			return fmt.Errorf("claim an export: %w", err)
		}
		a := args{lease, blob}
		claimed, err := collect(tx.ctx, tx.c, scanExport, claimExportStatement(&a, tx.now, retry), a...)
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

// BeatExport leases an export anew and notes how far it is; held is false when
// the lease has passed to somebody else, or the export is gone.
func (s *Store) BeatExport(ctx context.Context, id octavo.ID, lease int64, done int) (held bool, err error) {
	return s.endLease(ctx, id, "keep the lease of", `UPDATE exports SET ready_at = $3, done = $4 WHERE id = $1 AND lease = $2`,
		func(tx *Tx) []any { return []any{id, lease, tx.now.Add(ExportLease).UnixMilli(), done} })
}

// ReleaseExport gives an export back that was claimed, as if it had not been:
// it is due at once.
func (s *Store) ReleaseExport(ctx context.Context, id octavo.ID, lease int64) error {
	_, err := s.endLease(ctx, id, "give back", `UPDATE exports SET status = 'queued', attempt = attempt - 1, ready_at = $3, lease = 0, blob = '', done = 0
		WHERE id = $1 AND lease = $2`, func(tx *Tx) []any { return []any{id, lease, tx.now.UnixMilli()} })
	return err
}

// RetryExport ends a lease without a result: the export is due again later.
func (s *Store) RetryExport(ctx context.Context, id octavo.ID, lease int64, after time.Duration) error {
	_, err := s.endLease(ctx, id, "put back", `UPDATE exports SET ready_at = $3, lease = 0, blob = '', done = 0 WHERE id = $1 AND lease = $2`,
		func(tx *Tx) []any { return []any{id, lease, tx.now.Add(after).UnixMilli()} })
	return err
}

func (s *Store) endLease(ctx context.Context, id octavo.ID, doing, statement string, values func(*Tx) []any) (held bool, err error) {
	err = s.write(ctx, Cause{}, func(tx *Tx) error {
		n, err := tx.exec(statement, values(tx)...)
		if err != nil {
			return fmt.Errorf("%s export %s: %w", doing, id, err)
		}
		held = n > 0
		return nil
	})
	return held, err
}

// FreeExports ends every lease. It is for a process that works on the store
// alone, at its start: the leases are those of one that died.
func (s *Store) FreeExports(ctx context.Context) (freed int64, err error) {
	err = s.write(ctx, Cause{}, func(tx *Tx) (err error) {
		if freed, err = tx.exec(`UPDATE exports SET ready_at = $1, lease = 0 WHERE ready_at IS NOT NULL AND lease <> 0`, tx.now.UnixMilli()); err != nil {
			return err
		}
		_, err = tx.exec(`UPDATE export_channels SET ready_at = $1, lease = 0 WHERE ready_at IS NOT NULL AND lease <> 0`, tx.now.UnixMilli())
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("free exports: %w", err)
	}
	return freed, nil
}

// ExportOutcome is how a claimed export ended.
type ExportOutcome struct {
	Export   Export // as it was claimed
	Size     int64
	SHA256   string
	Done     int
	Warnings []octavo.ExportWarning
	Problem  *octavo.Problem // why it failed; nil for a result
}

// FinishExport ends an export with what became of it, records the event, and
// puts in line who is to be told. kept is false, and nothing happens, when the
// lease has passed to somebody else or the export is gone.
func (s *Store) FinishExport(ctx context.Context, o ExportOutcome) (kept bool, err error) {
	status, kind, blob, problem := octavo.ExportReady, octavo.ExportIsReady, o.Export.Blob, ""
	if o.Problem != nil {
		status, kind, blob = octavo.ExportFailed, octavo.ExportHasFailed, ""
		problem = string(o.Problem.AppendJSON(nil))
	}
	warnings, err := json.Marshal(o.Warnings)
	if err != nil {
		return false, fmt.Errorf("encode the warnings of export %s: %w", o.Export.ID, err)
	}
	cause, err := s.ExportCause(ctx, o.Export.ID)
	if err != nil {
		return false, err
	}
	err = s.write(ctx, cause, func(tx *Tx) error {
		event, err := tx.s.opts.IDs.New(octavo.PrefixEvent)
		if err != nil {
			return err
		}
		n, err := tx.exec(`UPDATE exports SET status = $3, ready_at = NULL, lease = 0, blob = $4, size = $5, sha256 = $6, done = $7,
				warnings = $8, problem = $9, event_id = $10, ended_at = $11
			WHERE id = $1 AND lease = $2`, o.Export.ID, o.Export.Lease, status, blob, o.Size, o.SHA256, o.Done,
			string(warnings), problem, event, tx.now.UnixMilli())
		if err != nil {
			return fmt.Errorf("finish export %s: %w", o.Export.ID, err)
		}
		if kept = n > 0; !kept {
			return nil
		}
		if _, err := tx.exec(`DELETE FROM export_parts WHERE export_id = $1`, o.Export.ID); err != nil {
			return fmt.Errorf("drop what export %s was made of: %w", o.Export.ID, err)
		}
		if err := tx.insertChange(event, kind, o.Export.ID, 1, false, subjectOnly(o.Export.ID)); err != nil {
			return err
		}
		return tx.tellOfExport(o.Export.ID, event, kind)
	})
	return kept, err
}

// ExportCause is what goes on in the name of the request that asked for an
// export: with the names of its trace, and nobody's identity.
func (s *Store) ExportCause(ctx context.Context, id octavo.ID) (Cause, error) {
	c := Cause{Actor: octavo.Actor{ID: "octavo", Name: "Octavo"}}
	if _, err := s.read.row(ctx, []any{&c.TraceID, &c.Traceparent}, `SELECT x.trace_id, x.traceparent FROM exports x WHERE x.id = $1`, id); err != nil {
		return Cause{}, fmt.Errorf("read what caused export %s: %w", id, err)
	}
	return c, nil
}
