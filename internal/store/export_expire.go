package store

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
)

// KeepExports is how long an export is told of after it has ended and its
// download too.
const KeepExports = 30 * 24 * time.Hour

// ExportBlob is where the result of an export is.
type ExportBlob struct {
	ID     octavo.ID
	Key    string
	SHA256 string // in hexadecimal
	Size   int64
}

func scanExportBlob(row scanner) (b ExportBlob, err error) {
	err = row.Scan(&b.ID, &b.Key, &b.SHA256, &b.Size)
	return b, err
}

// ExpiredExports returns at most limit exports whose download has ended and
// whose bytes are still there.
func (s *Store) ExpiredExports(ctx context.Context, limit int) ([]ExportBlob, error) {
	list, err := collect(ctx, s.read, scanExportBlob, `SELECT x.id, x.blob, x.sha256, x.size FROM exports x
		WHERE x.expires_at <= $1 AND x.blob <> '' AND x.ready_at IS NULL ORDER BY x.expires_at LIMIT $2`, s.now().UnixMilli(), limit)
	if err != nil {
		return nil, fmt.Errorf("find exports whose download has ended: %w", err)
	}
	return list, nil
}

// ForgetExportBlob notes that the bytes of an export are gone.
func (s *Store) ForgetExportBlob(ctx context.Context, b ExportBlob) error {
	return s.write(ctx, Cause{}, func(tx *Tx) error {
		if _, err := tx.exec(`UPDATE exports SET blob = '' WHERE id = $1 AND blob = $2`, b.ID, b.Key); err != nil {
			return fmt.Errorf("forget the bytes of export %s: %w", b.ID, err)
		}
		return nil
	})
}

// ExportBlobs returns at most limit exports that have a result, in order of
// their ids, behind the one called after.
func (s *Store) ExportBlobs(ctx context.Context, after octavo.ID, limit int) ([]ExportBlob, error) {
	list, err := collect(ctx, s.read, scanExportBlob, `SELECT x.id, x.blob, x.sha256, x.size FROM exports x
		WHERE x.id > $1 AND x.blob <> '' AND x.status = 'ready' ORDER BY x.id LIMIT $2`, plain(string(after)), limit)
	if err != nil {
		return nil, fmt.Errorf("list the results of exports: %w", err)
	}
	return list, nil
}

// StuckExports returns the exports that were due so long ago and that nobody
// works on.
func (s *Store) StuckExports(ctx context.Context, age time.Duration) ([]octavo.ID, error) {
	list, err := collect(ctx, s.read, column[octavo.ID], `SELECT x.id FROM exports x WHERE x.ready_at <= $1 ORDER BY x.id`, s.now().Add(-age).UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("find exports that nobody works on: %w", err)
	}
	return list, nil
}

// ExportNumbers counts exports that wait and those that are under way.
type ExportNumbers struct{ Queued, Processing int }

// ExportNumbers counts.
func (s *Store) ExportNumbers(ctx context.Context) (n ExportNumbers, err error) {
	_, err = s.read.row(ctx, []any{&n.Queued, &n.Processing}, `SELECT
			COALESCE(SUM(CASE WHEN x.lease = 0 THEN 1 ELSE 0 END), 0), COALESCE(SUM(CASE WHEN x.lease <> 0 THEN 1 ELSE 0 END), 0)
		FROM exports x WHERE x.ready_at IS NOT NULL`)
	if err != nil {
		return n, fmt.Errorf("count exports: %w", err)
	}
	return n, nil
}

// removeExports removes exports that ended KeepExports ago and whose bytes are
// gone.
func (s *Store) removeExports(ctx context.Context) error {
	return s.write(ctx, Cause{}, func(tx *Tx) error {
		cutoff := tx.now.Add(-KeepExports).UnixMilli()
		if _, err := tx.exec(`DELETE FROM exports WHERE ended_at <= $1 AND expires_at <= $1 AND blob = ''`, cutoff); err != nil {
			return fmt.Errorf("remove old exports: %w", err)
		}
		return nil
	})
}
