package exportstore

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Keep is how long an export stays listed after it and its download have ended.
const Keep = 30 * 24 * time.Hour

// Blob is the location of an export's result.
type Blob struct {
	ID     octavo.ID
	Key    string
	SHA256 string // in hexadecimal
	Size   int64
}

func scanExportBlob(row sqldb.Scanner) (b Blob, err error) {
	err = row.Scan(&b.ID, &b.Key, &b.SHA256, &b.Size)
	return b, err
}

// Expired returns at most limit exports whose download has expired and whose
// bytes still exist.
func (s *Exports) Expired(ctx context.Context, limit int) ([]Blob, error) {
	list, err := sqldb.Collect(ctx, s.read, scanExportBlob, `SELECT x.id, x.blob, x.sha256, x.size FROM exports x
		WHERE x.expires_at <= $1 AND x.blob <> '' AND x.ready_at IS NULL ORDER BY x.expires_at LIMIT $2`, s.db.Now().UnixMilli(), limit)
	if err != nil {
		return nil, fmt.Errorf("find exports whose download has ended: %w", err)
	}
	return list, nil
}

// ForgetBlob records that the bytes of an export are gone.
func (s *Exports) ForgetBlob(ctx context.Context, b Blob) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		if _, err := tx.Exec(`UPDATE exports SET blob = '' WHERE id = $1 AND blob = $2`, b.ID, b.Key); err != nil {
			return fmt.Errorf("forget the bytes of export %s: %w", b.ID, err)
		}
		return nil
	})
}

// Blobs returns at most limit exports with a result, by id, after the given one.
func (s *Exports) Blobs(ctx context.Context, after octavo.ID, limit int) ([]Blob, error) {
	list, err := sqldb.Collect(ctx, s.read, scanExportBlob, `SELECT x.id, x.blob, x.sha256, x.size FROM exports x
		WHERE x.id > $1 AND x.blob <> '' AND x.status = 'ready' ORDER BY x.id LIMIT $2`, sqldb.Plain(string(after)), limit)
	if err != nil {
		return nil, fmt.Errorf("list the results of exports: %w", err)
	}
	return list, nil
}

// Stuck returns exports that were due longer ago than age and are not in progress.
func (s *Exports) Stuck(ctx context.Context, age time.Duration) ([]octavo.ID, error) {
	list, err := sqldb.Collect(ctx, s.read, sqldb.Column[octavo.ID], `SELECT x.id FROM exports x WHERE x.ready_at <= $1 ORDER BY x.id`, s.db.Now().Add(-age).UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("find exports that nobody works on: %w", err)
	}
	return list, nil
}

// Numbers are the counts of queued exports and those in progress.
type Numbers struct{ Queued, Processing int }

// Numbers counts exports.
func (s *Exports) Numbers(ctx context.Context) (n Numbers, err error) {
	_, err = s.read.Row(ctx, []any{&n.Queued, &n.Processing}, `SELECT
			COALESCE(SUM(CASE WHEN x.lease = 0 THEN 1 ELSE 0 END), 0), COALESCE(SUM(CASE WHEN x.lease <> 0 THEN 1 ELSE 0 END), 0)
		FROM exports x WHERE x.ready_at IS NOT NULL`)
	if err != nil {
		return n, fmt.Errorf("count exports: %w", err)
	}
	return n, nil
}

// Sweep removes exports that ended Keep ago and whose bytes are gone.
func (s *Exports) Sweep(ctx context.Context) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		cutoff := tx.Now().Add(-Keep).UnixMilli()
		if _, err := tx.Exec(`DELETE FROM exports WHERE ended_at <= $1 AND expires_at <= $1 AND blob = ''`, cutoff); err != nil {
			return fmt.Errorf("remove old exports: %w", err)
		}
		return nil
	})
}
