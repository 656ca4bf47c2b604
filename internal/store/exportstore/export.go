package exportstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Export is an export job. A zero time means never.
type Export struct {
	ID        octavo.ID
	Subject   string // its owner
	Public    bool   // contains only what a published-only credential may see
	Version   string // of the API in the request
	Request   octavo.ExportRequest
	Format    octavo.ExportFormat
	Status    octavo.ExportStatus
	Progress  octavo.ExportProgress
	Attempt   int       // number of claims
	ReadyAt   time.Time // when it is due or, while leased, when the lease ends
	Lease     int64     // of the present owner; 0 for none
	Blob      string    // key of the result, perhaps still being written; "" for none
	Size      int64     // bytes of the result
	SHA256    string
	Warnings  []octavo.ExportWarning
	Problem   *octavo.Problem // why it failed
	EventID   octavo.ID       // of its end
	CreatedAt time.Time
	EndedAt   time.Time
	ExpiresAt time.Time
}

const exportColumns = `x.id, x.subject, x.public, x.version, x.request, x.format, x.status, x.done, x.total, x.attempt, x.ready_at, x.lease,
	x.blob, x.size, x.sha256, x.warnings, x.problem, x.event_id, x.created_at, x.ended_at, x.expires_at`

func scanExport(row sqldb.Scanner) (Export, error) {
	var (
		x                          Export
		request, warnings, problem string
	)
	if err := row.Scan(
		&x.ID, &x.Subject, &x.Public, &x.Version, &request, &x.Format, &x.Status, &x.Progress.Done, &x.Progress.Total, &x.Attempt, sqldb.ScanTime(&x.ReadyAt), &x.Lease,
		&x.Blob, &x.Size, &x.SHA256, &warnings, &problem, &x.EventID,
		sqldb.ScanTime(&x.CreatedAt), sqldb.ScanTime(&x.EndedAt), sqldb.ScanTime(&x.ExpiresAt),
	); err != nil {
		return x, fmt.Errorf("read an export: %w", err)
	}
	if err := json.Unmarshal([]byte(request), &x.Request); err != nil {
		return x, fmt.Errorf("read the request of export %s: %w", x.ID, err)
	}
	if err := json.Unmarshal([]byte(warnings), &x.Warnings); err != nil {
		return x, fmt.Errorf("read the warnings of export %s: %w", x.ID, err)
	}
	if problem != "" {
		if err := json.Unmarshal([]byte(problem), &x.Problem); err != nil {
			return x, fmt.Errorf("read the problem of export %s: %w", x.ID, err)
		}
	}
	return x, nil
}

// textOfExport is the approximate size of an export in a response, in bytes.
func textOfExport(x Export) (size int) {
	for _, w := range x.Warnings {
		size += len(w.Path) + len(w.Message) + len(w.Slug) + len(w.Source)
	}
	for _, c := range x.Request.Channels() {
		size += len(c.URL) + len(c.Email)
	}
	return size
}

// NewExport is an export to be accepted. Its owner is the actor of the cause.
type NewExport struct {
	Public    bool
	Version   string
	Request   octavo.ExportRequest
	Warnings  []octavo.ExportWarning
	Total     int      // final value of the progress
	Parts     [][]byte // its pages: JSON objects
	ExpiresAt time.Time
}

// Bounds limit the number of exports.
type Bounds struct {
	PerSubject, Overall int // unfinished ones

	// For the downloadable results of one subject: their number, and their total bytes,
	// after which no more exports are accepted. 0 means no limit.
	Results int
	Bytes   int64
}

// Create accepts an export. If there are too many already, the error is
// RateLimited, or Unavailable if they belong to many subjects.
func (s *Exports) Create(tx *sqldb.Tx, n NewExport, b Bounds) (Export, error) {
	id, err := tx.NewID(octavo.PrefixExport)
	if err != nil {
		return Export{}, err
	}
	if err := boundExports(tx, b); err != nil {
		return Export{}, err
	}
	request, err := json.Marshal(n.Request)
	if err != nil {
		return Export{}, fmt.Errorf("encode the request of an export: %w", err)
	}
	warnings, err := json.Marshal(n.Warnings)
	if err != nil {
		return Export{}, fmt.Errorf("encode the warnings of an export: %w", err)
	}
	list, err := sqldb.Collect(tx.Context(), tx.Conn(), scanExport, `INSERT INTO exports (id, subject, public, version, request, format, status, done, total, attempt,
			ready_at, lease, blob, size, sha256, warnings, problem, event_id, trace_id, traceparent, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, 'queued', 0, $7, 0, $8, 0, '', 0, '', $9, '', '', $10, $11, $8, $12) RETURNING `+plainColumns(exportColumns),
		id, tx.Cause().Actor.ID, n.Public, n.Version, string(request), n.Request.Format, n.Total, tx.Now().UnixMilli(),
		string(warnings), tx.Cause().TraceID, tx.Cause().Traceparent, n.ExpiresAt.UnixMilli())
	if err != nil {
		return Export{}, fmt.Errorf("keep an export: %w", err)
	}
	for i, part := range n.Parts {
		if _, err := tx.Exec(`INSERT INTO export_parts (export_id, number, content) VALUES ($1, $2, $3)`, id, i, part); err != nil {
			return Export{}, fmt.Errorf("keep part %d of export %s: %w", i, id, err)
		}
	}
	for i, c := range n.Request.Channels() {
		address := c.URL
		if c.Kind == octavo.ChannelEmail {
			address = c.Email
		}
		if _, err := tx.Exec(`INSERT INTO export_channels (export_id, number, kind, address, status, attempt, lease, error)
			VALUES ($1, $2, $3, $4, 'pending', 0, 0, '')`, id, i, c.Kind, sqldb.Plain(address)); err != nil {
			return Export{}, fmt.Errorf("keep channel %d of export %s: %w", i, id, err)
		}
	}
	return list[0], nil
}

// boundExports refuses an export beyond the limits.
func boundExports(tx *sqldb.Tx, b Bounds) error {
	var mine, all int
	if _, err := tx.Row([]any{&mine, &all}, `SELECT COALESCE(SUM(CASE WHEN x.subject = $1 THEN 1 ELSE 0 END), 0), COUNT(*)
		FROM exports x WHERE x.ready_at IS NOT NULL`, tx.Cause().Actor.ID); err != nil {
		return fmt.Errorf("count the exports that wait: %w", err)
	}
	switch {
	case mine >= b.PerSubject:
		return &octavo.Error{Type: octavo.RateLimited, Detail: fmt.Sprintf("You have %d exports that are not finished; wait for one, or cancel it.", mine), RetryAfter: exportRetry}
	case all >= b.Overall:
		return &octavo.Error{Type: octavo.Unavailable, Detail: "Too many exports wait already.", RetryAfter: exportRetry}
	}
	var results int
	var bytes int64
	if _, err := tx.Row([]any{&results, &bytes}, `SELECT COUNT(*), COALESCE(SUM(x.size), 0) FROM exports x
		WHERE x.expires_at > $2 AND x.blob <> '' AND x.ready_at IS NULL AND x.subject = $1`, tx.Cause().Actor.ID, tx.Now().UnixMilli()); err != nil {
		return fmt.Errorf("count the results that are kept: %w", err)
	}
	if b.Results > 0 && results+mine >= b.Results || b.Bytes > 0 && bytes >= b.Bytes {
		return &octavo.Error{
			Type: octavo.RateLimited, RetryAfter: exportRetry,
			Detail: fmt.Sprintf("You have %d results of %d bytes that can be downloaded still: remove some, or have downloads end sooner.", results, bytes),
		}
	}
	return nil
}

// exportRetry is the suggested delay after too many exports.
const exportRetry = 10 * time.Second

// Get returns an export, or a NotFound error.
func (s *Exports) Get(ctx context.Context, id octavo.ID) (Export, error) {
	list, err := sqldb.Collect(ctx, s.read, scanExport, `SELECT `+exportColumns+` FROM exports x WHERE x.id = $1`, sqldb.Plain(string(id)))
	if err != nil {
		return Export{}, fmt.Errorf("read export %s: %w", id, err)
	}
	if len(list) == 0 {
		return Export{}, errNoExport(id)
	}
	return list[0], nil
}

func errNoExport(id octavo.ID) error {
	return octavo.Errorf(octavo.NotFound, "There is no export %q.", id)
}

// Query selects exports, oldest first.
type Query struct {
	Subject string    // the owner; "" for all
	Public  bool      // only those that a published-only credential may see
	After   octavo.ID // continue after this one
	Limit   int
}

// List returns at most q.Limit exports and whether more follow.
func (s *Exports) List(ctx context.Context, q Query) (list []Export, more bool, err error) {
	var a sqldb.Args
	where := "x.id > " + a.Add(sqldb.Plain(string(q.After)))
	if q.Subject != "" {
		where += " AND x.subject = " + a.Add(sqldb.Plain(q.Subject))
	}
	if q.Public {
		where += " AND x.public"
	}
	text := `SELECT ` + exportColumns + ` FROM exports x WHERE ` + where + ` ORDER BY x.id LIMIT ` + a.Add(q.Limit+1)
	return sqldb.CollectUpTo(ctx, s.read, "list exports", q.Limit, sqldb.Measured(ctx, scanExport, textOfExport), text, a...)
}

// Delete removes an export, and cancels it if unfinished. It returns the key of its
// bytes, or "". If the export is in progress, its owner removes the bytes.
func (s *Exports) Delete(ctx context.Context, cause sqldb.Cause, id octavo.ID) (blob string, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		list, err := sqldb.Collect(tx.Context(), tx.Conn(), sqldb.Column[string], `DELETE FROM exports WHERE id = $1 RETURNING CASE WHEN ready_at IS NULL THEN blob ELSE '' END`, sqldb.Plain(string(id)))
		if err != nil {
			return fmt.Errorf("remove export %s: %w", id, err)
		}
		if len(list) == 0 {
			return errNoExport(id)
		}
		blob = list[0]
		return nil
	})
	return blob, err
}

// Part returns a part of an export's pages; found is false after the last
// one, and if the export has ended.
func (s *Exports) Part(ctx context.Context, id octavo.ID, number int) (content []byte, found bool, err error) {
	found, err = s.db.Slow().Row(ctx, []any{&content}, `SELECT p.content FROM export_parts p WHERE p.export_id = $1 AND p.number = $2`, id, number)
	if err != nil {
		return nil, false, fmt.Errorf("read part %d of export %s: %w", number, id, err)
	}
	return content, found, nil
}
