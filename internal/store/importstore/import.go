package importstore

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Import is an import job. A zero time means never.
type Import struct {
	ID         octavo.ID
	Asker      octavo.Actor  // its owner, and the author of its pages
	Scopes     octavo.Scopes // of the credential of the request
	Overridden bool          // bypasses the site's approvals
	Request    octavo.ImportOptions
	Name       string // of the file
	Status     octavo.ImportStatus
	Cancelled  bool // it should stop
	Progress   octavo.ImportProgress
	Attempt    int       // number of claims
	ReadyAt    time.Time // when it is due or, while leased, when the lease ends
	Lease      int64     // of the present owner; 0 for none
	Blob       string    // key of the file; "" once it is not needed
	Size       int64
	SHA256     string
	Report     *octavo.ImportReport
	Problem    *octavo.Problem // why it failed
	TraceID    string
	Parent     string // traceparent
	CreatedAt  time.Time
	EndedAt    time.Time
}

const importColumns = `x.id, x.subject, x.actor, x.scopes, x.overridden, x.request, x.name, x.status, x.cancelled, x.done, x.total,
	x.attempt, x.ready_at, x.lease, x.blob, x.size, x.sha256, x.report, x.problem, x.trace_id, x.traceparent, x.created_at, x.ended_at`

// plainColumns returns the columns without the table name.
func plainColumns() string { return strings.ReplaceAll(importColumns, "x.", "") }

func scanImport(row sqldb.Scanner) (Import, error) {
	var (
		x                        Import
		request, report, problem string
	)
	if err := row.Scan(
		&x.ID, &x.Asker.ID, &x.Asker.Name, &x.Scopes, &x.Overridden, &request, &x.Name, &x.Status, &x.Cancelled, &x.Progress.Done, &x.Progress.Total,
		&x.Attempt, sqldb.ScanTime(&x.ReadyAt), &x.Lease, &x.Blob, &x.Size, &x.SHA256, &report, &problem, &x.TraceID, &x.Parent,
		sqldb.ScanTime(&x.CreatedAt), sqldb.ScanTime(&x.EndedAt),
	); err != nil {
		return x, fmt.Errorf("read an import: %w", err)
	}
	for text, to := range map[string]any{request: &x.Request, report: &x.Report, problem: &x.Problem} {
		if text == "" {
			continue
		}
		if err := json.Unmarshal([]byte(text), to); err != nil {
			return x, fmt.Errorf("read what is kept of import %s: %w", x.ID, err)
		}
	}
	return x, nil
}

// NewImport is an import to be accepted. Its owner is the actor of the cause.
type NewImport struct {
	Scopes  octavo.Scopes
	Request octavo.ImportOptions
	Name    string
	Blob    string
	Size    int64
	SHA256  string
}

// Bounds limit the number of unfinished imports.
type Bounds struct{ PerSubject, Overall int }

// Create accepts an import. If there are too many already, the error is
// RateLimited, or Unavailable if they belong to many subjects.
func (s *Imports) Create(tx *sqldb.Tx, n NewImport, b Bounds) (Import, error) {
	id, err := tx.NewID(octavo.PrefixImport)
	if err != nil {
		return Import{}, err
	}
	if err := bound(tx, b); err != nil {
		return Import{}, err
	}
	request, err := json.Marshal(n.Request)
	if err != nil {
		return Import{}, fmt.Errorf("encode the options of an import: %w", err)
	}
	c := tx.Cause()
	list, err := sqldb.Collect(tx.Context(), tx.Conn(), scanImport, `INSERT INTO imports (id, subject, actor, scopes, overridden, request, name,
			status, cancelled, done, total, attempt, ready_at, lease, blob, size, sha256, report, problem, trace_id, traceparent, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued', $8, 0, 0, 0, $9, 0, $10, $11, $12, '', '', $13, $14, $9) RETURNING `+plainColumns(),
		id, c.Actor.ID, c.Actor.Name, int(n.Scopes), c.Review == sqldb.ReviewOverridden, string(request), sqldb.Plain(n.Name),
		false, tx.Now().UnixMilli(), n.Blob, n.Size, n.SHA256, c.TraceID, c.Traceparent)
	if err != nil {
		return Import{}, fmt.Errorf("keep an import: %w", err)
	}
	return list[0], nil
}

// retry is the suggested delay after too many imports.
const retry = 10 * time.Second

// bound refuses an import beyond the limits.
func bound(tx *sqldb.Tx, b Bounds) error {
	var mine, all int
	if _, err := tx.Row([]any{&mine, &all}, `SELECT COALESCE(SUM(CASE WHEN x.subject = $1 THEN 1 ELSE 0 END), 0), COUNT(*)
		FROM imports x WHERE x.ready_at IS NOT NULL`, tx.Cause().Actor.ID); err != nil {
		return fmt.Errorf("count the imports that wait: %w", err)
	}
	switch {
	case mine >= b.PerSubject:
		return &octavo.Error{Type: octavo.RateLimited, Detail: fmt.Sprintf("You have %d imports that have not ended; wait for one, or cancel it.", mine), RetryAfter: retry}
	case all >= b.Overall:
		return &octavo.Error{Type: octavo.Unavailable, Detail: "Too many imports wait already.", RetryAfter: retry}
	}
	return nil
}

// Get returns an import, or a NotFound error.
func (s *Imports) Get(ctx context.Context, id octavo.ID) (Import, error) {
	list, err := sqldb.Collect(ctx, s.read, scanImport, `SELECT `+importColumns+` FROM imports x WHERE x.id = $1`, sqldb.Plain(string(id)))
	if err != nil {
		return Import{}, fmt.Errorf("read import %s: %w", id, err)
	}
	if len(list) == 0 {
		return Import{}, ErrNone(id)
	}
	return list[0], nil
}

// ErrNone is the error for an unknown import.
func ErrNone(id octavo.ID) error { return octavo.Errorf(octavo.NotFound, "There is no import %q.", id) }

// List returns at most limit imports of a subject, or of all if that is "",
// newest first, older than before, and whether more follow.
func (s *Imports) List(ctx context.Context, subject string, before octavo.ID, limit int) (list []Import, more bool, err error) {
	var a sqldb.Args
	where := "x.id <> ''"
	if before != "" {
		where = "x.id < " + a.Add(sqldb.Plain(string(before)))
	}
	if subject != "" {
		where += " AND x.subject = " + a.Add(sqldb.Plain(subject))
	}
	text := `SELECT ` + importColumns + ` FROM imports x WHERE ` + where + ` ORDER BY x.id DESC LIMIT ` + a.Add(limit+1)
	return sqldb.CollectUpTo(ctx, s.read, "list imports", limit, scanImport, text, a...)
}

// Delete removes an import that has ended. A queued one ends at once, and
// one in progress is told to stop. It returns the key of a file that is no
// longer needed, or "".
func (s *Imports) Delete(ctx context.Context, cause sqldb.Cause, id octavo.ID) (blob string, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if err := tx.LockRow("imports", string(id)); err != nil {
			return fmt.Errorf("lock import %s: %w", id, err)
		}
		list, err := sqldb.Collect(tx.Context(), tx.Conn(), scanImport, `SELECT `+importColumns+` FROM imports x WHERE x.id = $1`, sqldb.Plain(string(id)))
		if err != nil {
			return fmt.Errorf("read import %s: %w", id, err)
		}
		if len(list) == 0 {
			return ErrNone(id)
		}
		x, written := list[0], false
		if _, err := tx.Row([]any{&written}, `SELECT COUNT(*) > 0 FROM import_written w WHERE w.import_id = $1`, id); err != nil {
			return fmt.Errorf("look what import %s wrote: %w", id, err)
		}
		switch {
		case x.Status.Ended():
			_, err = tx.Exec(`DELETE FROM imports WHERE id = $1`, id)
		case x.Lease == 0 && !written:
			blob = x.Blob
			_, err = s.end(tx, Outcome{Import: x, Status: octavo.ImportCancelled, Report: &octavo.ImportReport{From: x.Request.From, Set: x.Request.Set}})
		default:
			_, err = tx.Exec(`UPDATE imports SET cancelled = $2, ready_at = CASE WHEN lease = 0 THEN $3 ELSE ready_at END WHERE id = $1`, id, true, tx.Now().UnixMilli())
		}
		if err != nil {
			return fmt.Errorf("remove import %s: %w", id, err)
		}
		return nil
	})
	return blob, err
}

// ReplaceName replaces the name of the owner of imports.
func ReplaceName(tx *sqldb.Tx, subject octavo.ID, name string) error {
	if _, err := tx.Exec(`UPDATE imports SET actor = $2 WHERE subject = $1`, subject, name); err != nil {
		return fmt.Errorf("replace who asked for imports: %w", err)
	}
	return nil
}
