package importstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// LeaseTime is the length of a lease of an import.
const LeaseTime = sqldb.JobLease

// ErrLost is returned if the lease was lost, or the import is gone.
var ErrLost = errors.New("the lease of the import was lost")

// claimStatement expects the lease in a before it.
func claimStatement(a *sqldb.Args, now time.Time, retry []time.Duration) string {
	ends, ready, latest := a.Add(now.Add(LeaseTime).UnixMilli()), a.Add(now.UnixMilli()), a.Add(now.Add(LeaseTime+sqldb.ClockSlack).UnixMilli())
	due := sqldb.Waits{Lease: LeaseTime, Retry: retry}.Due(a, now)
	return `UPDATE imports SET status = 'running', attempt = attempt + 1, ready_at = ` + ends + `, lease = $1
		WHERE ` + due + ` AND id IN (SELECT d.id FROM imports d WHERE d.ready_at IS NOT NULL AND ` + due + ` ORDER BY d.id LIMIT 1)
			AND NOT EXISTS (SELECT 1 FROM imports o WHERE o.ready_at > ` + ready + ` AND o.ready_at <= ` + latest + ` AND o.lease <> 0)
		RETURNING ` + plainColumns()
}

// Claim leases the oldest due import for LeaseTime, unless one is in progress. lease is
// drawn for this call, by [sqldb.DrawLease]. retry are the longest waits, by attempt.
func (s *Imports) Claim(ctx context.Context, lease int64, retry []time.Duration) (x Import, found bool, err error) {
	err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		found = false
		if err := tx.Lock(sqldb.ImportLock); err != nil {
			return fmt.Errorf("claim an import: %w", err)
		}
		a := sqldb.Args{lease}
		claimed, err := sqldb.Collect(tx.Context(), tx.Conn(), scanImport, claimStatement(&a, tx.Now(), retry), a...)
		if err != nil {
			return fmt.Errorf("claim an import: %w", err)
		}
		if found = len(claimed) > 0; found {
			x = claimed[0]
		}
		return nil
	})
	return x, found && err == nil, err
}

// Beat renews a lease, records the progress and reports whether the import
// is to stop. It returns ErrLost if the lease was lost.
func (s *Imports) Beat(ctx context.Context, x Import, p octavo.ImportProgress) (cancelled bool, err error) {
	err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		found, err := tx.Row([]any{&cancelled}, `UPDATE imports SET ready_at = $3, done = $4, total = $5 WHERE id = $1 AND lease = $2 RETURNING cancelled`,
			x.ID, x.Lease, tx.Now().Add(LeaseTime).UnixMilli(), p.Done, p.Total)
		if err == nil && !found {
			return ErrLost
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("keep the lease of import %s: %w", x.ID, err)
	}
	return cancelled, nil
}

// GiveBack ends a lease: the import is due again after a delay. Without
// tried, as when the server stops, the claim does not count as an attempt.
func (s *Imports) GiveBack(ctx context.Context, x Import, tried bool, after time.Duration) error {
	attempt := x.Attempt
	if !tried {
		attempt--
	}
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		_, err := tx.Exec(`UPDATE imports SET status = 'queued', attempt = $4, ready_at = $3, lease = 0 WHERE id = $1 AND lease = $2`,
			x.ID, x.Lease, tx.Now().Add(after).UnixMilli(), attempt)
		if err != nil {
			return fmt.Errorf("give import %s back: %w", x.ID, err)
		}
		return nil
	})
}

// Free ends every lease. It is for a process with exclusive access, at its
// start: the leases belong to a dead process.
func (s *Imports) Free(ctx context.Context) (freed int64, err error) {
	err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
		freed, err = tx.Exec(`UPDATE imports SET ready_at = $1, lease = 0 WHERE ready_at IS NOT NULL AND lease <> 0`, tx.Now().UnixMilli())
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("free imports: %w", err)
	}
	return freed, nil
}

// Outcome is the result of a claimed import.
type Outcome struct {
	Import  Import // as it was claimed
	Status  octavo.ImportStatus
	Done    octavo.ImportProgress
	Report  *octavo.ImportReport
	Problem *octavo.Problem // why it failed
}

// Finish ends an import and records the event. It returns ErrLost if the
// lease was lost.
func (s *Imports) Finish(ctx context.Context, o Outcome) error {
	cause := sqldb.Cause{Actor: octavo.Actor{ID: "octavo", Name: "Octavo"}, TraceID: o.Import.TraceID, Traceparent: o.Import.Parent}
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		n, err := s.end(tx, o)
		if err == nil && n == 0 {
			return ErrLost
		}
		return err
	})
}

// end ends an import if its lease is still held.
func (s *Imports) end(tx *sqldb.Tx, o Outcome) (n int64, err error) {
	id, problem := o.Import.ID, []byte(nil)
	report, err := json.Marshal(o.Report)
	if err == nil && o.Problem != nil {
		problem, err = json.Marshal(o.Problem)
	}
	if err != nil {
		return 0, fmt.Errorf("encode the report of import %s: %w", id, err)
	}
	n, err = tx.Exec(`UPDATE imports SET status = $3, ready_at = NULL, lease = 0, blob = '', done = $4, total = $5, report = $6, problem = $7, ended_at = $8
		WHERE id = $1 AND lease = $2`, id, o.Import.Lease, o.Status, o.Done.Done, o.Done.Total, string(report), string(problem), tx.Now().UnixMilli())
	if err != nil || n == 0 {
		return n, err
	}
	if _, err := tx.Exec(`DELETE FROM import_written WHERE import_id = $1`, id); err != nil {
		return n, err
	}
	event, err := tx.NewID(octavo.PrefixEvent)
	if err != nil {
		return n, err
	}
	kind := map[octavo.ImportStatus]octavo.EventType{
		octavo.ImportReady: octavo.ImportIsReady, octavo.ImportFailed: octavo.ImportHasFailed, octavo.ImportCancelled: octavo.ImportWasCancelled,
	}[o.Status]
	return n, changelog.Record(tx, event, kind, id, 1, false, changelog.SubjectOnly(id))
}
